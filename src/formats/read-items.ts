/**
 * A body to its items' ends, whatever format it turns out to be in. Here the formats meet; nothing else knows them all.
 */
import type { Parsed } from "../core/outcome.ts";
import type { ReportId } from "../core/report.ts";
import { exhaustive, ok, type Result } from "../core/result.ts";
import { parseCspReport } from "./csp-report.ts";
import { type Detected, type DetectFailure, detect, type Format } from "./detect.ts";
import type { EnvelopeFailure } from "./envelope.ts";
import { parseNextRequestError } from "./next-request-error.ts";
import { parseOtlpLogs, parseOtlpTraces, type TooManyOtlpItems } from "./otlp.ts";
import type { OtlpSignal } from "./otlp-answer.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "./otlp-protobuf.ts";
import type { ProtobufFailure } from "./protobuf.ts";
import { parseReporter } from "./reporter.ts";
import { parseReports, type TooManyReports } from "./reporting-api.ts";
import { parseSentryEnvelope } from "./sentry-envelope.ts";
import { parseSentryEvent } from "./sentry-event.ts";

/** What must be known beside the bytes. */
export interface ReadFacts {
  /** The moment of receipt. */
  readonly nowMs: number;
  /**
   * The bytes are OTLP in protobuf's binary encoding, which cannot be told by looking: the path and the content type say so.
   */
  readonly protobuf?: OtlpSignal;
}

/** A body that was read. */
export interface Items {
  readonly format: Format;
  /** One end an item, in their order. */
  readonly parsed: readonly Parsed[];
  /** The event id that the answer to a Sentry SDK repeats. */
  readonly id?: ReportId;
}

/** Why nothing of a body can be read. `expected` is a sentence for the sender and quotes nothing of the body. */
export type ReadFailure =
  | DetectFailure
  | EnvelopeFailure
  | ProtobufFailure
  | TooManyReports
  | TooManyOtlpItems;

/** The items of a body of at most `limits.maxInflatedBytes`. */
export function readItems(bytes: Uint8Array, facts: ReadFacts): Result<Items, ReadFailure> {
  const { protobuf, nowMs } = facts;
  const detected = protobuf === undefined ? detect(bytes) : decodeOtlp(bytes, protobuf);
  if (!detected.ok) return detected;
  const { format } = detected.value;
  const read = parse(bytes, detected.value, nowMs);
  return read.ok ? ok({ ...read.value, format }) : read;
}

type Read = Omit<Items, "format">;

function decodeOtlp(bytes: Uint8Array, signal: OtlpSignal): Result<Detected, ProtobufFailure> {
  const decoded = signal === "logs" ? decodeOtlpLogs(bytes) : decodeOtlpTraces(bytes);
  return decoded.ok ? ok({ format: `otlp-${signal}`, value: decoded.value }) : decoded;
}

function parse(
  bytes: Uint8Array,
  detected: Detected,
  nowMs: number,
): Result<Read, EnvelopeFailure | TooManyReports | TooManyOtlpItems> {
  switch (detected.format) {
    case "sentry-envelope":
      return parseSentryEnvelope(bytes, detected.header);
    case "sentry-event":
      return ok({ parsed: [parseSentryEvent(detected.value)] });
    case "reporting-api":
      return asRead(parseReports(detected.value, nowMs));
    case "csp-report":
      return ok({ parsed: parseCspReport(detected.value) });
    case "reporter":
      return ok({ parsed: parseReporter(detected.value) });
    case "next":
      return ok({ parsed: parseNextRequestError(detected.value) });
    case "otlp-logs":
      return asRead(parseOtlpLogs(detected.value));
    case "otlp-traces":
      return asRead(parseOtlpTraces(detected.value));
    default:
      return exhaustive(detected, ok({ parsed: [] }));
  }
}

function asRead<E extends { readonly reason: string }>(
  parsed: Result<readonly Parsed[], E>,
): Result<Read, E> {
  return parsed.ok ? ok({ parsed: parsed.value }) : parsed;
}
