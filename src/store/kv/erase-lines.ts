/**
 * How lines of the log and of chunks are erased. A line keeps its number, because positions are made of it: of an erased report
 * there remains that something happened, of an erased issue nothing.
 */
import { ERASED } from "../../core/erased.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { type ReportSummary, summarizeReport } from "../../core/report/report-summary.ts";
import type { Digest, Report, ReportId } from "../../core/report.ts";
import { isBelowWatermark, type Watermarks } from "../index/state/merge-map.ts";
import { containsText } from "../redact-text.ts";
import type { ParsedPosition } from "./keys.ts";
import { NO_ID } from "./packed-ids.ts";
import { formatRollupLine, parseRollupLine, parseStoredReport } from "./stored-json.ts";

/** What is to be erased: some reports, all that counts in an issue, or all in which a text stands in any case of its letters. */
export type Erasure =
  | { readonly ids: readonly ReportId[] }
  | {
      readonly digest: Digest;
      readonly aliases: readonly string[];
      readonly merged?: readonly Digest[];
      /** What was split off from it: up to these places its reports count in it. */
      readonly splitOff?: readonly { readonly digest: Digest; readonly upTo: Watermarks }[];
      /** Up to these places its own reports count in other issues. */
      readonly movedTo?: readonly Watermarks[];
    }
  | { readonly text: string };

/** A line that was erased, and the report that stood there, if it was one. */
export interface ErasedLine {
  readonly line: number;
  /** True when nothing remains, not even that it happened. */
  readonly isRemoved: boolean;
  readonly digest?: Digest;
  readonly id?: ReportId;
  /** What the report said, as an issue shows it. */
  readonly message?: string;
}

/** What stands in the place of a line that is gone. No reader takes it for a report, a sum or tallies. */
const REMOVED_LINE = '{"removed":1}';

/** The lines of a chunk that an erasure means, by their numbers from 0. */
export function matchLines(
  lines: readonly string[],
  erasure: Erasure,
  chunkRef: Pick<ParsedPosition, "hour" | "shard" | "chunk">,
): readonly ErasedLine[] {
  return lines.flatMap((text, line) => {
    const report = parseStoredReport(text);
    const rollup = report === null ? parseRollupLine(text) : null;
    const record = report ?? rollup?.summary;
    if (record === undefined || !isMatch(record, erasure, { ...chunkRef, line })) return [];
    const { digest } = record;
    const message = report === null ? undefined : summarizeReport(report, "").message;
    return {
      line,
      isRemoved: "digest" in erasure,
      digest,
      ...omitUndefined({ id: report?.id, message }),
    };
  });
}

/** The same lines, with what was erased in its reduced form; in the same number and order. */
export function eraseLines(
  lines: readonly string[],
  erased: readonly Pick<ErasedLine, "line" | "isRemoved">[],
): readonly string[] {
  const remaining = [...lines];
  for (const { line, isRemoved } of erased) {
    const text = remaining[line];
    if (text !== undefined) remaining[line] = isRemoved ? REMOVED_LINE : anonymizeLine(text);
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
  const isLinked =
    side === "browser" && [...aliases, traceId].some((code) => erasure.aliases.includes(code));
  const { merged = [], splitOff = [], movedTo = [] } = erasure;
  const isOwn =
    digest === erasure.digest &&
    !movedTo.some((watermarks) => isBelowWatermark(position, watermarks));
  const wasSplitOff = splitOff.some(
    (one) => one.digest === digest && isBelowWatermark(position, one.upTo),
  );
  return isOwn || merged.includes(digest) || wasSplitOff || isLinked;
}

/** That it happened, when, and in which release and browser: what an issue counts by, and nobody's words. */
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
  const { digest, isLinked, kind, side, atMs } = summary;
  const { release, environment, browser, isSilent200, noise, userSketch } = summary;
  return {
    ...{ id: NO_ID, digest, isLinked, kind, side, atMs, message: ERASED },
    // The name of an error is nobody's; what else stands there may be.
    type: /^[\w$. ]{1,80}$/.test(summary.type) ? summary.type : "",
    ...omitUndefined({ release, environment, browser, isSilent200, noise, userSketch }),
  };
}
