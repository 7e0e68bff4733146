/**
 * The counts that a rule judges: those of the issue, or only those of the reports that its filters
 * match. The index keeps the latter for each rule that needs them. Pure.
 */
import { fnv1a } from "../../fnv1a.ts";
import type { DayCounts } from "../../issue/issue.ts";
import type { ReportSummary } from "../../report/report-summary.ts";
import {
  addToCounts,
  addUser,
  countFrom,
  countUsers,
  type TrustCounts,
  type UserSketches,
} from "../../stats/trust-counts.ts";
import { isAtLeast, type Trust } from "../../trust/trust.ts";
import { MINUTE_MS, toUtcDay, toUtcHour } from "../../utc-time.ts";
import { MAX_HOURS } from "./hourly-counts.ts";

const MAX_MINUTES = 60;
const MAX_DAYS = 30;

/** Counts of reports; an issue has them. Days, hours and minutes are those of the level `trust`. */
export interface JudgedCounts extends TrustCounts, UserSketches {
  readonly trust: Trust;
  readonly firstSeenMs: number;
  readonly days: DayCounts;
  readonly hours?: DayCounts;
  /** Occurrences by minute since 1970, oldest first; absent in an issue. */
  readonly minutes?: readonly (readonly [minute: number, count: number])[];
}

/** The counts of a rule. Stored (version 1): fields may be added. */
export interface MatchedCounts extends JudgedCounts {
  /** Of the query that the reports matched: a changed one begins again. Its text is in the rule. */
  readonly queryHash: number;
}

/** The counts after more reports. `sinceMs` is when the first one of an older issue occurred. */
export function addReports(
  before: MatchedCounts | undefined,
  query: string,
  reports: readonly ReportSummary[],
  nowMs: number,
  sinceMs?: number,
): MatchedCounts {
  const [first] = reports;
  const queryHash = fnv1a(query);
  const empty: MatchedCounts = {
    queryHash,
    count: 0,
    publicCount: 0,
    pageCount: 0,
    days: [],
    trust: first?.trust ?? "public",
    firstSeenMs: sinceMs ?? first?.atMs ?? 0,
  };
  const start = before?.queryHash === queryHash ? before : empty;
  return reports.reduce((counts, report) => addReport(counts, report, nowMs), start);
}

function addReport(counts: MatchedCounts, report: ReportSummary, nowMs: number): MatchedCounts {
  const { occurrences = 1, atMs, lastAtMs = atMs, trust, isLinked } = report;
  const users = { ...counts, ...addUser(counts, report) };
  if (isLinked) return users;
  const added = { ...users, ...addToCounts(counts, trust, occurrences) };
  if (!isAtLeast(trust, counts.trust)) return added;
  const { days = [], hours = [], minutes = [] } = trust === counts.trust ? counts : {};
  return {
    ...added,
    trust,
    firstSeenMs: Math.min(counts.firstSeenMs, atMs),
    days: increment(days, toUtcDay(atMs), occurrences, MAX_DAYS),
    hours: increment(hours, toUtcHour(atMs), occurrences, MAX_HOURS),
    // The clock of a sender may be ahead.
    minutes: increment(minutes, toMinute(Math.min(lastAtMs, nowMs)), occurrences, MAX_MINUTES),
  };
}

function toMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

function increment<K extends string | number>(
  counts: readonly (readonly [K, number])[],
  bin: K,
  occurrences: number,
  max: number,
): readonly (readonly [K, number])[] {
  const all = new Map(counts);
  all.set(bin, (all.get(bin) ?? 0) + occurrences);
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-max);
}

/** The occurrences that reports of this level and higher ones counted. */
export function countAt(counts: JudgedCounts | null | undefined, level: Trust): number {
  return counts === null || counts === undefined ? 0 : countFrom(level, counts);
}

/** The estimated users that reports of this level and higher ones named. */
export function countUsersAt(counts: UserSketches | null | undefined, level: Trust): number {
  return counts === null || counts === undefined ? 0 : countUsers(counts, level);
}
