/**
 * The buttons for selected issues, and those for one row. They belong to the form around the table,
 * which posts to `/issues/state`. While issues are selected, the style sheet shows the bar and
 * counts them. A script can show the state in `data-new-state` before the response arrives.
 */

import type { ReactNode } from "react";
import type { IssueState } from "../../../core/issue/issue.ts";
import { ChevronIcon, StateIcon } from "../../parts/icons.tsx";
import { AssigneeOptions } from "./assignee-options.tsx";

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
export function BulkBar({ selectAll }: { selectAll?: ReactNode }) {
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
export function RowActions() {
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
