/**
 * A surge: far more errors than yesterday and than usual, from some moment until now. Pure.
 */
import { MINUTE_MS } from "../utc-time.ts";
import { type ErrorColumns, sumColumns } from "./error-columns.ts";
import type { RecentErrors } from "./recent-errors.ts";

export interface Surge {
  /** When it began: the minute, if it is known. */
  readonly sinceMs: number;
  /** The errors since then, of the `total` of the columns. */
  readonly count: number;
  readonly total: number;
  /** As many were there yesterday in the same time. */
  readonly before: number;
}

/** So many times the expected errors. */
const FACTOR = 3;
/** Fewer errors are no surge, whatever was before. */
const MIN_COUNT = 20;
/** A column that has just begun says little. */
const MIN_SHARE = 0.3;

/**
 * The surge of the columns of the last day; undefined if there is none, or nothing to compare with.
 * The errors since its beginning are at least three times those of yesterday in the same time, and
 * each step has three times the median of the day.
 */
export function findSurge(
  columns: ErrorColumns,
  recent: Pick<RecentErrors, "minutes"> | undefined,
  nowMs: number,
): Surge | undefined {
  const { before, fromMs, stepMs } = columns;
  if (before === undefined) return undefined;
  const counts = sumColumns(columns);
  const usual = median(counts.slice(0, -1));
  const toShare = (n: number) => Math.min(1, (nowMs - (fromMs + n * stepMs)) / stepMs);
  const isHigh = (n: number) => {
    const expected = Math.max(usual, before[n] ?? 0) * toShare(n);
    return (counts[n] ?? 0) > Math.max(1, FACTOR * expected);
  };
  const last = counts.length - 1;
  const isLastLow = !isHigh(last);
  if (isLastLow && (toShare(last) > MIN_SHARE || !isHigh(last - 1))) return undefined;
  let first = isLastLow ? last - 1 : last;
  while (first > 0 && isHigh(first - 1)) first--;
  const count = counts.slice(first).reduce((sum, one) => sum + one, 0);
  const past = before
    .slice(first)
    .reduce((sum, one, n) => sum + one * Math.max(0, toShare(first + n)), 0);
  if (count < MIN_COUNT || count < FACTOR * past) return undefined;
  const startMs = fromMs + first * stepMs;
  const limit = Math.max(1, (FACTOR * Math.max(usual, before[first] ?? 0) * MINUTE_MS) / stepMs);
  const sinceMs = findMinute(recent?.minutes ?? [], startMs, stepMs, limit) ?? startMs;
  const total = counts.reduce((sum, one) => sum + one, 0);
  return { sinceMs, count, total, before: Math.round(past) };
}

/** The first minute of a step with more errors than `limit`. */
function findMinute(
  minutes: RecentErrors["minutes"],
  startMs: number,
  stepMs: number,
  limit: number,
): number | undefined {
  const [first] = minutes.filter(([minute, server, browser]) => {
    const atMs = minute * MINUTE_MS;
    return atMs >= startMs && atMs < startMs + stepMs && server + browser > limit;
  });
  return first === undefined ? undefined : first[0] * MINUTE_MS;
}

function median(counts: readonly number[]): number {
  const sorted = counts.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Where the errors of a surge are. */
export interface SurgeShare {
  readonly release: string;
  /** From 0.8, from which on the release is a suspect, to 1. */
  readonly share: number;
}

const MIN_RELEASE_SHARE = 0.8;

/** An issue, its errors since a moment, and the releases of some of its newest reports. */
export interface SurgingIssue {
  readonly count: number;
  readonly releases: readonly (string | undefined)[];
}

/**
 * The estimated errors of each release, the most first: those of an issue have the releases of its
 * newest reports.
 */
export function countByRelease(
  issues: readonly SurgingIssue[],
): readonly (readonly [release: string | undefined, count: number])[] {
  const byRelease = new Map<string | undefined, number>();
  for (const { count, releases } of issues)
    for (const release of releases)
      byRelease.set(release, (byRelease.get(release) ?? 0) + count / releases.length);
  return [...byRelease].sort(([, a], [, b]) => b - a);
}

/** The release that has at least 80 % of the errors; undefined if none has. */
export function findSurgeShare(issues: readonly SurgingIssue[]): SurgeShare | undefined {
  const all = countByRelease(issues);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  const [top] = all;
  if (top === undefined || top[0] === undefined || total === 0) return undefined;
  const share = top[1] / total;
  return share < MIN_RELEASE_SHARE ? undefined : { release: top[0], share: Math.min(1, share) };
}
