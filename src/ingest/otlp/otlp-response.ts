/**
 * OTLP/HTTP responses in the encoding of the request: an `Export<Signal>ServiceResponse` with 200,
 * a `Status` with failures. Source: OTLP 1.x § OTLP/HTTP Response;
 * collector/{logs,trace}/v1/*_service.proto; google/rpc/status.proto.
 */
import { omitUndefined } from "../../core/omit-undefined.ts";

/** The contents of a request. */
export type OtlpSignal = "logs" | "traces";
/** `application/json` or `application/x-protobuf`; the response uses the same. */
type OtlpEncoding = "json" | "protobuf";

/**
 * The body of a 200. Empty if nothing was rejected, as specified. A `message` alone is a warning.
 * Clients do not retry rejected items.
 *
 *     {"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"…"}}
 */
export function createOtlpResponse(
  signal: OtlpSignal,
  encoding: OtlpEncoding,
  rejected: number,
  message?: string,
): Uint8Array<ArrayBuffer> | string {
  const isPartial = rejected > 0 || message !== undefined;
  if (encoding === "json") {
    const name = signal === "logs" ? "rejectedLogRecords" : "rejectedSpans";
    const members = omitUndefined({ [name]: String(rejected), errorMessage: message });
    return JSON.stringify(isPartial ? { partialSuccess: members } : {});
  }
  if (!isPartial) return new Uint8Array();
  const rejectedCount = rejected > 0 ? [VARINT_1, ...encodeVarint(rejected)] : [];
  const errorMessage = message === undefined ? [] : encodeBytes(BYTES_2, encoder.encode(message));
  return Uint8Array.from(encodeBytes(BYTES_1, [...rejectedCount, ...errorMessage]));
}

/** The body of a 4xx or 5xx: a `Status` with only a message; OTLP does not use its code. */
export function createOtlpFailure(
  encoding: OtlpEncoding,
  message: string,
): Uint8Array<ArrayBuffer> | string {
  if (encoding === "json") return JSON.stringify({ message });
  return Uint8Array.from(encodeBytes(BYTES_2, encoder.encode(message)));
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
