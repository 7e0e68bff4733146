/** How an issue stands, as a glyph with its word. */
import type { IssueState } from "../../core/issue/issue.ts";
import { StateIcon } from "../parts/icons.tsx";

/** The word for each state, as the desk says it. */
const STATE_LABELS: Readonly<Record<IssueState, string>> = {
  open: "Open",
  resolved: "Resolved",
  ignored: "Ignored",
  muted: "Muted",
};

/** The state; with `bare` the word is left to screen readers and to the tooltip. */
export function StateBadge({
  state,
  isIconOnly,
}: {
  readonly state: IssueState;
  readonly isIconOnly?: boolean;
}) {
  return (
    <span className="state" data-state={state} title={isIconOnly ? STATE_LABELS[state] : undefined}>
      <StateIcon state={state} />
      <span className={isIconOnly ? "visually-hidden" : undefined}>{STATE_LABELS[state]}</span>
    </span>
  );
}

/** Stands where an issue had been resolved and returned. */
export function RegressedBadge() {
  return <span className="regressed">Regressed</span>;
}

/** Stands where an issue was first seen within a day. */
export function NewBadge() {
  return <span className="new">New</span>;
}
