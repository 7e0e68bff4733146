/** An issue's state as an icon with a label, and the badges for new and regressed issues. */
import type { IssueState } from "../../core/issue/issue.ts";
import { StateIcon } from "../parts/icons.tsx";

export const STATE_LABELS: Readonly<Record<IssueState, string>> = {
  open: "Open",
  resolved: "Resolved",
  ignored: "Ignored",
  muted: "Muted",
};

/** The state. With `isIconOnly`, only screen readers and the tooltip have the label. */
export function StateBadge({ state, isIconOnly }: { state: IssueState; isIconOnly?: boolean }) {
  return (
    <span className="state" data-state={state} title={isIconOnly ? STATE_LABELS[state] : undefined}>
      <StateIcon state={state} />
      <span className={isIconOnly ? "visually-hidden" : undefined}>{STATE_LABELS[state]}</span>
    </span>
  );
}

/** Marks an issue that was seen again after it was resolved. */
export function RegressedBadge() {
  return <span className="regressed">Regressed</span>;
}

/** Marks an issue first seen in the last 24 hours. */
export function NewBadge() {
  return <span className="new">New</span>;
}
