/**
 * OTLP/HTTP responses in the encoding of the request: an `Export<Signal>ServiceResponse` with 200,
 * a `Status` with failures. Source: OTLP 1.x § OTLP/HTTP Response;
 * collector/{logs,trace}/v1/*_service.proto; google/rpc/status.proto.
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
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
  const writer = new BinaryWriter();
  if (!isPartial) return writer.finish();
  writer.tag(1, WireType.LengthDelimited).fork();
  if (rejected > 0) writer.tag(1, WireType.Varint).int64(rejected);
  if (message !== undefined) writer.tag(2, WireType.LengthDelimited).string(message);
  return writer.join().finish();
}

/** The body of a 4xx or 5xx: a `Status` with only a message; OTLP does not use its code. */
export function createOtlpFailure(
  encoding: OtlpEncoding,
  message: string,
): Uint8Array<ArrayBuffer> | string {
  if (encoding === "json") return JSON.stringify({ message });
  return new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
}
