/** The form around a table of issues that changes the selected ones. */
import type { ReactNode } from "react";
import type { IssueListPage } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { ISSUE_STATES, type IssueState } from "../../../core/issue/issue-states.ts";
import { limits } from "../../../core/limits.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { ChevronIcon, CrossIcon, MarkIcon, MoreIcon, PersonIcon } from "../../parts/icons.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { formatListName } from "../../urls/issue-list-urls.ts";
import { AssigneeOptions } from "./assignee-options.tsx";
import { SnoozeButton, SnoozeOptions, TimeZoneField } from "./snooze-menu.tsx";

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
      <TimeZoneField />
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
// which posts to `/issues/state`. While issues are selected, the style sheet shows the bar, and a
// script counts them. It can show the state in `data-new-state` before the response arrives.

/** The bar, on one line. A narrow screen has the later actions in the menu *More*. */
function BulkBar({ selectAll }: { selectAll?: ReactNode }) {
  return (
    <fieldset className="bulk-bar" aria-labelledby="selected-issues">
      {/* Not a `legend`, which WebKit does not lay out like the other items. */}
      <span id="selected-issues" role="status">
        <span className="selected-count" data-selected-count="" /> selected
      </span>
      {selectAll}
      <span className="split">
        <StateButton word="resolve" state="resolved" />
        <button
          type="button"
          className="menu-button"
          popoverTarget="bulk-resolve-menu"
          aria-label="Resolve in a release"
        >
          <ChevronIcon />
        </button>
      </span>
      <div id="bulk-resolve-menu" className="menu" popover="auto">
        <ResolveNextButton />
      </div>
      <SnoozeButton menu="bulk-snooze-menu">
        <MarkIcon mark="snoozed" /> {ISSUE_STATES.snoozed.verb}
      </SnoozeButton>
      <div id="bulk-snooze-menu" className="menu snooze-menu" popover="auto">
        <SnoozeOptions name="do" />
      </div>
      <button
        type="button"
        className="menu-button"
        popoverTarget="bulk-assign-menu"
        data-shortcut="a"
      >
        <PersonIcon /> Assign
      </button>
      <div id="bulk-assign-menu" className="menu assignee-menu" popover="auto">
        <AssigneeOptions />
      </div>
      <span className="wide-only">
        <StateButton word="archive" state="archived" />
        <StateButton word="reopen" state="open" />
        <MergeButton />
      </span>
      <button type="button" className="menu-button more-button" popoverTarget="bulk-more-menu">
        <MoreIcon /> More
      </button>
      <div id="bulk-more-menu" className="menu" popover="auto">
        <ResolveNextButton />
        <StateButton word="archive" state="archived" isInMenu />
        <StateButton word="reopen" state="open" isInMenu />
        <MergeButton />
      </div>
      <button type="reset" className="clear-button" aria-label="Clear the selection">
        <CrossIcon />
      </button>
    </fieldset>
  );
}

function StateButton({
  word,
  state,
  isInMenu = false,
}: {
  readonly word: string;
  readonly state: IssueState;
  /** In the menu *More*: without an icon, like its other items, and without the shortcut. */
  readonly isInMenu?: boolean;
}) {
  const { verb, key } = ISSUE_STATES[state];
  return (
    <button
      type="submit"
      name="do"
      value={word}
      data-new-state={state}
      data-shortcut={isInMenu ? undefined : key}
    >
      {!isInMenu && <MarkIcon mark={state} />} {verb}
    </button>
  );
}

function ResolveNextButton() {
  return (
    <button type="submit" name="do" value="resolve-next" data-new-state="resolved">
      Resolve in the next release
    </button>
  );
}

function MergeButton() {
  return (
    <button type="submit" name="do" value="merge">
      Merge
    </button>
  );
}

const ROW_ACTIONS: readonly (readonly [word: string, state: IssueState])[] = [
  ["resolve", "resolved"],
  ["archive", "archived"],
  ["reopen", "open"],
];

/**
 * The actions with a shortcut, for one row; so Tab skips them. The client script moves them to the
 * row under the pointer or with the focus and adds its digest to their values; without scripts they
 * stay hidden.
 */
function RowActions() {
  return (
    <div className="row-actions" data-row-actions="" hidden>
      <SnoozeButton menu="row-snooze-menu" tabIndex={-1}>
        <MarkIcon mark="snoozed" />
      </SnoozeButton>
      <div id="row-snooze-menu" className="menu snooze-menu" popover="auto">
        <SnoozeOptions name="row" />
      </div>
      {ROW_ACTIONS.map(([word, state]) => {
        const { verb, key } = ISSUE_STATES[state];
        return (
          <button
            key={word}
            type="submit"
            name="row"
            tabIndex={-1}
            title={`${verb} (${key})`}
            aria-label={verb}
            data-word={word}
            data-new-state={state}
            data-shortcut={key}
          >
            <MarkIcon mark={state} />
          </button>
        );
      })}
    </div>
  );
}
