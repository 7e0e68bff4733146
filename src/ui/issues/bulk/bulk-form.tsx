/** The form around a table of issues that changes the selected ones. */
import type { ReactNode } from "react";
import type { IssueState } from "../../../core/issue/issue.ts";
import type { IssueListPage } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { ChevronIcon, StateIcon } from "../../parts/icons.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { formatListName } from "../../urls/issue-list-urls.ts";
import { AssigneeOptions } from "./assignee-options.tsx";

/** A query and the page of it that is shown. */
interface Matches {
  readonly query: IssueQuery;
  readonly page: Pick<IssueListPage, "issues" | "total" | "isTotalCapped">;
}

/** The form. With `matches`, all issues of the query can be selected at once. */
export function BulkForm({
  returnTo,
  matches,
  children,
}: {
  returnTo: string;
  matches?: Matches;
  children: ReactNode;
}) {
  return (
    <DeskForm method="post" action="/issues/state" className="bulk">
      {/* The default button, so that Enter in a checkbox does nothing. */}
      <button type="submit" disabled hidden />
      <input type="hidden" name="returnTo" value={returnTo} />
      {children}
      <RowActions />
      <BulkBar selectAll={matches && <SelectMatching {...matches} />} />
    </DeskForm>
  );
}

/** Selects all issues of the query, on all pages; nothing if there is only one page. */
function SelectMatching({ query, page: { issues, total, isTotalCapped } }: Matches) {
  if (total <= issues.length) return null;
  const isBounded = isTotalCapped === true || total > limits.maxMatchesPerAction;
  const count = formatNumber(Math.min(total, limits.maxMatchesPerAction));
  return (
    <label className="select-matching">
      <input type="checkbox" name="matching" value={formatListName(query)} data-count={count} />
      {isBounded ? `The first ${count} of this list` : `All ${count} of this list`}
    </label>
  );
}

// The buttons for selected issues, and those for one row. They belong to the form around the table,
// which posts to `/issues/state`. While issues are selected, the style sheet shows the bar and
// counts them. A script can show the state in `data-new-state` before the response arrives.

const BULK_ACTIONS: readonly {
  readonly value: string;
  readonly label: string;
  readonly state?: IssueState;
  readonly shortcut?: string;
}[] = [
  { value: "resolve", label: "Resolve", state: "resolved", shortcut: "r" },
  { value: "resolve-next", label: "Resolve in next release", state: "resolved" },
  { value: "ignore", label: "Ignore", state: "ignored", shortcut: "i" },
  { value: "mute", label: "Mute", state: "muted", shortcut: "m" },
  { value: "reopen", label: "Reopen", state: "open", shortcut: "o" },
  { value: "merge", label: "Merge" },
];

/** The bar. It comes after the rows, because a CSS counter counts them. */
function BulkBar({ selectAll }: { selectAll?: ReactNode }) {
  return (
    <fieldset className="bulk-bar" aria-labelledby="selected-issues">
      {/* Not a `legend`, which WebKit does not lay out like the other items. */}
      <span id="selected-issues">
        <span className="selected-count" /> selected
      </span>
      {selectAll}
      {BULK_ACTIONS.map(({ value, label, state, shortcut }) => (
        <button
          key={value}
          type="submit"
          name="do"
          value={value}
          data-new-state={state}
          data-shortcut={shortcut}
        >
          {label}
        </button>
      ))}
      <button
        type="button"
        className="menu-button"
        popoverTarget="bulk-assign-menu"
        data-shortcut="a"
      >
        Assign <ChevronIcon />
      </button>
      <div id="bulk-assign-menu" className="menu assignee-menu" popover="auto">
        <AssigneeOptions />
      </div>
    </fieldset>
  );
}

/**
 * The actions with a shortcut, for one row; so Tab skips them. The client script moves them to the
 * row under the pointer or with the focus and adds its digest to their values; without scripts they
 * stay hidden.
 */
function RowActions() {
  return (
    <span className="row-actions" data-row-actions="" hidden>
      {BULK_ACTIONS.filter(({ shortcut }) => shortcut).map(({ value, label, state, shortcut }) => (
        <button
          key={value}
          type="submit"
          name="row"
          tabIndex={-1}
          title={`${label} (${shortcut})`}
          aria-label={label}
          data-word={value}
          data-new-state={state}
          data-shortcut={shortcut}
        >
          {state && <StateIcon state={state} />}
        </button>
      ))}
    </span>
  );
}
