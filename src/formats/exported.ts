/**
 * One line of an export, read again. What it says is stored from what was understood of it and not from the line, so that nothing
 * unchecked comes in.
 *
 *     {"errata":1,"project":"1","exportedAt":"…"}                  the first line
 *     {"v":1,"id":"…","digest":"7F3K-Q2M9",…}                      a report
 *     {"sum":1,"mark":{…},"times":480,"untilMs":…,"ids":["…",…]}   reports whose bodies are not kept
 *     {"tally":1,"day":"2026-11-21","tallies":[…],"ids":["…"]}     what else was counted
 *     {"decision":1,"digest":"7F3K-Q2M9","v":1,"state":"muted",…}  what people decided
 *     {"notes":1,"digest":"7F3K-Q2M9","v":1,"activity":[…],…}    what they added
 *     {"view":1,"name":"…","query":"is:open","sort":"last"}        a view of the list
 *     {"end":1,"lines":1234}                                       the last line: so many stand between
 */
import { limits } from "../core/limits.ts";
import type { RestoredLine } from "../core/ports.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { Said } from "../core/said.ts";
import type { ScrubSettings } from "../core/scrub.ts";
import { recordOf } from "./decode.ts";
import { readSum, readTallies } from "./exported-counts.ts";
import { readReport } from "./exported-report.ts";
import { readDecision, readNotes, readView } from "./exported-said.ts";
import { type Unlike, unlike, whole } from "./exported-shape.ts";
import { readJson } from "./json.ts";

/** What a line of an export is. */
export type Exported =
  | { readonly is: "first" }
  | { readonly is: "kept"; readonly restored: RestoredLine }
  | Said
  | { readonly is: "last"; readonly lines: number };

/** Why a line is none of an export: what the line, or the member `at` of it, was expected to be. Nothing of it is quoted. */
export interface ExportedFailure {
  readonly reason: "not-exported" | "too-large";
  readonly at: string;
  readonly expected: string;
}

const ANY_LINE = "a line of an export";

/**
 * What stands in one line, at most `limits.maxExportedLineBytes` bytes without its end. Never throws. A line of a version that is
 * not known is none.
 */
export function readExported(
  bytes: Uint8Array,
  scrub: ScrubSettings,
): Result<Exported, ExportedFailure> {
  const json = readJson(bytes, limits.maxExportedLineBytes);
  if (!json.ok) return json.reason === "too-large" ? tooLarge() : notExported(ANY_LINE);
  const fields = recordOf(json.value) ?? {};
  const read = readFields(fields, scrub);
  if (read === undefined) return notExported(ANY_LINE);
  if (!read.ok) return notExported(read.expected, read.at);
  const { value } = read;
  return value.is === "kept" && isTooLong(value.restored.line) ? tooLarge() : ok(value);
}

function readFields(
  fields: Readonly<Record<string, unknown>>,
  scrub: ScrubSettings,
): Result<Exported, Unlike> | undefined {
  if (fields.errata === 1) return ok({ is: "first" });
  if (fields.decision === 1) {
    const read = readDecision(fields);
    return read.ok ? ok({ is: "decision", decided: read.value }) : read;
  }
  if (fields.notes === 1) {
    const read = readNotes(fields);
    return read.ok ? ok({ is: "notes", ...read.value }) : read;
  }
  if (fields.view === 1) {
    const read = readView(fields);
    return read.ok ? ok({ is: "view", view: read.value }) : read;
  }
  if (fields.end === 1) {
    const read = whole(fields.lines);
    return read.ok ? ok({ is: "last", lines: read.value }) : unlike(read.expected, "lines");
  }
  if (fields.sum === 1) {
    const read = readSum(fields, scrub);
    return read.ok ? kept({ sum: 1, ...read.value.counted }, read.value.ids) : read;
  }
  if (fields.tally === 1) {
    const read = readTallies(fields);
    return read.ok ? kept({ tally: 1, ...read.value.counted }, read.value.ids) : read;
  }
  if (fields.v === 1) {
    const read = readReport(fields, scrub);
    return read.ok ? kept(read.value, [read.value.id]) : read;
  }
  return undefined;
}

/** The line as the log writes it. */
function kept(value: object, ids: readonly string[]): Result<Exported, Unlike> {
  return ok({ is: "kept", restored: { line: JSON.stringify(value), ids } });
}

const encoder = new TextEncoder();

/** Bytes that were no UTF-8 are three each now. */
function isTooLong(line: string): boolean {
  const max = limits.maxExportedLineBytes;
  return line.length * 3 > max && encoder.encode(line).length > max;
}

function notExported(expected: string, at = ""): Result<never, ExportedFailure> {
  return fail({ reason: "not-exported", at, expected });
}

function tooLarge(): Result<never, ExportedFailure> {
  const expected = `at most ${limits.maxExportedLineBytes} bytes long`;
  return fail({ reason: "too-large", at: "", expected });
}
