/** The state of an issue as a glyph with a label. Red is for regressed and escalating ones only. */
import { isEscalating, isRegressed } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { NEW_ISSUE_AGE_MS } from "../../core/issue/issue-query.ts";
import { ISSUE_STATES, type IssueState } from "../../core/issue/issue-states.ts";
import { type IssueMark, MarkIcon } from "../parts/icons.tsx";

const MARK_LABELS: Readonly<Record<Exclude<IssueMark, IssueState>, string>> = {
  new: "New",
  regressed: "Regressed",
  escalating: "Escalating",
};

/** `Snoozed`, `Regressed`. */
export function toMarkLabel(mark: IssueMark): string {
  return mark in ISSUE_STATES
    ? ISSUE_STATES[mark as IssueState].label
    : MARK_LABELS[mark as keyof typeof MARK_LABELS];
}

/** What the glyph of an issue in this state shows; of several marks the most urgent. */
export function toIssueMark(
  issue: Pick<IssueSummary, "decision" | "escalation" | "firstSeenMs">,
  state: IssueState,
  nowMs: number,
): IssueMark {
  if (state !== "open") return state;
  if (isEscalating(issue, nowMs)) return "escalating";
  if (isRegressed(issue)) return "regressed";
  return nowMs - issue.firstSeenMs < NEW_ISSUE_AGE_MS ? "new" : "open";
}

/**
 * The state, or a mark of an open issue. With `isIconOnly`, only screen readers and the tooltip
 * have the label.
 */
export function StateBadge({ state, isIconOnly }: { state: IssueMark; isIconOnly?: boolean }) {
  const label = toMarkLabel(state);
  return (
    <span className="state" data-state={state} title={isIconOnly ? label : undefined}>
      <MarkIcon mark={state} />
      <span className={isIconOnly ? "visually-hidden" : undefined}>{label}</span>
    </span>
  );
}
