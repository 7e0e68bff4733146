/**
 * Detects the format of a body from its contents. The `Content-Type` is ignored: browser SDKs send
 * envelopes as `text/plain` or without a type. Never throws.
 */

import { asRecord, type JsonFields } from "../core/decode/as-type.ts";
import { decodeText, type JsonFailure, parseJson } from "../core/decode/parse-json.ts";
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { findSecurityReportName } from "./browser/security-report.ts";
import { isMinidumpUpload } from "./minidump/minidump-upload.ts";
import { parseHeaderLine } from "./sentry/envelope.ts";

/** A wire format that ingest accepts. */
export type IngestFormat =
  | "sentry-envelope"
  | "sentry-event"
  | "minidump"
  | "reporting-api"
  | "csp-report"
  | "security-report"
  | "reporter"
  | "next"
  | "otlp-logs"
  | "otlp-traces";

/** The format, and the values decoded to detect it: the whole JSON if the body is one document. */
export type DetectedBody =
  | {
      readonly format: "sentry-envelope";
      /** The header line, if it was decoded. */
      readonly header?: JsonFields;
    }
  | { readonly format: "minidump" }
  | {
      readonly format: Exclude<IngestFormat, "sentry-envelope" | "minidump">;
      readonly value: unknown;
    };

/** Why no format was detected. `expected` is a sentence for the sender. */
export type DetectFailure =
  | JsonFailure
  | { readonly reason: "unknown-format"; readonly expected: string };

const EXPECTED_FORMATS =
  "a Sentry envelope or event, an array of browser reports, a csp-report object, " +
  "a minidump, a Next.js onRequestError body, OTLP logs or traces, or a report of Errata's own reporter";

/**
 * The format of a body of at most `limits.maxInflatedBytes`, and the values decoded to detect it.
 * `firstLine` is its first line, if that was decoded before. Fails with `unknown-format`, or as
 * `parseJson` does.
 */
export function detectFormat(
  bytes: Uint8Array,
  firstLine?: JsonFields,
): Result<DetectedBody, DetectFailure> {
  if (isMinidumpUpload(bytes)) return ok({ format: "minidump" });
  const start = getFirstChar(bytes);
  const header = start === "{" ? parseEnvelopeHeader(bytes, firstLine) : undefined;
  if (header !== undefined) return ok({ format: "sentry-envelope", header });
  if (start !== "{" && start !== "[") return failUnknownFormat();
  // Arrays and OTLP contain many items, whose decoding is limited; any other object is one item.
  const isBatch = start === "[" || OTLP_START.test(decodeText(bytes.subarray(0, OTLP_START_BYTES)));
  const json = parseJson(bytes, isBatch ? limits.maxInflatedBytes : limits.maxItemBytes);
  if (!json.ok)
    return fail({ reason: json.reason, expected: `${json.expected}, as ${EXPECTED_FORMATS}` });
  if (start === "[") return ok({ format: "reporting-api", value: json.value });
  const fields = asRecord(json.value);
  const format = fields === undefined ? undefined : detectJsonFormat(fields);
  if (format === undefined) return failUnknownFormat();
  return ok(format === "sentry-envelope" ? { format } : { format, value: json.value });
}

/** Exporters write this member first. */
const OTLP_START = /^\s*\{\s*"resource(?:Logs|Spans)"/;
const OTLP_START_BYTES = 200;

function failUnknownFormat(): Result<DetectedBody, DetectFailure> {
  return fail({ reason: "unknown-format", expected: EXPECTED_FORMATS });
}

/** The format of one JSON object; most specific members first. */
function detectJsonFormat(fields: JsonFields): Exclude<IngestFormat, "minidump"> | undefined {
  if ("resourceLogs" in fields) return "otlp-logs";
  if ("resourceSpans" in fields) return "otlp-traces";
  if ("errata" in fields) return "reporter";
  if ("csp-report" in fields) return "csp-report";
  if (findSecurityReportName(fields) !== undefined) return "security-report";
  if ("type" in fields && "body" in fields) return "reporting-api";
  if (isNextRequestError(fields)) return "next";
  if (isBareError(fields)) return undefined;
  if (EVENT_MEMBERS.some((member) => member in fields)) return "sentry-event";
  return isEnvelopeHeader(fields) ? "sentry-envelope" : undefined;
}

/** An `onRequestError` body: an error besides the request and the context. */
function isNextRequestError(fields: JsonFields): boolean {
  const hasError = "error" in fields || "message" in fields;
  const context = asRecord(fields.context) ?? asRecord(fields.request);
  return hasError && ("context" in fields || "error" in fields) && context !== undefined;
}

/** `{"name":…,"message":…,"stack":…}`. Parsed as an event, it would lose its stack. */
function isBareError(fields: JsonFields): boolean {
  return typeof fields.stack === "string" && !("exception" in fields);
}

/** Members of an event that no envelope header has. */
const EVENT_MEMBERS = [
  "exception",
  "logentry",
  "message",
  "platform",
  "timestamp",
  "level",
  "stacktrace",
  "threads",
  "contexts",
  "transaction",
  "culprit",
  "request",
  "breadcrumbs",
  "tags",
  "extra",
  "user",
];

const HEADER_MEMBERS = ["event_id", "sent_at", "dsn", "sdk", "trace"];

/** `{}` is also a header, and a header alone is an empty envelope. */
function isEnvelopeHeader(fields: JsonFields): boolean {
  return Object.keys(fields).length === 0 || HEADER_MEMBERS.some((member) => member in fields);
}

/**
 * The header of an envelope: one JSON object on the first line, followed by an item header, or with
 * members of an envelope header (then the item header is broken). Undefined for any other body.
 */
export function parseEnvelopeHeader(
  bytes: Uint8Array,
  firstLine: JsonFields | undefined,
): JsonFields | undefined {
  const end = bytes.indexOf(0x0a);
  if (end === -1 || getFirstChar(bytes.subarray(end)) === undefined) return undefined;
  const header = firstLine ?? parseHeaderLine(bytes.subarray(0, end));
  if (header === undefined || isEnvelopeHeader(header)) return header;
  const next = bytes.subarray(end + 1);
  const nextEnd = next.indexOf(0x0a);
  const item = parseHeaderLine(nextEnd === -1 ? next : next.subarray(0, nextEnd));
  return typeof item?.type === "string" ? header : undefined;
}

const WHITE_SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The first character after a byte order mark and white space; undefined if there is none. */
function getFirstChar(bytes: Uint8Array): string | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (WHITE_SPACE.has(bytes[at])) at += 1;
  const byte = bytes[at];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}
