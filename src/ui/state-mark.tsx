/** How an issue stands, as a glyph with its word. */
import type { IssueState } from "../core/issue.ts";
import { StateGlyph } from "./marks.tsx";

/** The word for each state, as the desk says it. */
const STATE_WORDS: Readonly<Record<IssueState, string>> = {
  open: "Open",
  resolved: "Resolved",
  ignored: "Ignored",
  muted: "Muted",
};

/** The state; with `bare` the word is left to screen readers and to the tooltip. */
export function StateMark({
  state,
  bare,
}: {
  readonly state: IssueState;
  readonly bare?: boolean;
}) {
  return (
    <span className="state" data-state={state} title={bare ? STATE_WORDS[state] : undefined}>
      <StateGlyph state={state} />
      <span className={bare ? "unseen" : undefined}>{STATE_WORDS[state]}</span>
    </span>
  );
}

/** Stands where an issue had been resolved and returned. */
export function RegressedMark() {
  return <span className="regressed">Regressed</span>;
}

/** Stands where an issue was first seen within a day. */
export function NewMark() {
  return <span className="new">New</span>;
}
