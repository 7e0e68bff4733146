/**
 * Parses OTLP/JSON, and decoded OTLP/protobuf. Exceptions on log records and span events become
 * reports, and so do messages logged as errors. Everything else is counted: Errata stores neither
 * logs nor traces.
 *
 *     {"resourceLogs":[{"resource":{…},"scopeLogs":[{"scope":{…},"logRecords":[{…}]}]}]}
 *     {"resourceSpans":[{"resource":{…},"scopeSpans":[{"scope":{…},
 *      "spans":[{"events":[{…}], …}]}]}]}
 *
 * An exception is identified by its attributes, never by the event's name, which differs between
 * versions of the conventions.
 * Source: OTLP 1.x § OTLP/HTTP Request; opentelemetry-proto 1.x, logs/v1/logs.proto,
 * trace/v1/trace.proto.
 */

import {
  asList,
  asNumber,
  asRecord,
  asText,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { parseReportLevel } from "../../core/report/level.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import {
  createBoundedParser,
  type FormatFailure,
  type ParsedItem,
  toCountedItem,
  toInvalidItem,
} from "../format/ingest-format.ts";
import { NO_ATTRIBUTES, parseAttributes } from "./otlp-attributes.ts";
import {
  createExceptionReport,
  createMessageReport,
  formatLogBody,
  hasException,
  type OtlpOccurrence,
} from "./otlp-exception.ts";
import { limitAttributes, type OtlpResource, parseResource } from "./otlp-resource.ts";
import { findEndedWorker, isDestinationTest } from "./otlp-worker.ts";

/**
 * Parses the log records of an `ExportLogsServiceRequest`, in order. An exception of any severity
 * is an error, a record of severity ERROR and above is a message, all others are counted. Fails
 * above `limits.maxOtlpItems` records.
 */
export function parseOtlpLogs(value: unknown): Result<readonly ParsedItem[], FormatFailure> {
  const items = listItems(value, "resourceLogs", "scopeLogs", "logRecords");
  if (items.length > limits.maxOtlpItems) return failTooMany("log records");
  const parseBounded = createBoundedParser();
  return ok(items.map((item, index) => parseLogRecord(item, index, parseBounded)));
}

/**
 * Parses the exceptions of an `ExportTraceServiceRequest`, in order; a span without any is counted.
 * Fails above `limits.maxOtlpItems` spans.
 */
export function parseOtlpTraces(value: unknown): Result<readonly ParsedItem[], FormatFailure> {
  const items = listItems(value, "resourceSpans", "scopeSpans", "spans");
  if (items.length > limits.maxOtlpItems) return failTooMany("spans");
  const serverSpans = findServerSpans(items);
  const parseBounded = createBoundedParser();
  return ok(items.flatMap((item, index) => parseSpan(item, index, serverSpans, parseBounded)));
}

function failTooMany(itemName: string): Result<never, FormatFailure> {
  const expected = `at most ${limits.maxOtlpItems} ${itemName} in a request`;
  return fail({ reason: "too-many-items", expected });
}

/** An undecoded log record or span, with the data of its group. */
interface OtlpItem {
  readonly value: unknown;
  readonly resource: OtlpResource;
  readonly scope: unknown;
}

function listItems(value: unknown, resources: string, scopes: string, records: string): OtlpItem[] {
  return filterRecords(asList(asRecord(value)?.[resources])).flatMap((group) => {
    const resource = parseResource(group.resource);
    return filterRecords(asList(group[scopes])).flatMap((member) => {
      const scope = asRecord(member.scope)?.name;
      return asList(member[records]).map((item) => ({ value: item, resource, scope }));
    });
  });
}

type ParseBounded = ReturnType<typeof createBoundedParser>;

function parseLogRecord(
  { value, resource, scope }: OtlpItem,
  index: number,
  parseBounded: ParseBounded,
): ParsedItem {
  const record = asRecord(value);
  if (record === undefined)
    return toInvalidItem("log", "not-an-object", "log record: a JSON object");
  if (isDestinationTest(resource.attributes)) return toCountedItem("log");
  const attributes = parseAttributes(record.attributes);
  const isException = hasException(attributes);
  const level = toLevel(record);
  if (!isException && level !== "error" && level !== "fatal") return toCountedItem("log");
  const body = formatLogBody(record.body);
  const message = body ?? asText(record.eventName);
  if (!isException && message === undefined) {
    return toInvalidItem(
      "log",
      "missing-field",
      "log record: a body, an eventName or an exception",
    );
  }
  const occurrence: OtlpOccurrence = {
    resource,
    attributes,
    request: NO_ATTRIBUTES,
    times: [record.timeUnixNano, record.observedTimeUnixNano],
    traceId: record.traceId,
    level: level ?? "error",
    tags: [
      ["scope", scope],
      ["event", record.eventName],
    ],
    detail: { body: isException ? body : undefined },
    indexPath: `log ${index}`,
  };
  return parseBounded("log", () =>
    isException
      ? createExceptionReport(occurrence)
      : createMessageReport(occurrence, message ?? ""),
  );
}

function parseSpan(
  { value, resource, scope }: OtlpItem,
  index: number,
  serverSpans: ReadonlyMap<unknown, JsonFields>,
  parseBounded: ParseBounded,
): readonly ParsedItem[] {
  const span = asRecord(value);
  if (span === undefined) return [toInvalidItem("span", "not-an-object", "span: a JSON object")];
  const thrown = filterRecords(asList(span.events))
    .map((event) => ({ event, attributes: parseAttributes(event.attributes) }))
    .filter(({ attributes }) => hasException(attributes));
  const spanAttributes = parseAttributes(span.attributes);
  const ended =
    thrown.length > 0
      ? undefined
      : findEndedWorker(new Map([...resource.attributes, ...spanAttributes]));
  if (thrown.length === 0 && ended === undefined) return [toCountedItem("span")];
  const exceptions: readonly SpanException[] =
    ended === undefined ? thrown : [{ event: { timeUnixNano: span.endTimeUnixNano }, ...ended }];
  const request =
    isServerSpan(span) || ended !== undefined
      ? spanAttributes
      : parseAttributes(serverSpans.get(span.traceId)?.attributes);
  return exceptions.map(({ event, attributes, fingerprint }, at) =>
    parseBounded("exception", () =>
      createExceptionReport({
        resource,
        attributes,
        fingerprint,
        request,
        times: [event.timeUnixNano],
        traceId: span.traceId,
        level: "error",
        tags: [
          ["scope", scope],
          ["span", span.name],
          ["event", event.name === "exception" ? undefined : event.name],
        ],
        detail: { span: limitAttributes(spanAttributes) },
        indexPath: `span ${index}.${at}`,
      }),
    ),
  );
}

/** An exception of a span. */
type SpanException = Pick<OtlpOccurrence, "attributes" | "fingerprint"> & {
  readonly event: JsonFields;
};

/** Server spans by trace. Exceptions are recorded also on the spans below them. */
function findServerSpans(items: readonly OtlpItem[]): ReadonlyMap<unknown, JsonFields> {
  const spans = filterRecords(items.map(({ value }) => value)).filter(isServerSpan);
  return new Map(spans.map((span) => [span.traceId, span]));
}

const SPAN_KIND_SERVER = 2;

/** HTTP attributes of a client span describe an outgoing request. */
function isServerSpan(span: JsonFields): boolean {
  return asNumber(span.kind) === SPAN_KIND_SERVER;
}

/** Four numbers per level, from 1: TRACE, DEBUG, INFO, WARN, ERROR, FATAL. */
const LEVELS = ["trace", "debug", "info", "warning", "error", "fatal"];
const SEVERITIES_PER_LEVEL = 4;

/** The level by number, or by the sender's text. Undefined if unknown. */
function toLevel({ severityNumber, severityText }: JsonFields): string | undefined {
  const number = asNumber(severityNumber) ?? 0;
  if (number > 0) return LEVELS[Math.floor((number - 1) / SEVERITIES_PER_LEVEL)];
  return parseReportLevel(asText(severityText) ?? "");
}
