/** A resolved issue that occurs again, or a snoozed one whose snooze ended. Pure. */
import { countForDecision, getCurrentState, hasSnoozeEnded } from "../../issue/decision.ts";
import type { Decision, Issue } from "../../issue/issue.ts";
import { formatPeople } from "../../stats/people-count.ts";
import { getLevelHistory } from "./alert-history.ts";
import { getHighest, isBelow, listCounted } from "./detection.ts";
import {
  type DetectedAlert,
  defineIssueTrigger,
  defineOwnAlert,
  type Figures,
  type JudgedChange,
} from "./trigger.ts";
import { formatFigure } from "./trigger-texts.ts";

export const regressed = defineIssueTrigger({
  kind: "regressed",
  label: "A resolved issue occurs again, or a snooze has ended",
  params: {},
  title: () => "Regressed",
  sentence: ({ detail = "" }) =>
    detail === ""
      ? "The issue was resolved and occurred again."
      : `The issue was resolved and occurred again in ${detail}.`,
  webhookEvent: "issue.regressed",
  says: "returned",
  badge: "Regressed",
  isUrgent: true,
  isOnce: true,
  detect: (change) => detectReturn(change),
});

/** A snoozed issue whose snooze ended occurs again. Rules ask for it with `regressed`. */
export const returned = defineOwnAlert({
  kind: "returned",
  title: () => "Returned",
  sentence: formatEnd,
  webhookEvent: "issue.returned",
  says: "returned",
  badge: "Returned",
  isUrgent: true,
});

/** `detail` is `users`, or the release that ended the snooze; `usual` is that of an escalation. */
function formatEnd({ limit = 0, value = 0, usual, detail }: Figures): string {
  const wasSnoozed = "The issue was snoozed until";
  if (usual !== undefined)
    return usual > 0
      ? `${wasSnoozed} it escalates: ${formatFigure(value)} in the last hour, usually ${formatFigure(usual)}.`
      : `${wasSnoozed} it escalates, and occurred ${formatFigure(value)} times.`;
  if (limit > 0 && detail === "users")
    return `${wasSnoozed} it affects ${formatFigure(limit)} more people, and affects ${formatPeople(value)}.`;
  if (limit > 0) return `${wasSnoozed} ${formatFigure(limit)} more; ${formatFigure(value)} came.`;
  if (detail !== undefined) return `${wasSnoozed} a later release, and occurred in ${detail}.`;
  return "The issue was snoozed for a time that is over, and occurred again.";
}

function detectReturn(change: JudgedChange): readonly DetectedAlert[] {
  const { before, after, nowMs, reportFilters, ruleSinceMs } = change;
  const { decision } = after;
  if (decision === undefined) return [];
  const ended = findEndOfSnooze(before, after, nowMs);
  const { regressedAtMs: atMs = ended?.atMs } = decision;
  if (atMs === undefined) return [];
  const isInBatch =
    ended === null ? decision.regressedAtMs !== before?.decision?.regressedAtMs : ended.isInBatch;
  // An earlier report of the batch may match, and a later one regress.
  const from = ended === null ? atMs : 0;
  const level = getHighest(listCounted(change).filter((one) => (one.lastAtMs ?? one.atMs) >= from));
  if (level === undefined || isBelow(level, change)) return [];
  if (!isInBatch) {
    // It returned elsewhere before: in another environment, for example.
    const isLater = reportFilters.length > 0 && atMs >= ruleSinceMs;
    const { returnedMs } = getLevelHistory(change.getAlertHistory(), level);
    if (!isLater || returnedMs === atMs) return [];
  }
  const facts = { returnedMs: atMs };
  if (ended !== null) return [{ kind: "returned", figures: ended.figures, level, facts }];
  return [{ figures: { detail: decision.regressedInRelease ?? "" }, level, facts }];
}

interface EndOfSnooze {
  /** When the issue was snoozed. */
  readonly atMs: number;
  /** False if it ended before the batch. */
  readonly isInBatch: boolean;
  /** What it was snoozed for, and what came. */
  readonly figures: Figures;
}

function findEndOfSnooze(before: Issue | null, after: Issue, nowMs: number): EndOfSnooze | null {
  const { decision } = after;
  if (decision === undefined || !hasSnoozeEnded(after, nowMs)) return null;
  const { atMs, endedAtMs } = decision;
  if (endedAtMs !== undefined) {
    const isInBatch = before?.decision?.endedAtMs !== endedAtMs;
    return { atMs, isInBatch, figures: toEndFigures(decision) };
  }
  const stateBefore =
    before === null
      ? "snoozed"
      : getCurrentState({ ...before, decision }, Math.max(before.asOfMs, atMs));
  const isInBatch = stateBefore === "snoozed";
  return { atMs, isInBatch, figures: toCountFigures(decision, after) };
}

/** The figures of a snooze that a report ended. */
function toEndFigures(decision: Decision): Figures {
  const { endedBy, endedValue: value, endedUsual: usual = 0, forUsers: limit } = decision;
  if (endedBy === "escalation") return { value, usual };
  if (endedBy === "users") return { limit, value, detail: "users" };
  return { detail: decision.endedInRelease };
}

/** None if the snooze ended by its time. */
function toCountFigures(decision: Decision, after: Issue): Figures {
  const { untilCount, forCount } = decision;
  const count = countForDecision(decision, after);
  return untilCount !== undefined && forCount !== undefined && count >= untilCount
    ? { limit: forCount, value: count - (untilCount - forCount) }
    : {};
}
