/**
 * Decodes the two OTLP requests from protobuf to their OTLP/JSON form: names in camelCase, 64-bit
 * numbers as text, trace ids in hex. Contains only the fields that parse-otlp.ts reads.
 * Source: opentelemetry-proto 1.x, as @opentelemetry/otlp-transformer 0.301 writes it:
 * collector/{logs,trace}/v1/*_service.proto, logs/v1/logs.proto, trace/v1/trace.proto,
 * resource/v1/resource.proto, common/v1/common.proto.
 */
import type { Result } from "../../core/result.ts";
import { decodeMessage, type MessageTable, type ProtobufFailure } from "./protobuf.ts";

/**
 * Decodes an `ExportLogsServiceRequest` for `parseOtlpLogs`. Empty bytes are a valid request
 * without logs. Fails as `decodeMessage` does.
 */
export function decodeOtlpLogs(bytes: Uint8Array): Result<unknown, ProtobufFailure> {
  return decodeMessage(bytes, OTLP_MESSAGES, "ExportLogsServiceRequest");
}

/** Decodes an `ExportTraceServiceRequest` for `parseOtlpTraces`. Fails as `decodeMessage` does. */
export function decodeOtlpTraces(bytes: Uint8Array): Result<unknown, ProtobufFailure> {
  return decodeMessage(bytes, OTLP_MESSAGES, "ExportTraceServiceRequest");
}

const OTLP_MESSAGES: MessageTable = {
  ExportLogsServiceRequest: { 1: ["resourceLogs", "ResourceLogs[]"] },
  ResourceLogs: { 1: ["resource", "Resource"], 2: ["scopeLogs", "ScopeLogs[]"] },
  ScopeLogs: { 1: ["scope", "InstrumentationScope"], 2: ["logRecords", "LogRecord[]"] },
  LogRecord: {
    1: ["timeUnixNano", "fixed64"],
    2: ["severityNumber", "enum"],
    3: ["severityText", "string"],
    5: ["body", "AnyValue"],
    6: ["attributes", "KeyValue[]"],
    9: ["traceId", "id"],
    11: ["observedTimeUnixNano", "fixed64"],
    12: ["eventName", "string"],
  },

  ExportTraceServiceRequest: { 1: ["resourceSpans", "ResourceSpans[]"] },
  ResourceSpans: { 1: ["resource", "Resource"], 2: ["scopeSpans", "ScopeSpans[]"] },
  ScopeSpans: { 1: ["scope", "InstrumentationScope"], 2: ["spans", "Span[]"] },
  Span: {
    1: ["traceId", "id"],
    5: ["name", "string"],
    6: ["kind", "enum"],
    9: ["attributes", "KeyValue[]"],
    11: ["events", "Event[]"],
  },
  Event: { 1: ["timeUnixNano", "fixed64"], 2: ["name", "string"], 3: ["attributes", "KeyValue[]"] },

  Resource: { 1: ["attributes", "KeyValue[]"] },
  InstrumentationScope: { 1: ["name", "string"] },
  KeyValue: { 1: ["key", "string"], 2: ["value", "AnyValue"] },
  AnyValue: {
    1: ["stringValue", "string"],
    2: ["boolValue", "bool"],
    3: ["intValue", "int64"],
    4: ["doubleValue", "double"],
    5: ["arrayValue", "ArrayValue"],
    6: ["kvlistValue", "KeyValueList"],
  },
  ArrayValue: { 1: ["values", "AnyValue[]"] },
  KeyValueList: { 1: ["values", "KeyValue[]"] },
};
