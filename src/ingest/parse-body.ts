/** Parses a body of any format into items. */

import type { JsonFields } from "../core/decode/as-type.ts";
import type { ReportId } from "../core/report.ts";
import { assertNever, fail, ok, type Result } from "../core/result.ts";
import { parseReporterBody, readPageToken } from "./browser/errata-reporter.ts";
import { parseLegacyCspReport } from "./browser/legacy-csp-report.ts";
import { parseReportingApi, type TooManyBrowserReports } from "./browser/reporting-api.ts";
import { parseSecurityReport } from "./browser/security-report.ts";
import {
  type DetectedBody,
  type DetectFailure,
  detectFormat,
  type IngestFormat,
  parseEnvelopeHeader,
} from "./detect-format.ts";
import type { ParsedItem } from "./items/item-outcome.ts";
import { isMinidumpUpload, parseMinidumpUpload } from "./minidump/minidump-upload.ts";
import { parseNextRequestError } from "./next-request-error.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "./otlp/otlp-messages.ts";
import type { OtlpSignal } from "./otlp/otlp-response.ts";
import { parseOtlpLogs, parseOtlpTraces, type TooManyOtlpItems } from "./otlp/parse-otlp.ts";
import type { ProtobufFailure } from "./otlp/protobuf.ts";
import type { EnvelopeFailure } from "./sentry/envelope.ts";
import { parseSentryEnvelope } from "./sentry/envelope-items.ts";
import { parseSentryEvent } from "./sentry/sentry-event.ts";

/** Parameters of parsing besides the bytes. */
export interface ParseOptions {
  /** When the body was received. */
  readonly nowMs: number;
  /** The bytes are OTLP as protobuf, which only path and content type reveal. */
  readonly protobufSignal?: OtlpSignal;
  /** The first line of the bytes, if it was decoded before. */
  readonly firstLine?: JsonFields;
  /** The limit of which the body had more bytes. The bytes are its beginning. */
  readonly cutBy?: CutBodyFailure;
}

/** A body over the limit of this name; `max` is in bytes. */
export interface CutBodyFailure {
  readonly reason: "too-large";
  readonly limit: "maxBodyBytes" | "maxInflatedBytes" | "maxKeylessBodyBytes";
  readonly max: number;
}

interface ParsedBody {
  readonly format: IngestFormat;
  /** One per item, in order. */
  readonly items: readonly ParsedItem[];
  /** The event id that the response to a Sentry SDK repeats. */
  readonly id?: ReportId;
  readonly pageToken?: string;
}

/**
 * Why nothing of a body could be parsed. `expected` is for the sender and quotes nothing of the
 * body.
 */
export type ParseFailure =
  | CutBodyFailure
  | DetectFailure
  | EnvelopeFailure
  | ProtobufFailure
  | TooManyBrowserReports
  | TooManyOtlpItems;

/**
 * The items of a body of at most `limits.maxInflatedBytes`, invalid ones included. Fails only if no
 * item can be parsed, with the failure of the format's parser. Of the beginning of a larger body,
 * only an envelope can be parsed, and only if it has a complete report.
 */
export function parseBody(
  bytes: Uint8Array,
  options: ParseOptions,
): Result<ParsedBody, ParseFailure> {
  const { protobufSignal, firstLine, nowMs, cutBy } = options;
  if (cutBy !== undefined) return parseCutBody(bytes, cutBy, options);
  const detected =
    protobufSignal === undefined
      ? detectFormat(bytes, firstLine)
      : decodeOtlp(bytes, protobufSignal);
  if (!detected.ok) return detected;
  const { format } = detected.value;
  const result = parseByFormat(bytes, detected.value, nowMs);
  return result.ok ? ok({ ...result.value, format }) : result;
}

function parseCutBody(
  bytes: Uint8Array,
  cutBy: CutBodyFailure,
  { protobufSignal, firstLine, nowMs }: ParseOptions,
): Result<ParsedBody, CutBodyFailure> {
  if (protobufSignal === undefined && isMinidumpUpload(bytes)) {
    const items = parseMinidumpUpload(bytes, true);
    const hasReport = items?.some((item) => "report" in item);
    return items && hasReport ? ok({ items, format: "minidump" }) : fail(cutBy);
  }
  const knownHeader =
    protobufSignal === undefined ? parseEnvelopeHeader(bytes, firstLine) : undefined;
  const envelope = knownHeader && parseSentryEnvelope(bytes, { knownHeader, nowMs, isCut: true });
  const hasReport = envelope?.ok && envelope.value.items.some((item) => "report" in item);
  return hasReport ? ok({ ...envelope.value, format: "sentry-envelope" }) : fail(cutBy);
}

type BodyItems = Omit<ParsedBody, "format">;

function decodeOtlp(bytes: Uint8Array, signal: OtlpSignal): Result<DetectedBody, ProtobufFailure> {
  const decoded = signal === "logs" ? decodeOtlpLogs(bytes) : decodeOtlpTraces(bytes);
  return decoded.ok ? ok({ format: `otlp-${signal}`, value: decoded.value }) : decoded;
}

function parseByFormat(
  bytes: Uint8Array,
  detected: DetectedBody,
  nowMs: number,
): Result<BodyItems, EnvelopeFailure | TooManyBrowserReports | TooManyOtlpItems> {
  switch (detected.format) {
    case "sentry-envelope":
      return parseSentryEnvelope(bytes, { knownHeader: detected.header, nowMs });
    case "minidump": {
      const items = parseMinidumpUpload(bytes);
      return items
        ? ok({ items })
        : fail({ reason: "framing", expected: "a form with a minidump" });
    }
    case "sentry-event":
      return ok({ items: [parseSentryEvent(detected.value)] });
    case "reporting-api":
      return toBodyItems(parseReportingApi(detected.value, nowMs));
    case "csp-report":
      return ok({ items: parseLegacyCspReport(detected.value) });
    case "security-report":
      return ok({ items: parseSecurityReport(detected.value) });
    case "reporter":
      return ok({ items: parseReporterBody(detected.value), ...readPageToken(detected.value) });
    case "next":
      return ok({ items: parseNextRequestError(detected.value) });
    case "otlp-logs":
      return toBodyItems(parseOtlpLogs(detected.value));
    case "otlp-traces":
      return toBodyItems(parseOtlpTraces(detected.value));
    default:
      return assertNever(detected, ok({ items: [] }));
  }
}

function toBodyItems<E extends { readonly reason: string }>(
  items: Result<readonly ParsedItem[], E>,
): Result<BodyItems, E> {
  return items.ok ? ok({ items: items.value }) : items;
}
