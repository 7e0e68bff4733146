/**
 * Parses one line of an export. The stored line is serialized from the parsed value, never copied
 * from the input, so nothing unchecked is stored.
 *
 *     {"errata":1,"project":"1","exportedAt":"…","source":"…"}        header
 *     {"v":1,"id":"…","digest":"7F3K-Q2M9",…}                         a report
 *     {"rollup":1,"summary":{…},"occurrences":480,"lastAtMs":…,…}     reports without bodies
 *     {"daily":1,"day":"2026-11-21","counters":[…],"ids":["…"]}       counters of a day
 *     {"decision":1,"digest":"7F3K-Q2M9","v":1,"state":"muted",…}     a decision
 *     {"annotations":1,"digest":"7F3K-Q2M9","v":1,"activity":[…],…}   annotations of an issue
 *     {"view":1,"name":"…","query":"is:open","sort":"last"}           a saved view
 *     {"repositorySettings":1,"v":1,"repositories":[…],…}             repositories and rules of owners
 *     {"codeOwners":1,"v":1,"files":[…]}                              CODEOWNERS
 *     {"end":1,"lines":1234}                                          footer: the number of lines
 *     {"next":"…","lines":1234}                                       footer, the export continues
 */

import { asRecord, asText } from "../core/decode/as-type.ts";
import { parseJson } from "../core/decode/parse-json.ts";
import { annotationsSchema } from "../core/issue/annotations.ts";
import { decisionSchema } from "../core/issue/issue.ts";
import { upgradeAnnotations, upgradeDecision } from "../core/issue/issue-versions.ts";
import { savedViewSchema } from "../core/issue/saved-view.ts";
import type { TriageRecord } from "../core/issue/triage-record.ts";
import { limits } from "../core/limits.ts";
import type { ImportLine } from "../core/ports/storage-ports.ts";
import {
  codeOwnersFilesSchema,
  type RepositorySettings,
  repositorySettingsSchema,
} from "../core/repositories/repository.ts";
import { parseRepository } from "../core/repositories/repository-hosts.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { code, count, storedObject } from "../core/schema/stored-object.ts";
import type { ScrubSettings } from "../core/scrubbing/scrub.ts";
import { parseDailyCounters, parseRollup } from "./exported-counters.ts";
import { parseExportedReport } from "./exported-report.ts";
import { decodeImported, type SchemaMismatch } from "./import-rules.ts";

export type ExportLine =
  | { readonly kind: "header"; readonly source?: string }
  | { readonly kind: "stored"; readonly line: ImportLine }
  | TriageRecord
  | { readonly kind: "footer"; readonly lineCount: number };

/** Why a line was rejected: what was expected, and at which path. Quotes nothing of the line. */
export interface ExportLineFailure {
  readonly reason: "not-an-export" | "too-large";
  readonly path: string;
  readonly expected: string;
}

const targetSchema = storedObject({ digest: code("digest") });
const footerSchema = storedObject({ lines: count });

const EXPECTED_LINE = "a line of an export";

/**
 * Parses one line of at most `limits.maxExportedLineBytes` bytes, without its line end. Never
 * throws. Rejects unknown versions.
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
  if (fields.errata === 1) {
    const source = asText(fields.source);
    return ok({ kind: "header", source });
  }
  // The digest is next to the members of what is stored.
  if (fields.decision === 1) {
    const target = decodeImported(targetSchema, fields);
    if (!target.ok) return target;
    const decision = decodeImported(decisionSchema, upgrade(fields, upgradeDecision));
    if (!decision.ok) return decision;
    return ok({ kind: "decision", decision: { ...target.value, decision: decision.value } });
  }
  if (fields.annotations === 1) {
    const target = decodeImported(targetSchema, fields);
    if (!target.ok) return target;
    const annotations = decodeImported(annotationsSchema, upgrade(fields, upgradeAnnotations));
    if (!annotations.ok) return annotations;
    return ok({ kind: "annotations", ...target.value, annotations: annotations.value });
  }
  if (fields.view === 1) {
    const view = decodeImported(savedViewSchema, fields);
    return view.ok ? ok({ kind: "view", view: view.value }) : view;
  }
  if (fields.repositorySettings === 1) {
    const settings = decodeImported(repositorySettingsSchema, fields);
    return settings.ok
      ? ok({ kind: "repositories", settings: checkSettings(settings.value) })
      : settings;
  }
  if (fields.codeOwners === 1) {
    const codeOwners = decodeImported(codeOwnersFilesSchema, fields);
    return codeOwners.ok ? ok({ kind: "code-owners", codeOwners: codeOwners.value }) : codeOwners;
  }
  if (fields.end === 1 || typeof fields.next === "string") {
    const footer = decodeImported(footerSchema, fields);
    return footer.ok ? ok({ kind: "footer", lineCount: footer.value.lines }) : footer;
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

type Fields = Readonly<Record<string, unknown>>;

/** The fields in version 2. */
function upgrade(fields: Fields, step: (fields: Fields) => Fields): Fields {
  return fields.v === 1 ? { ...step(fields), v: 2 } : fields;
}

/** The settings without repositories whose addresses Errata would not accept from a person. */
function checkSettings(settings: RepositorySettings): RepositorySettings {
  const repositories = settings.repositories.flatMap(({ id, ...entered }) => {
    const parsed = parseRepository(entered);
    return parsed.ok ? [{ id, ...parsed.value }] : [];
  });
  return { ...settings, repositories };
}

/** The line as the log stores it. */
function toStoredLine(value: object, ids: readonly string[]): Result<ExportLine, SchemaMismatch> {
  return ok({ kind: "stored", line: { line: JSON.stringify(value), ids } });
}

const encoder = new TextEncoder();

/** Checked again: each invalid byte became U+FFFD, which takes three. */
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
