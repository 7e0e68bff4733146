/**
 * Parses and formats what Errata stores. Stored values have a version (`v`) or a marker as their
 * first member. A parser returns null for any other value and never throws.
 */

import { parseJsonText } from "../../core/decode/parse-json.ts";
import type { Annotations } from "../../core/issue/annotations.ts";
import type { Decision, Issue, IssueList } from "../../core/issue/issue.ts";
import type { SavedView } from "../../core/issue/issue-query.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { Report } from "../../core/report.ts";
import type { Rollup } from "../../core/sampling/report-sampler.ts";
import type { DailyCounters } from "../../core/stats/counters.ts";
import type { IdAtLine } from "./packed-ids.ts";

function readVersion(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("v" in value)) return undefined;
  return typeof value.v === "number" ? value.v : undefined;
}

/** The first characters of most report lines. Imported ones may begin otherwise. */
export const REPORT_START = '{"v":1,';

/** A report from a line of a chunk or of the log; null if the line is not a report. */
export function parseStoredReport(line: string): Report | null {
  try {
    const value: unknown = JSON.parse(line);
    return readVersion(value) === 1 ? (value as Report) : null;
  } catch {
    return null;
  }
}

/** Counters of a day as a line: `{"daily":1,"day":"2026-11-21","atMs":…,"counters":[…]}`. */
export function formatCounterLine(dailyCounters: DailyCounters): string {
  return JSON.stringify({ daily: 1, ...dailyCounters });
}

/** The counters of a line; null if the line has none. */
export function parseCounterLine(line: string): DailyCounters | null {
  const value = parsePrefixedLine(line, '{"daily":1,') as DailyCounters | null;
  if (value === null) return null;
  const { day, atMs, counters } = value;
  return { day, ...omitUndefined({ atMs }), counters };
}

/** A rollup as a line: `{"rollup":1,"summary":{…},"occurrences":480,"lastAtMs":…}`. */
export function formatRollupLine({ summary, occurrences, lastAtMs }: Rollup): string {
  return JSON.stringify({ rollup: 1, summary, occurrences, lastAtMs });
}

/** The rollup of a line; null if the line has none. */
export function parseRollupLine(line: string): Rollup | null {
  const value = parsePrefixedLine(line, '{"rollup":1,') as Rollup | null;
  if (value === null) return null;
  return { summary: value.summary, occurrences: value.occurrences, lastAtMs: value.lastAtMs };
}

/**
 * The ids of a chunk that have no line, as its last line: `{"extraIds":1,"ids":{"3":"<32 hex><32
 * hex>"}}`. They are in KV so that a rebuild finds them.
 */
export function formatExtraIdsLine(extraIds: readonly IdAtLine[]): string {
  const byLine = Map.groupBy(extraIds, ({ line }) => line);
  const ids = [...byLine].map(([line, lineIds]) => [line, lineIds.map(({ id }) => id).join("")]);
  return JSON.stringify({ extraIds: 1, ids: Object.fromEntries(ids) });
}

/** The extra ids of a line; null if the line has none. */
export function parseExtraIdsLine(line: string): readonly IdAtLine[] | null {
  const value = parsePrefixedLine(line, '{"extraIds":1,') as { ids: Record<string, string> } | null;
  if (value === null) return null;
  return Object.entries(value.ids).flatMap(([at, ids]) =>
    (ids.match(/.{32}/g) ?? []).map((id) => ({ id, line: Number(at) })),
  );
}

/** The JSON of a line with this prefix; null for another line or invalid JSON. */
function parsePrefixedLine(line: string, prefix: string): unknown {
  return line.startsWith(prefix) ? (parseJsonText(line) ?? null) : null;
}

/** An issue from a snapshot or a row; null for an unknown version. */
export function parseStoredIssue(value: unknown): Issue | null {
  return readVersion(value) === 1 ? (value as Issue) : null;
}

/** A decision from KV or a row; null for an unknown version. */
export function parseStoredDecision(value: unknown): Decision | null {
  return readVersion(value) === 1 ? (value as Decision) : null;
}

/** Annotations from KV or a row; null for an unknown version. */
export function parseStoredAnnotations(value: unknown): Annotations | null {
  return readVersion(value) === 1 ? (value as Annotations) : null;
}

/** Saved views from KV or a row; null for an unknown version. */
export function parseStoredViews(value: unknown): StoredViews | null {
  return readVersion(value) === 1 ? (value as StoredViews) : null;
}

/** Saved views as they are stored. */
export interface StoredViews {
  readonly v: 1;
  readonly views: readonly SavedView[];
}

/** The issue list from its snapshot; null for an unknown version. */
export function parseStoredIssueList(value: unknown): IssueList | null {
  return readVersion(value) === 1 ? (value as IssueList) : null;
}

/** The digests of an alias's snapshot `{ v: 1, digests: [...] }`; none for an unknown version. */
export function parseStoredAlias(value: unknown): readonly string[] {
  if (readVersion(value) !== 1) return [];
  const { digests } = value as { digests?: unknown };
  return Array.isArray(digests) ? digests.filter((digest) => typeof digest === "string") : [];
}
