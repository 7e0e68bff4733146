/**
 * Parses and formats what Errata stores. Stored values have a version (`v`) or a marker as their
 * first member. A parser returns null for any other value, and throws `Unreadable` for one of a
 * later version, which must never look like a missing one.
 */

import { parseJsonText } from "../../core/decode/parse-json.ts";
import type { Annotations } from "../../core/issue/annotations.ts";
import type { Decision, Issue, IssueList } from "../../core/issue/issue.ts";
import type { SavedView } from "../../core/issue/issue-query.ts";
import type { Report } from "../../core/report.ts";
import type { Rollup } from "../../core/sampling/report-sampler.ts";
import { Unreadable } from "../../core/schema/stored.ts";
import type { DailyCounters } from "../../core/stats/counters.ts";
import type { IdAtLine } from "./packed-ids.ts";

function readVersion(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("v" in value)) return undefined;
  return typeof value.v === "number" ? value.v : undefined;
}

/** The value if it is of version 1; null if it has no version. Throws for a later version. */
function parseVersion1<T>(name: string, value: unknown): T | null {
  const version = readVersion(value);
  if (version === undefined || version < 1) return null;
  if (version > 1) throw new Unreadable(name, { kind: "newer", version });
  return value as T;
}

/** The first characters of most report lines. Imported ones may begin otherwise. */
export const REPORT_START = '{"v":1,';

/** A report from a line of a chunk or of the log; null if the line is not a report. */
export function parseStoredReport(line: string): Report | null {
  return parseVersion1("the report", parseJsonText(line));
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
  return { day, atMs, counters };
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

/** An issue from a snapshot or a row; null for a damaged one. */
export function parseStoredIssue(value: unknown): Issue | null {
  return parseVersion1("the issue", value);
}

/** A decision from KV or a row; null for a damaged one. */
export function parseStoredDecision(value: unknown): Decision | null {
  return parseVersion1("the decision", value);
}

/** Annotations from KV or a row; null for a damaged one. */
export function parseStoredAnnotations(value: unknown): Annotations | null {
  return parseVersion1("the annotations", value);
}

/** Saved views from KV or a row; null for a damaged one. */
export function parseStoredViews(value: unknown): StoredViews | null {
  return parseVersion1("the saved views", value);
}

/** Saved views as they are stored. */
export interface StoredViews {
  readonly v: 1;
  readonly views: readonly SavedView[];
}

/** The issue list from its snapshot; null for a damaged one. */
export function parseStoredIssueList(value: unknown): IssueList | null {
  return parseVersion1("the list of issues", value);
}

/** The digests of an alias's snapshot `{ v: 1, digests: [...] }`; none for a damaged one. */
export function parseStoredAlias(value: unknown): readonly string[] {
  const { digests } = parseVersion1<{ digests?: unknown }>("the alias", value) ?? {};
  return Array.isArray(digests) ? digests.filter((digest) => typeof digest === "string") : [];
}
