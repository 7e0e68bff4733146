/**
 * Reads what Errata itself once wrote. Stored shapes carry a version; a reader here accepts every version that was ever
 * written, and gives null for anything else rather than throw.
 */

import type { Annotations } from "../../core/issue/annotations.ts";
import type { Decision, Issue, IssueList } from "../../core/issue/issue.ts";
import type { SavedView } from "../../core/issue/issue-query.ts";
import type { Rollup } from "../../core/issue/sampling.ts";
import type { Report } from "../../core/report.ts";
import type { DailyCounters } from "../../core/stats/counters.ts";
import type { IdAtLine } from "./packed-ids.ts";

function readVersion(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("v" in value)) return undefined;
  return typeof value.v === "number" ? value.v : undefined;
}

/** A report from one line of a chunk or of the log, or null when the line is none. */
export function parseStoredReport(line: string): Report | null {
  try {
    const value: unknown = JSON.parse(line);
    return readVersion(value) === 1 ? (value as Report) : null;
  } catch {
    return null;
  }
}

/** A day's tallies as one line of the log and of a chunk; it is no report to any reader. */
export function formatCounterLine(dailyCounters: DailyCounters): string {
  return JSON.stringify({ daily: 1, ...dailyCounters });
}

/** Tallies from a line, or null when it holds none. */
export function parseCounterLine(line: string): DailyCounters | null {
  const value = parsePrefixedLine(line, '{"daily":1,') as DailyCounters | null;
  return value === null ? null : { day: value.day, counters: value.counters };
}

/** A sum as one line of the log and of a chunk; it is no report to any reader. */
export function formatRollupLine({ summary, occurrences, lastAtMs }: Rollup): string {
  return JSON.stringify({ rollup: 1, summary, occurrences, lastAtMs });
}

/** A sum from a line, or null when it holds none. */
export function parseRollupLine(line: string): Rollup | null {
  return parsePrefixedLine(line, '{"rollup":1,') as Rollup | null;
}

/**
 * The ids that sums of a chunk stand for, as the line behind all others: `{"extraIds":1,"ids":{"3":"<32 hex><32 hex>"}}`. KV alone
 * must be enough to find them.
 */
export function formatExtraIdsLine(extraIds: readonly IdAtLine[]): string {
  const byLine = Map.groupBy(extraIds, ({ line }) => line);
  const ids = [...byLine].map(([line, lineIds]) => [line, lineIds.map(({ id }) => id).join("")]);
  return JSON.stringify({ extraIds: 1, ids: Object.fromEntries(ids) });
}

/** The placed ids from a line, or null when it holds none. */
export function parseExtraIdsLine(line: string): readonly IdAtLine[] | null {
  const value = parsePrefixedLine(line, '{"extraIds":1,') as { ids: Record<string, string> } | null;
  if (value === null) return null;
  return Object.entries(value.ids).flatMap(([at, ids]) =>
    (ids.match(/.{32}/g) ?? []).map((id) => ({ id, line: Number(at) })),
  );
}

/** A line of our own that begins so; null for any other, and for one that is broken. */
function parsePrefixedLine(line: string, prefix: string): unknown {
  if (!line.startsWith(prefix)) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** An issue from a snapshot or a row, or null when it is of no version we know. */
export function parseStoredIssue(value: unknown): Issue | null {
  return readVersion(value) === 1 ? (value as Issue) : null;
}

/** A decision from KV or a row, or null when it is of no version we know. */
export function parseStoredDecision(value: unknown): Decision | null {
  return readVersion(value) === 1 ? (value as Decision) : null;
}

/** What people added to an issue, from KV or a row, or null when it is of no version we know. */
export function parseStoredAnnotations(value: unknown): Annotations | null {
  return readVersion(value) === 1 ? (value as Annotations) : null;
}

/** The views of the list `{ v: 1, views: [...] }`, from KV or a row, or null when they are of no version we know. */
export function parseStoredViews(value: unknown): StoredViews | null {
  return readVersion(value) === 1 ? (value as StoredViews) : null;
}

/** The views as they are stored. */
export interface StoredViews {
  readonly v: 1;
  readonly views: readonly SavedView[];
}

/** A page of the list from its snapshot, or null when it is of no version we know. */
export function parseStoredIssueList(value: unknown): IssueList | null {
  return readVersion(value) === 1 ? (value as IssueList) : null;
}

/** The digests of an alias's snapshot `{ v: 1, digests: [...] }`; none when it is of no version we know. */
export function parseStoredAlias(value: unknown): readonly string[] {
  if (readVersion(value) !== 1) return [];
  const { digests } = value as { digests?: unknown };
  return Array.isArray(digests) ? digests.filter((digest) => typeof digest === "string") : [];
}
