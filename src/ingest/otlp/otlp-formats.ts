/**
 * OTLP logs and traces. `/v1/logs` and `/v1/traces` take JSON or protobuf by content type, and
 * respond in the same encoding: an `Export<Signal>ServiceResponse` with 200, a `Status` with
 * failures. Elsewhere OTLP is JSON.
 * Source: OTLP 1.x § OTLP/HTTP Request, Response, Failures;
 * collector/{logs,trace}/v1/*_service.proto; google/rpc/status.proto.
 */
import { ok, type Result } from "../../core/result.ts";
import type { Outcome } from "../../core/stats/outcome.ts";
import {
  type EndpointProtocol,
  type FormatFailure,
  type FormatItems,
  type IngestFormat,
  type ParsedItem,
  type SenderResponse,
  toJsonResponse,
} from "../format/ingest-format.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "./otlp-messages.ts";
import { parseOtlpLogs, parseOtlpTraces } from "./parse-otlp.ts";

const SHARED = {
  expects: "OTLP logs or traces",
  reportFormat: "otlp",
  respond: () => toJsonResponse({}),
} as const;

export const otlpLogs: IngestFormat = {
  ...SHARED,
  name: "otlp-logs",
  items: ["log", "exception"],
  paths: { "otlp-logs": "/v1/logs" },
  detect: (fields) => "resourceLogs" in fields,
  batchMember: "resourceLogs",
  parse: ({ value }) => toFormatItems(parseOtlpLogs(value)),
  selectProtocol: (contentType) =>
    isProtobuf(contentType)
      ? createProtobufProtocol(decodeOtlpLogs)
      : createJsonProtocol("rejectedLogRecords"),
};

export const otlpTraces: IngestFormat = {
  ...SHARED,
  name: "otlp-traces",
  items: ["span", "exception"],
  paths: { "otlp-traces": "/v1/traces" },
  detect: (fields) => "resourceSpans" in fields,
  batchMember: "resourceSpans",
  parse: ({ value }) => toFormatItems(parseOtlpTraces(value)),
  selectProtocol: (contentType) =>
    isProtobuf(contentType)
      ? createProtobufProtocol(decodeOtlpTraces)
      : createJsonProtocol("rejectedSpans"),
};

function toFormatItems(
  items: Result<readonly ParsedItem[], FormatFailure>,
): Result<FormatItems, FormatFailure> {
  return items.ok ? ok({ items: items.value }) : items;
}

const PROTOBUF_TYPE = "application/x-protobuf";

function isProtobuf(contentType: string): boolean {
  return contentType.startsWith(PROTOBUF_TYPE);
}

/** For a person. Clients do not retry rejected items. */
const PARTIAL_SUCCESS = "Some items were not stored. See the Errata-Outcome header.";

/** An empty message if everything was accepted, as specified. */
function countRejected(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ outcome }) => outcome === "invalid" || outcome === "dropped").length;
}

/** `{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"…"}}`; numbers of 64 bits are text. */
function createJsonProtocol(rejectedMember: string): EndpointProtocol {
  return {
    respond({ outcomes }) {
      const rejected = countRejected(outcomes);
      if (rejected === 0) return toJsonResponse({});
      return toJsonResponse({
        partialSuccess: { [rejectedMember]: String(rejected), errorMessage: PARTIAL_SUCCESS },
      });
    },
    fail: (status, detail) => toJsonResponse({ message: detail }, status),
  };
}

/** The fields have the same numbers in both signals. */
function createProtobufProtocol(decode: EndpointProtocol["decode"]): EndpointProtocol {
  return {
    decode,
    respond({ outcomes }) {
      const rejected = countRejected(outcomes);
      if (rejected === 0) return toProtobufResponse([]);
      const message = encodeBytes(BYTES_2, encoder.encode(PARTIAL_SUCCESS));
      const partialSuccess = [VARINT_1, ...encodeVarint(rejected), ...message];
      return toProtobufResponse(encodeBytes(BYTES_1, partialSuccess));
    },
    // OTLP does not use the code of a status.
    fail: (status, detail) =>
      toProtobufResponse(encodeBytes(BYTES_2, encoder.encode(detail)), status),
  };
}

function toProtobufResponse(bytes: readonly number[], status = 200): SenderResponse {
  return {
    status,
    body: Uint8Array.from(bytes),
    headers: { "Content-Type": PROTOBUF_TYPE },
  };
}

const encoder = new TextEncoder();
/** Tags: the number of a field, and its wire type (protobuf.dev › Encoding). */
const VARINT_1 = (1 << 3) | 0;
const BYTES_1 = (1 << 3) | 2;
const BYTES_2 = (2 << 3) | 2;

function encodeBytes(tag: number, bytes: Iterable<number>): readonly number[] {
  const all = [...bytes];
  return [tag, ...encodeVarint(all.length), ...all];
}

/** A whole number below 2⁵³. */
function encodeVarint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
