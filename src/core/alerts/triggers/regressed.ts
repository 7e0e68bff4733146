/** A resolved issue that occurs again, or an ignored one whose condition ended. Pure. */
import { countForDecision, getCurrentState } from "../../issue/decision.ts";
import type { Issue } from "../../issue/issue.ts";
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
  label: "A resolved issue occurs again, or an ignored one whose condition ended",
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

/** An ignored issue whose condition ended occurs again. Rules ask for it with `regressed`. */
export const returned = defineOwnAlert({
  kind: "returned",
  title: () => "Returned",
  sentence: ({ limit = 0, value = 0 }) =>
    limit > 0
      ? `The issue was ignored until ${formatFigure(limit)} more; ${formatFigure(value)} came.`
      : "The issue was ignored for a time that is over, and occurred again.",
  webhookEvent: "issue.returned",
  says: "returned",
  badge: "Returned",
  isUrgent: true,
});

function detectReturn(change: JudgedChange): readonly DetectedAlert[] {
  const { before, after, nowMs, reportFilters, ruleSinceMs } = change;
  const { decision } = after;
  if (decision === undefined) return [];
  const ended = findEndOfIgnoring(before, after, nowMs);
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

interface EndOfIgnoring {
  /** When the issue was ignored. */
  readonly atMs: number;
  /** False if it ended before the batch. */
  readonly isInBatch: boolean;
  /** How many reports it was ignored for, and how many came. */
  readonly figures: Pick<Figures, "limit" | "value">;
}

function findEndOfIgnoring(
  before: Issue | null,
  after: Issue,
  nowMs: number,
): EndOfIgnoring | null {
  const { decision } = after;
  if (decision?.state !== "ignored" || getCurrentState(after, nowMs) !== "open") return null;
  const { atMs, untilCount, forCount } = decision;
  const stateBefore =
    before === null
      ? "ignored"
      : getCurrentState({ ...before, decision }, Math.max(before.asOfMs, atMs));
  const count = countForDecision(decision, after);
  const isByCount = untilCount !== undefined && forCount !== undefined && count >= untilCount;
  const figures = isByCount ? { limit: forCount, value: count - (untilCount - forCount) } : {};
  return { atMs, isInBatch: stateBefore === "ignored", figures };
}
