/**
 * Parses a body of any format into items. The body determines the format, not its `Content-Type`:
 * browser SDKs send envelopes as `text/plain` or without a type. Never throws.
 */

import { isControlFlowReport } from "../core/control-flow/control-flow-report.ts";
import { asRecord, type JsonFields } from "../core/decode/as-type.ts";
import { decodeText, type JsonFailure, parseJson } from "../core/decode/parse-json.ts";
import { limits } from "../core/limits.ts";
import { joinWords } from "../core/plain-text.ts";
import type { ParsedReport } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import {
  type EndpointProtocol,
  type FormatFailure,
  type FormatItems,
  type IngestFormat,
  type ParsedItem,
  toDroppedItem,
} from "./format/ingest-format.ts";
import { INGEST_FORMATS } from "./formats.ts";
import { parseFirstLine } from "./sentry/envelope.ts";

/** A body to ingest. */
export interface IngestBody {
  /** At most `limits.maxInflatedBytes`. */
  readonly bytes: Uint8Array;
  /** The first of several lines, if it is a JSON object. */
  readonly firstLine: JsonFields | undefined;
  /** The limit of which the body had more bytes. The bytes are its beginning. */
  readonly cutBy?: CutBodyFailure | undefined;
  /** The format of bytes that only path and content type describe, and their decoder. */
  readonly encoding?: BodyEncoding | undefined;
}

interface BodyEncoding {
  readonly format: IngestFormat;
  readonly decode: NonNullable<EndpointProtocol["decode"]>;
}

/** A body over the limit of this name; `max` is in bytes. */
export interface CutBodyFailure {
  readonly reason: "too-large";
  readonly limit: "maxBodyBytes" | "maxInflatedBytes" | "maxKeylessBodyBytes";
  readonly max: number;
}

/** Why nothing of a body could be parsed. `expected` quotes nothing of the body. */
export type ParseFailure =
  | CutBodyFailure
  | FormatFailure
  | { readonly reason: "unknown-format"; readonly expected: string };

/** A body with its first line decoded. */
export function toIngestBody(bytes: Uint8Array, cutBy?: CutBodyFailure): IngestBody {
  return { bytes, firstLine: parseFirstLine(bytes), cutBy };
}

/** Parameters of parsing besides the body. */
export interface ParseOptions extends RequestContext {
  /** When the body was received. */
  readonly nowMs: number;
  /** Reports of one body that are stored. The others are dropped as `over-count`. */
  readonly maxReports?: number | undefined;
}

/** A parsed body. */
export interface ParsedBody extends FormatItems {
  readonly format: IngestFormat;
}

/**
 * The items of a body, invalid ones included, as `prepareItems` returns them. Fails only if no item
 * can be parsed, with the failure of the format's parser. Of the beginning of a larger body, only
 * complete reports can be parsed, in formats where they come first.
 */
export function parseBody(
  body: IngestBody,
  options: ParseOptions,
): Result<ParsedBody, ParseFailure> {
  const parsed = parseItems(body, options.nowMs);
  if (!parsed.ok) return parsed;
  return ok({ ...parsed.value, items: prepareItems(parsed.value.items, options) });
}

function parseItems(body: IngestBody, nowMs: number): Result<ParsedBody, ParseFailure> {
  const { cutBy } = body;
  const detected = cutBy === undefined ? detectFormat(body) : detectBeginning(body, cutBy);
  if (!detected.ok) return detected;
  const { format, value } = detected.value;
  const isCut = cutBy !== undefined;
  const parsed = format.parse({ ...body, value, nowMs, isCut });
  if (isCut && !(parsed.ok && parsed.value.items.some((item) => "report" in item)))
    return fail(cutBy);
  return parsed.ok ? ok({ ...parsed.value, format }) : parsed;
}

/** A format, and the value decoded to detect it, unless the bytes revealed it. */
interface DetectedFormat {
  readonly format: IngestFormat;
  readonly value?: unknown;
}

function detectBeginning(
  { bytes, firstLine, encoding }: IngestBody,
  cutBy: CutBodyFailure,
): Result<DetectedFormat, CutBodyFailure> {
  const format = encoding === undefined ? findFormatOfBytes(bytes, firstLine) : undefined;
  return format?.parsesBeginning ? ok({ format }) : fail(cutBy);
}

/** The format of a body. Fails with `unknown-format`, or as `parseJson` or its decoder does. */
export function detectFormat({
  bytes,
  firstLine,
  encoding,
}: IngestBody): Result<DetectedFormat, ParseFailure> {
  if (encoding !== undefined) {
    const decoded = encoding.decode(bytes);
    return decoded.ok ? ok({ format: encoding.format, value: decoded.value }) : decoded;
  }
  const formatOfBytes = findFormatOfBytes(bytes, firstLine);
  if (formatOfBytes !== undefined) return ok({ format: formatOfBytes });
  const start = getFirstChar(bytes);
  if (start !== "{" && start !== "[") return failUnknownFormat();
  const isBatch = start === "[" || BATCH_START.test(decodeText(bytes.subarray(0, START_BYTES)));
  const json = parseJson(bytes, isBatch ? limits.maxInflatedBytes : limits.maxItemBytes);
  if (!json.ok) {
    const expected = `${json.expected}, as ${EXPECTED_FORMATS}`;
    return fail<JsonFailure>({ reason: json.reason, expected });
  }
  const fields = asRecord(json.value);
  const format = INGEST_FORMATS.find(({ detect, isList }) =>
    fields === undefined ? isList : detect?.(fields),
  );
  return format === undefined ? failUnknownFormat() : ok({ format, value: json.value });
}

const FORMATS_OF_BYTES = INGEST_FORMATS.filter(({ detectBytes }) => detectBytes !== undefined);

function findFormatOfBytes(
  bytes: Uint8Array,
  firstLine: JsonFields | undefined,
): IngestFormat | undefined {
  return FORMATS_OF_BYTES.find(({ detectBytes }) => detectBytes?.(bytes, firstLine));
}

/** Exporters of batches write this member first. */
const BATCH_MEMBERS = INGEST_FORMATS.flatMap(({ batchMember }) => batchMember ?? []);
const BATCH_START = new RegExp(`^\\s*\\{\\s*"(?:${BATCH_MEMBERS.join("|")})"`);
const START_BYTES = 200;

/** For senders: the formats of SDKs first, which the table has last. */
const EXPECTED_FORMATS = joinWords(
  [...new Set(INGEST_FORMATS.flatMap(({ expects }) => expects ?? []).reverse())],
  "or",
);

function failUnknownFormat(): Result<never, ParseFailure> {
  return fail({ reason: "unknown-format", expected: EXPECTED_FORMATS });
}

const WHITE_SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The first character after a byte order mark and white space; undefined if there is none. */
function getFirstChar(bytes: Uint8Array): string | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (WHITE_SPACE.has(bytes[at])) at += 1;
  const byte = bytes[at];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** What a request says about the browser reports in its body, which often contain none of it. */
export interface RequestContext {
  readonly userAgent?: string | undefined;
  readonly rayId?: string | undefined;
  readonly referer?: string | undefined;
  /** Trace of the visitor's page, and release and environment in the query. */
  readonly defaults?: Pick<ParsedReport, "pageTraceId" | "release" | "environment">;
}

/**
 * The items as they can be admitted: without control flow such as redirects, with at most
 * `maxReports` reports, and with the context of the request.
 */
export function prepareItems(
  items: readonly ParsedItem[],
  options: Omit<ParseOptions, "nowMs"> = {},
): readonly ParsedItem[] {
  const { maxReports = Number.POSITIVE_INFINITY } = options;
  let count = 0;
  return items.map((parsed) => {
    if (!("report" in parsed)) return parsed;
    const { item, report } = parsed;
    if (isControlFlowReport(report)) return toDroppedItem(item, "control-flow");
    count += 1;
    if (count > maxReports) return toDroppedItem(item, "over-count");
    // A browser sends its own report, so the request describes it. A server's does not.
    return report.side === "browser" ? { item, report: addContext(report, options) } : parsed;
  });
}

function addContext(
  report: ParsedReport,
  { userAgent, referer, rayId, defaults }: RequestContext,
): ParsedReport {
  const { request } = report;
  return {
    ...report,
    rayId: report.rayId ?? rayId,
    pageTraceId: report.pageTraceId ?? defaults?.pageTraceId,
    release: report.release ?? defaults?.release,
    environment: report.environment ?? defaults?.environment,
    request:
      (request ?? userAgent ?? referer) === undefined
        ? undefined
        : {
            ...request,
            userAgent: request?.userAgent ?? userAgent,
            url: request?.url ?? referer,
          },
  };
}
