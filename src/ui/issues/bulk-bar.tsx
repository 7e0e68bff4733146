/**
 * What can be done with the selected issues: buttons of the form around the table, for `POST /issues/state`. The style sheet
 * shows the bar while something is selected, and counts how much. `data-to` is the state that a script may show at once.
 */
import type { IssueState } from "../../core/issue.ts";

const BUTTONS: readonly {
  readonly value: string;
  readonly word: string;
  readonly to?: IssueState;
  readonly letter?: string;
}[] = [
  { value: "resolve", word: "Resolve", to: "resolved", letter: "r" },
  { value: "resolve-next", word: "In next release", to: "resolved" },
  { value: "ignore", word: "Ignore", to: "ignored", letter: "i" },
  { value: "mute", word: "Mute", to: "muted", letter: "m" },
  { value: "reopen", word: "Reopen", to: "open", letter: "o" },
  { value: "merge", word: "Merge" },
];

/** The bar; it stands behind the rows, so that they are counted. */
export function BulkBar() {
  return (
    <fieldset className="bulk-bar">
      <legend>
        <span className="picked" /> selected
      </legend>
      {BUTTONS.map(({ value, word, to, letter }) => (
        <button key={value} type="submit" name="do" value={value} data-to={to} data-key={letter}>
          {word}
        </button>
      ))}
    </fieldset>
  );
}
