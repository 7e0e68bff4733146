/**
 * Buttons for one row. The client script moves them to the row under the pointer or with the focus
 * and adds its digest to their values; without scripts they stay hidden.
 */
import type { IssueState } from "../../../core/issue/issue.ts";
import { StateIcon } from "../../parts/icons.tsx";

const ROW_ACTIONS: readonly {
  readonly word: string;
  readonly label: string;
  readonly state: IssueState;
  readonly shortcut: string;
}[] = [
  { word: "resolve", label: "Resolve", state: "resolved", shortcut: "r" },
  { word: "ignore", label: "Ignore", state: "ignored", shortcut: "i" },
  { word: "mute", label: "Mute", state: "muted", shortcut: "m" },
  { word: "reopen", label: "Reopen", state: "open", shortcut: "o" },
];

/** The buttons. They have shortcuts, so Tab skips them. */
export function RowActions() {
  return (
    <span className="row-actions" data-row-actions="" hidden>
      {ROW_ACTIONS.map(({ word, label, state, shortcut }) => (
        <button
          key={word}
          type="submit"
          name="row"
          tabIndex={-1}
          title={`${label} (${shortcut})`}
          aria-label={label}
          data-word={word}
          data-new-state={state}
          data-shortcut={shortcut}
        >
          <StateIcon state={state} />
        </button>
      ))}
    </span>
  );
}
