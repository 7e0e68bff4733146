/**
 * Which issues need a person, and why: the rows of the home page. Each issue has one reason, the
 * most urgent. Pure.
 */
import { findCurrentEscalation } from "../alerts/triggers/escalating.ts";
import { listAllDays, listAllHours } from "../issue/aggregate-report.ts";
import type { ActivityEntry } from "../issue/annotations.ts";
import { hasSnoozeEnded } from "../issue/decision.ts";
import type { Issue, IssueSummary } from "../issue/issue.ts";
import { DAY_MS, HOUR_MS, parseUtcHour } from "../utc-time.ts";

/** Why an issue is in the list, with the facts that its row states. */
export type AttentionReason =
  /** Far more often than usual: `count` since `sinceMs`, usually `usual` an hour. */
  | {
      readonly kind: "escalating";
      readonly count: number;
      readonly sinceMs: number;
      readonly usual: number;
    }
  /** Resolved by someone in some release, and back in another. */
  | {
      readonly kind: "regressed";
      readonly by?: string | undefined;
      readonly resolvedAtMs?: number | undefined;
      readonly resolvedInRelease?: string | undefined;
      readonly release?: string | undefined;
    }
  /** First seen within a day. */
  | {
      readonly kind: "new";
      readonly count: number;
      readonly sinceMs: number;
      readonly users: number;
    }
  | {
      readonly kind: "assigned";
      readonly by?: string | undefined;
      readonly atMs?: number | undefined;
    }
  | { readonly kind: "snooze-ended"; readonly sinceMs: number }
  | { readonly kind: "message"; readonly text: string }
  /** Of an open issue that can wait. */
  | { readonly kind: "most-users"; readonly users: number }
  | { readonly kind: "oldest"; readonly sinceMs: number }
  | { readonly kind: "no-source-map"; readonly issues: number }
  /** Occurred in a chosen span. */
  | { readonly kind: "occurred"; readonly count: number; readonly isAtLeast: boolean };

export interface AttentionRow {
  readonly issue: IssueSummary;
  /** Its occurrences in each of the last 24 hours, the current one last; absent if unknown. */
  readonly hours?: readonly number[] | undefined;
  readonly reason: AttentionReason;
}

/** The kinds that need a person. */
type UrgentKind = Exclude<
  AttentionReason["kind"],
  "most-users" | "oldest" | "no-source-map" | "occurred"
>;

export type AttentionCounts = readonly (readonly [kind: UrgentKind, count: number])[];

/** The most urgent first. */
const URGENCY = [
  "escalating",
  "regressed",
  "assigned",
  "new",
  "snooze-ended",
  "message",
] satisfies UrgentKind[];

/** Rows of the list. */
export const MAX_ATTENTION_ROWS = 8;
/** Further ones of the reader follow the others, so that they do not hide new errors. */
const MAX_FIRST_ASSIGNED = 4;

/** The rows with one reason for each issue: the most urgent first, then the largest. */
export function rankAttention(rows: readonly AttentionRow[]): readonly AttentionRow[] {
  const rank = ({ reason }: AttentionRow) => (URGENCY as readonly string[]).indexOf(reason.kind);
  const sorted = rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      estimateSize(b.issue) - estimateSize(a.issue) ||
      b.issue.lastSeenMs - a.issue.lastSeenMs,
  );
  const listed = new Set<string>();
  const ranked = sorted.filter(({ issue: { digest } }) => {
    const isFirst = !listed.has(digest);
    listed.add(digest);
    return isFirst;
  });
  const assigned = ranked.filter(({ reason }) => reason.kind === "assigned");
  const waiting = new Set(assigned.slice(MAX_FIRST_ASSIGNED));
  return [...ranked.filter((row) => !waiting.has(row)), ...waiting];
}

/**
 * How many people an issue affects, for an order. Most senders name no users: their reports are of
 * one person or of as many people, so that the root of their number is the middle.
 */
function estimateSize({ userCount = 0, count }: IssueSummary): number {
  return Math.max(userCount, Math.sqrt(count));
}

/** The number of issues with each reason that needs a person, the most urgent first. */
export function countAttention(rows: readonly AttentionRow[]): AttentionCounts {
  return URGENCY.map((kind) => {
    const count = rows.filter(({ reason }) => reason.kind === kind).length;
    return [kind, count] as const;
  }).filter(([, count]) => count > 0);
}

/**
 * The reason if an issue escalates, as lists and alerts judge it (`escalating.ts`), over reports of
 * all levels.
 */
export function findEscalating(issue: Issue, nowMs: number): AttentionReason | undefined {
  const found = findCurrentEscalation({ ...issue, hours: listAllHours(issue) }, nowMs);
  if (found === undefined) return undefined;
  const sinceMs = Math.max(issue.firstSeenMs, nowMs - HOUR_MS);
  const count = Math.round(Math.min(found.value, issue.count));
  return { kind: "escalating", count, sinceMs, usual: Math.round(found.usual) };
}

/** The reason if an issue was snoozed until now, and is open again. */
export function findEndedSnooze(issue: Issue, nowMs: number): AttentionReason | undefined {
  const { decision } = issue;
  if (decision === undefined || !hasSnoozeEnded(issue, nowMs)) return undefined;
  return { kind: "snooze-ended", sinceMs: decision.atMs };
}

const MESSAGE_CHARS = 80;

/** The reason if a visitor wrote a message within a day. */
export function findMessage({ latestReports }: Issue, nowMs: number): AttentionReason | undefined {
  const found = latestReports.find(
    ({ kind, atMs, message }) => kind === "feedback" && atMs > nowMs - DAY_MS && message !== "",
  );
  return found && { kind: "message", text: found.message.slice(0, MESSAGE_CHARS) };
}

/** The reason of a regressed issue: who had resolved it, and where it is back. */
export function toRegressed(
  { decision, release }: IssueSummary,
  activity: readonly ActivityEntry[],
): AttentionReason {
  const resolved = activity.findLast(({ action }) => action === "resolved");
  return {
    kind: "regressed",
    by: resolved?.by,
    resolvedAtMs: resolved?.atMs,
    resolvedInRelease: decision?.resolvedInRelease,
    release: decision?.regressedInRelease ?? release,
  };
}

export function toAssigned(activity: readonly ActivityEntry[]): AttentionReason {
  const assigned = activity.findLast(({ action }) => action === "assigned");
  return { kind: "assigned", by: assigned?.by, atMs: assigned?.atMs };
}

export function toNew({ count, firstSeenMs, userCount = 0 }: IssueSummary): AttentionReason {
  return { kind: "new", count, sinceMs: firstSeenMs, users: userCount };
}

/**
 * The reason if an issue occurred from `fromMs` to `toMs`. Whole hours of the last three days and
 * whole days are exact; within an hour only the newest reports are known.
 */
export function findOccurred(
  issue: Issue,
  fromMs: number,
  toMs: number,
  nowMs: number,
): AttentionReason | undefined {
  const isIn = (atMs: number) => atMs >= fromMs && atMs < toMs;
  const isOfHours = fromMs % HOUR_MS === 0 && toMs % HOUR_MS === 0;
  const isOfDays = fromMs % DAY_MS === 0 && toMs % DAY_MS === 0;
  const byHour = nowMs - fromMs < 72 * HOUR_MS;
  if (isOfHours && (byHour || isOfDays)) {
    const [steps, toMsOf] = byHour
      ? ([listAllHours(issue), parseUtcHour] as const)
      : ([listAllDays(issue), Date.parse] as const);
    const count = steps.reduce((sum, [step, one]) => sum + (isIn(toMsOf(step)) ? one : 0), 0);
    return count > 0 ? { kind: "occurred", count, isAtLeast: false } : undefined;
  }
  const times = [
    ...issue.latestReports.flatMap(({ atMs, isLinked }) => (isLinked ? [] : atMs)),
    issue.firstSeenMs,
    issue.lastSeenMs,
  ];
  const known = new Set(times.filter(isIn)).size;
  const days = listAllDays(issue).filter(([day]) => {
    const atMs = Date.parse(day);
    return atMs + DAY_MS > fromMs && atMs < toMs;
  });
  if (known === 0 && (byHour || days.length === 0)) return undefined;
  return { kind: "occurred", count: Math.max(1, known), isAtLeast: true };
}
