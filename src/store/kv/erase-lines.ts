/**
 * Erases lines of the log and of chunks. A line keeps its number, because positions contain it. An
 * erased report becomes a rollup without its contents; a line of an erased issue becomes a stub.
 */
import { ERASED } from "../../core/erased-mark.ts";
import { type ReportSummary, summarizeReport } from "../../core/report/report-summary.ts";
import type { Digest, Report, ReportId } from "../../core/report.ts";
import type { CounterName, DailyCounters } from "../../core/stats/counters.ts";
import { containsText, createJsonFilter, redactCounterName, redactText } from "../redact-text.ts";
import type { ParsedPosition } from "./keys.ts";
import { NO_ID } from "./packed-ids.ts";
import {
  formatCounterLine,
  formatRollupLine,
  parseCounterLine,
  parseRollupLine,
  parseStoredReport,
  REPORT_START,
} from "./stored-json.ts";
import { isBelowWatermark, type Watermarks } from "./watermarks.ts";

/**
 * Selects the lines to erase: reports by id, an issue, all reports that contain a text (ignoring
 * case), or the session counters of an environment.
 */
export type Erasure =
  | { readonly ids: readonly ReportId[] }
  | IssueErasure
  | { readonly text: string }
  | { readonly sessionsOf: string };

/** An issue with everything that counts in it. */
export interface IssueErasure {
  readonly digest: Digest;
  /** Foreign codes and traces that link browser reports to this issue and to no other. */
  readonly aliases: readonly string[];
  /** Issues that were merged into it. */
  readonly merged?: readonly Digest[];
  /** Issues split off from it: it counts their reports up to these watermarks. */
  readonly splitOff?: readonly { readonly digest: Digest; readonly watermarks: Watermarks }[];
  /** Other issues count its own reports up to these watermarks. */
  readonly movedTo?: readonly Watermarks[];
}

/** An erased line, and its report if it was one. */
export interface ErasedLine {
  readonly line: number;
  /** True if nothing remains, not even a count. */
  readonly isRemoved: boolean;
  /** The remaining line, if it depends on the erased text. */
  readonly replacement?: string;
  readonly digest?: Digest;
  readonly id?: ReportId;
  /** The message of the report, as its issue shows it. */
  readonly message?: string;
  /** An alias or a trace of the report may lead to another issue than its digest. */
  readonly isLinkable?: boolean;
}

/** Replaces a removed line. It is neither a report, a rollup nor counters. */
const REMOVED_LINE = '{"removed":1}';

/** The lines of a chunk to erase, numbered from 0. */
export function matchLines(
  lines: readonly string[],
  erasure: Erasure,
  chunkRef: Pick<ParsedPosition, "hour" | "shard" | "chunk">,
): readonly ErasedLine[] {
  const mayMatch = "text" in erasure ? createJsonFilter(erasure.text) : () => true;
  return lines.flatMap((text, line) => {
    if (!mayMatch(text)) return [];
    const report = parseStoredReport(text);
    const rollup = report === null ? parseRollupLine(text) : null;
    const record = report ?? rollup?.summary;
    if (record === undefined) return matchCounters(text, line, erasure);
    if (!isMatch(record, erasure, { ...chunkRef, line })) return [];
    const { digest } = record;
    const summary = report === null ? undefined : summarizeReport(report, "");
    const replacement = "text" in erasure ? redactRollup(text, erasure.text) : undefined;
    return {
      line,
      isRemoved: "digest" in erasure,
      replacement,
      digest,
      id: report?.id,
      message: summary?.message,
      ...(summary !== undefined && isLinkable(summary) && { isLinkable: true }),
    };
  });
}

/** The reports of some lines, and those that contain a text. */
export interface LineCounts {
  readonly examined: number;
  readonly reports: number;
  /** The digests of the reports with the text. */
  readonly digests: readonly Digest[];
}

/** Counts the reports, including rollups, and those that contain a text. */
export function countMatches(lines: readonly string[], text: string): LineCounts {
  const mayMatch = createJsonFilter(text);
  const records = lines.flatMap((line) => {
    if (line.startsWith(REPORT_START) && !mayMatch(line)) return { record: undefined, count: 1 };
    const report = parseStoredReport(line);
    if (report !== null) return { record: report, count: 1 };
    const rollup = parseRollupLine(line);
    return rollup === null ? [] : { record: rollup.summary, count: rollup.occurrences };
  });
  const matches = records.filter(({ record }) => containsText(record, text));
  const sum = (some: typeof records) => some.reduce((total, { count }) => total + count, 0);
  return {
    examined: sum(records),
    reports: sum(matches),
    digests: [...new Set(matches.flatMap(({ record }) => record?.digest ?? []))],
  };
}

function matchCounters(line: string, at: number, erasure: Erasure): readonly ErasedLine[] {
  if (!("text" in erasure || "sessionsOf" in erasure)) return [];
  const daily = parseCounterLine(line);
  if (daily === null) return [];
  const counters =
    "text" in erasure
      ? redactCounters(daily, erasure.text)
      : daily.counters.filter(([name]) => !isSessionCounter(name, erasure.sessionsOf));
  const replacement = formatCounterLine({ ...daily, counters } satisfies DailyCounters);
  return replacement === formatCounterLine(daily)
    ? []
    : [{ line: at, isRemoved: counters.length === 0, replacement }];
}

/** A release or an environment in the name of a counter may contain the text. */
function redactCounters({ counters }: DailyCounters, text: string): DailyCounters["counters"] {
  return counters.map(([name, ...rest]) => [redactCounterName(name, text), ...rest] as const);
}

function isSessionCounter([first, , , environment]: CounterName, name: string): boolean {
  return first === "session" && environment === name;
}

/** The remaining line of a report whose release, environment or browser contains the text. */
function redactRollup(line: string, text: string): string | undefined {
  const rollup = parseRollupLine(anonymizeLine(line));
  if (rollup === null || !containsText(rollup.summary, text)) return undefined;
  return formatRollupLine({ ...rollup, summary: redactText(rollup.summary, text) });
}

function isLinkable({ side, isLinked, aliases, traceId, pageTraceId }: ReportSummary): boolean {
  return side === "browser" && !isLinked && (aliases ?? traceId ?? pageTraceId) !== undefined;
}

/** The lines, with the erased ones replaced. */
export function eraseLines(
  lines: readonly string[],
  erased: readonly Pick<ErasedLine, "line" | "isRemoved" | "replacement">[],
): readonly string[] {
  const remaining = [...lines];
  for (const { line, isRemoved, replacement } of erased) {
    const text = remaining[line];
    if (text === undefined) continue;
    remaining[line] = isRemoved ? REMOVED_LINE : (replacement ?? anonymizeLine(text));
  }
  return remaining;
}

function isMatch(
  record: Pick<Report, "id" | "digest" | "side" | "aliases" | "traceId">,
  erasure: Erasure,
  position: ParsedPosition,
): boolean {
  const { id, digest, side, aliases = [], traceId = "" } = record;
  if ("ids" in erasure) return erasure.ids.includes(id);
  if ("text" in erasure) return containsText(record, erasure.text);
  if ("sessionsOf" in erasure) return false;
  const isLinked =
    side === "browser" && [...aliases, traceId].some((code) => erasure.aliases.includes(code));
  const { merged = [], splitOff = [], movedTo = [] } = erasure;
  const isOwn =
    digest === erasure.digest &&
    !movedTo.some((watermarks) => isBelowWatermark(position, watermarks));
  const wasSplitOff = splitOff.some(
    (one) => one.digest === digest && isBelowWatermark(position, one.watermarks),
  );
  return isOwn || merged.includes(digest) || wasSplitOff || isLinked;
}

/** Keeps what an issue counts (time, release, browser, level) and drops other text. */
function anonymizeLine(line: string): string {
  const report = parseStoredReport(line);
  const rollup = report === null ? parseRollupLine(line) : null;
  if (rollup !== null)
    return formatRollupLine({ ...rollup, summary: anonymizeSummary(rollup.summary) });
  if (report === null) return line;
  const summary = anonymizeSummary(summarizeReport(report, ""));
  return formatRollupLine({ summary, occurrences: 1, lastAtMs: summary.atMs });
}

function anonymizeSummary(
  summary: Omit<ReportSummary, "position">,
): Omit<ReportSummary, "position"> {
  const { digest, isLinked, trust, kind, side, atMs } = summary;
  const { release, environment, browser, level, isSilent200, noise, userSketch } = summary;
  return {
    id: NO_ID,
    digest,
    isLinked,
    trust,
    kind,
    side,
    atMs,
    message: ERASED,
    // Names of errors are kept; any other text in this field could be personal data.
    type: /^[\w$. ]{1,80}$/.test(summary.type) ? summary.type : "",
    release,
    environment,
    browser,
    level,
    isSilent200,
    noise,
    userSketch,
  };
}
