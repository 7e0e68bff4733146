/**
 * What can be done with the selected issues: buttons of the form around the table, for `POST /issues/state`. The style sheet
 * shows the bar while something is selected, and counts how much. `data-new-state` is the state that a script may show at once.
 */
import type { IssueState } from "../../core/issue/issue.ts";

const BULK_ACTIONS: readonly {
  readonly value: string;
  readonly label: string;
  readonly state?: IssueState;
  readonly shortcut?: string;
}[] = [
  { value: "resolve", label: "Resolve", state: "resolved", shortcut: "r" },
  { value: "resolve-next", label: "In next release", state: "resolved" },
  { value: "ignore", label: "Ignore", state: "ignored", shortcut: "i" },
  { value: "mute", label: "Mute", state: "muted", shortcut: "m" },
  { value: "reopen", label: "Reopen", state: "open", shortcut: "o" },
  { value: "merge", label: "Merge" },
];

/** The bar; it stands behind the rows, so that they are counted. */
export function BulkBar() {
  return (
    <fieldset className="bulk-bar">
      <legend>
        <span className="picked" /> selected
      </legend>
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
    </fieldset>
  );
}
