/**
 * One line of an export, read again. What it says is stored from what was understood of it and not from the line, so that nothing
 * unchecked comes in.
 *
 *     {"errata":1,"project":"1","exportedAt":"…"}                  the first line
 *     {"v":1,"id":"…","digest":"7F3K-Q2M9",…}                      a report
 *     {"rollup":1,"summary":{…},"occurrences":480,"lastAtMs":…,"ids":["…",…]}   reports without bodies
 *     {"daily":1,"day":"2026-11-21","counters":[…],"ids":["…"]}    counters of a day
 *     {"decision":1,"digest":"7F3K-Q2M9","v":1,"state":"muted",…}  what people decided
 *     {"annotations":1,"digest":"7F3K-Q2M9","v":1,"activity":[…],…}    what they added
 *     {"view":1,"name":"…","query":"is:open","sort":"last"}        a view of the list
 *     {"end":1,"lines":1234}                                       the last line: so many stand between
 */

import type { TriageRecord } from "../core/issue/triage-record.ts";
import { limits } from "../core/limits.ts";
import type { ImportLine } from "../core/ports/storage-ports.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { ScrubSettings } from "../core/scrubbing/scrub.ts";
import { asRecord } from "../ingest/decode/as-type.ts";
import { parseJson } from "../ingest/decode/parse-json.ts";
import { parseDailyCounters, parseRollup } from "./exported-counters.ts";
import { parseExportedReport } from "./exported-report.ts";
import { parseAnnotations, parseIssueDecision, parseSavedView } from "./exported-triage.ts";
import { failMismatch, nonNegativeInteger, type SchemaMismatch } from "./schema.ts";

/** What a line of an export is. */
export type ExportLine =
  | { readonly kind: "first" }
  | { readonly kind: "stored"; readonly line: ImportLine }
  | TriageRecord
  | { readonly kind: "last"; readonly lineCount: number };

/** Why a line is none of an export: what the line, or the member `at` of it, was expected to be. Nothing of it is quoted. */
export interface ExportLineFailure {
  readonly reason: "not-an-export" | "too-large";
  readonly path: string;
  readonly expected: string;
}

const EXPECTED_LINE = "a line of an export";

/**
 * What stands in one line, at most `limits.maxExportedLineBytes` bytes without its end. Never throws. A line of a version that is
 * not known is none.
 */
export function parseExportLine(
  bytes: Uint8Array,
  scrub: ScrubSettings,
): Result<ExportLine, ExportLineFailure> {
  const json = parseJson(bytes, limits.maxExportedLineBytes);
  if (!json.ok)
    return json.reason === "too-large" ? failTooLarge() : failNotExportLine(EXPECTED_LINE);
  const fields = asRecord(json.value) ?? {};
  const result = parseFields(fields, scrub);
  if (result === undefined) return failNotExportLine(EXPECTED_LINE);
  if (!result.ok) return failNotExportLine(result.expected, result.path);
  const { value } = result;
  return value.kind === "stored" && isLineTooLong(value.line.line) ? failTooLarge() : ok(value);
}

function parseFields(
  fields: Readonly<Record<string, unknown>>,
  scrub: ScrubSettings,
): Result<ExportLine, SchemaMismatch> | undefined {
  if (fields.errata === 1) return ok({ kind: "first" });
  if (fields.decision === 1) {
    const result = parseIssueDecision(fields);
    return result.ok ? ok({ kind: "decision", decision: result.value }) : result;
  }
  if (fields.annotations === 1) {
    const result = parseAnnotations(fields);
    return result.ok ? ok({ kind: "annotations", ...result.value }) : result;
  }
  if (fields.view === 1) {
    const result = parseSavedView(fields);
    return result.ok ? ok({ kind: "view", view: result.value }) : result;
  }
  if (fields.end === 1) {
    const result = nonNegativeInteger(fields.lines);
    return result.ok
      ? ok({ kind: "last", lineCount: result.value })
      : failMismatch(result.expected, "lines");
  }
  if (fields.rollup === 1) {
    const result = parseRollup(fields, scrub);
    return result.ok
      ? toStoredLine({ rollup: 1, ...result.value.value }, result.value.ids)
      : result;
  }
  if (fields.daily === 1) {
    const result = parseDailyCounters(fields);
    return result.ok ? toStoredLine({ daily: 1, ...result.value.value }, result.value.ids) : result;
  }
  if (fields.v === 1) {
    const result = parseExportedReport(fields, scrub);
    return result.ok ? toStoredLine(result.value, [result.value.id]) : result;
  }
  return undefined;
}

/** The line as the log writes it. */
function toStoredLine(value: object, ids: readonly string[]): Result<ExportLine, SchemaMismatch> {
  return ok({ kind: "stored", line: { line: JSON.stringify(value), ids } });
}

const encoder = new TextEncoder();

/** Bytes that were no UTF-8 are three each now. */
function isLineTooLong(line: string): boolean {
  const max = limits.maxExportedLineBytes;
  return line.length * 3 > max && encoder.encode(line).length > max;
}

function failNotExportLine(expected: string, at = ""): Result<never, ExportLineFailure> {
  return fail({ reason: "not-an-export", path: at, expected });
}

function failTooLarge(): Result<never, ExportLineFailure> {
  const expected = `at most ${limits.maxExportedLineBytes} bytes long`;
  return fail({ reason: "too-large", path: "", expected });
}
