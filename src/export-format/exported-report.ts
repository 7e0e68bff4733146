/**
 * Parses an exported report, or the summary of a rollup: checks every member, truncates to the
 * limits and scrubs again, because the line may have been edited. A line that Errata wrote stays
 * unchanged.
 */

import { normalizeAlias } from "../core/lookup/alias.ts";
import { shrinkToLimit } from "../core/processing/fit-to-size.ts";
import type { ReportSummary } from "../core/report/report-summary.ts";
import { type Report, reportSchema } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import type { Rollup } from "../core/sampling/report-sampler.ts";
import { type ScrubSettings, scrubReport } from "../core/scrubbing/scrub.ts";
import { decodeImported, type SchemaMismatch } from "./import-rules.ts";

/** Parses a stored report of version 1, ready to be stored again. */
export function parseExportedReport(
  value: unknown,
  scrub: ScrubSettings,
): Result<Report, SchemaMismatch> {
  const result = decodeImported(reportSchema, value);
  if (!result.ok) return result;
  const report = withValidAliases(result.value);
  const scrubResult = scrubReport<Report>(report, scrub);
  const scrubbedCount = report.scrubbedCount + scrubResult.scrubbedCount;
  return ok(shrinkToLimit({ ...scrubResult.value, ...pickHashes(report), scrubbedCount }));
}

/** The summary of a rollup, ready to be stored again. */
export function scrubSummary(summary: Rollup["summary"], scrub: ScrubSettings): Rollup["summary"] {
  const report = { ...withValidAliases(summary), format: "reporter", frames: [] } as const;
  const { format: _format, frames: _frames, ...scrubResult } = scrubReport(report, scrub).value;
  return { ...scrubResult, ...pickHashes(summary) };
}

/** Keeps only valid foreign codes. */
function withValidAliases<T extends Pick<ReportSummary, "aliases">>(value: T): T {
  if (value.aliases === undefined) return value;
  return { ...value, aliases: value.aliases.flatMap((alias) => normalizeAlias(alias) ?? []) };
}

/** Hashes and ids that look like secrets. */
function pickHashes({
  userSketch,
  networkSketch,
  senderKey,
}: Pick<Report, "userSketch" | "networkSketch" | "senderKey">) {
  return { userSketch, networkSketch, senderKey };
}
