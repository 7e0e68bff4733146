/**
 * Parses and formats what Errata stores. Stored values have a version (`v`) or a marker as their
 * first member. A parser returns null for any other value, and throws `Unreadable` for one of a
 * later version, which must never look like a missing one.
 */

import { parseJsonText } from "../../core/decode/parse-json.ts";
import { type Annotations, annotationsSchema } from "../../core/issue/annotations.ts";
import {
  type Decision,
  decisionSchema,
  type Issue,
  type IssueList,
  issueListSchema,
  issueSchema,
} from "../../core/issue/issue.ts";
import {
  downgradeAnnotations,
  downgradeDecision,
  downgradeIssue,
  downgradeIssueList,
  upgradeAnnotations,
  upgradeDecision,
  upgradeIssue,
  upgradeIssueList,
} from "../../core/issue/issue-versions.ts";
import { type SavedViews, savedViewsSchema } from "../../core/issue/saved-view.ts";
import { type Report, reportSchema } from "../../core/report.ts";
import {
  type CodeOwnersFiles,
  codeOwnersFilesSchema,
  type RepositorySettings,
  repositorySettingsSchema,
} from "../../core/repositories/repository.ts";
import type { Rollup } from "../../core/sampling/report-sampler.ts";
import { defineStored } from "../../core/schema/stored.ts";
import { code, list, storedObject, version1 } from "../../core/schema/stored-object.ts";
import type { DailyCounters } from "../../core/stats/counters.ts";
import type { IdAtLine } from "./packed-ids.ts";

/** A report, as a line of a chunk or of the log. */
export const REPORT_JSON = defineStored<Report>({
  name: "the report",
  version: 1,
  schema: reportSchema,
});

/** An issue, in its snapshot or its row. */
export const ISSUE_JSON = defineStored<Issue>({
  name: "the issue",
  version: 2,
  writes: 1,
  schema: issueSchema,
  up: { 1: upgradeIssue },
  down: { 2: downgradeIssue },
});

/** The decision of an issue, in KV or a row. */
export const DECISION_JSON = defineStored<Decision>({
  name: "the decision",
  version: 2,
  writes: 1,
  schema: decisionSchema,
  up: { 1: upgradeDecision },
  down: { 2: downgradeDecision },
});

/** The annotations of an issue, in KV or a row. */
export const ANNOTATIONS_JSON = defineStored<Annotations>({
  name: "the annotations",
  version: 2,
  writes: 1,
  schema: annotationsSchema,
  up: { 1: upgradeAnnotations },
  down: { 2: downgradeAnnotations },
});

/** The saved views of a project, in KV or a row. */
export const SAVED_VIEWS_JSON = defineStored<SavedViews>({
  name: "the saved views",
  version: 1,
  schema: savedViewsSchema,
});

/** The repositories of a project and its rules of owners, in KV or a row. */
export const REPOSITORIES_JSON = defineStored<RepositorySettings>({
  name: "the repositories",
  version: 1,
  schema: repositorySettingsSchema,
});

/** The files CODEOWNERS of a project, in KV or a row. */
export const CODE_OWNERS_JSON = defineStored<CodeOwnersFiles>({
  name: "the files CODEOWNERS",
  version: 1,
  schema: codeOwnersFilesSchema,
});

/** The snapshot of the issue list. */
export const ISSUE_LIST_JSON = defineStored<IssueList>({
  name: "the list of issues",
  version: 2,
  writes: 1,
  schema: issueListSchema,
  up: { 1: upgradeIssueList },
  down: { 2: downgradeIssueList },
});

/** The snapshot of an alias: the issues that it leads to. */
export const ALIAS_JSON = defineStored({
  name: "the alias",
  version: 1,
  schema: storedObject({ v: version1, digests: list(code("digest")) }),
});

/** The first characters of most report lines. Imported ones may begin otherwise. */
export const REPORT_START = '{"v":1,';

/** A report from a line of a chunk or of the log; null if the line is not a report. */
export function parseStoredReport(line: string): Report | null {
  return REPORT_JSON.parseOrNull(parseJsonText(line));
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
