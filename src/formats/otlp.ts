/**
 * OTLP/JSON, and OTLP/protobuf once it is decoded: exceptions on log records and on events of spans become drafts, and so do
 * messages that were logged as errors. Everything else is counted: Errata keeps no logs and no traces.
 *
 *     {"resourceLogs":[{"resource":{…},"scopeLogs":[{"scope":{…},"logRecords":[{…}]}]}]}
 *     {"resourceSpans":[{"resource":{…},"scopeSpans":[{"scope":{…},"spans":[{"events":[{…}], …}]}]}]}
 *
 * An exception is told by its attributes, never by the event's name, which differs between versions of the conventions.
 * Source: OTLP 1.x § OTLP/HTTP Request; opentelemetry-proto 1.x, logs/v1/logs.proto, trace/v1/trace.proto.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { type Fields, listOf, numberOf, recordOf, recordsOf, textOf } from "./decode.ts";
import { attributesOf, NO_ATTRIBUTES } from "./otlp-attributes.ts";
import { type Origin, originOf, shortDetail } from "./otlp-origin.ts";
import {
  bodyText,
  exceptionDraft,
  isException,
  messageDraft,
  type Occurrence,
} from "./otlp-report.ts";
import { counted, createDrafting, invalid } from "./parsed.ts";

/** Why a request is refused as a whole. */
export interface TooManyOtlpItems {
  readonly reason: "too-many-items";
  readonly limit: "maxOtlpItems";
  readonly max: number;
  readonly expected: string;
}

/**
 * Every log record's end, in order, from an `ExportLogsServiceRequest`: an exception at any severity is an error, a record
 * of severity ERROR and above is a message, all others are counted. Fails beyond `limits.maxOtlpItems` records.
 */
export function parseOtlpLogs(value: unknown): Result<readonly Parsed[], TooManyOtlpItems> {
  const items = itemsOf(value, "resourceLogs", "scopeLogs", "logRecords");
  if (items.length > limits.maxOtlpItems) return tooMany("log records");
  const draft = createDrafting();
  return ok(items.map((item, index) => parseRecord(item, index, draft)));
}

/**
 * The ends of every span's exceptions, in order, from an `ExportTraceServiceRequest`; a span without any is counted. Fails
 * beyond `limits.maxOtlpItems` spans.
 */
export function parseOtlpTraces(value: unknown): Result<readonly Parsed[], TooManyOtlpItems> {
  const items = itemsOf(value, "resourceSpans", "scopeSpans", "spans");
  if (items.length > limits.maxOtlpItems) return tooMany("spans");
  const serving = servingSpans(items);
  const draft = createDrafting();
  return ok(items.flatMap((item, index) => parseSpan(item, index, serving, draft)));
}

function tooMany(what: string): Result<readonly Parsed[], TooManyOtlpItems> {
  const max = limits.maxOtlpItems;
  const expected = `at most ${max} ${what} in a request`;
  return fail({ reason: "too-many-items", limit: "maxOtlpItems", max, expected });
}

/** A log record or a span, still undecoded, and what its group says. */
interface Item {
  readonly value: unknown;
  readonly origin: Origin;
  readonly scope: unknown;
}

function itemsOf(value: unknown, resources: string, scopes: string, records: string): Item[] {
  return recordsOf(listOf(recordOf(value)?.[resources])).flatMap((group) => {
    const origin = originOf(group.resource);
    return recordsOf(listOf(group[scopes])).flatMap((member) => {
      const scope = recordOf(member.scope)?.name;
      return listOf(member[records]).map((item) => ({ value: item, origin, scope }));
    });
  });
}

type Drafting = ReturnType<typeof createDrafting>;

function parseRecord({ value, origin, scope }: Item, index: number, draft: Drafting): Parsed {
  const record = recordOf(value);
  if (record === undefined) return invalid("log", "not-an-object", "log record: a JSON object");
  const attributes = attributesOf(record.attributes);
  const thrown = isException(attributes);
  const level = levelOf(record);
  if (!thrown && !isError(level)) return counted("log");
  const body = bodyText(record.body);
  const message = body ?? textOf(record.eventName);
  if (!thrown && message === undefined) {
    return invalid("log", "missing-field", "log record: a body, an eventName or an exception");
  }
  const occurrence: Occurrence = {
    origin,
    attributes,
    request: NO_ATTRIBUTES,
    times: [record.timeUnixNano, record.observedTimeUnixNano],
    traceId: record.traceId,
    level: level ?? "error",
    tags: [
      ["scope", scope],
      ["event", record.eventName],
    ],
    detail: { body: thrown ? body : undefined },
    place: `log ${index}`,
  };
  return draft("log", () =>
    thrown ? exceptionDraft(occurrence) : messageDraft(occurrence, message ?? ""),
  );
}

function parseSpan(
  { value, origin, scope }: Item,
  index: number,
  serving: ReadonlyMap<unknown, Fields>,
  draft: Drafting,
): readonly Parsed[] {
  const span = recordOf(value);
  if (span === undefined) return [invalid("span", "not-an-object", "span: a JSON object")];
  const thrown = recordsOf(listOf(span.events))
    .map((event) => ({ event, attributes: attributesOf(event.attributes) }))
    .filter(({ attributes }) => isException(attributes));
  if (thrown.length === 0) return [counted("span")];
  const around = attributesOf(span.attributes);
  const request = isServer(span) ? around : attributesOf(serving.get(span.traceId)?.attributes);
  return thrown.map(({ event, attributes }, at) =>
    draft("exception", () =>
      exceptionDraft({
        origin,
        attributes,
        request,
        times: [event.timeUnixNano],
        traceId: span.traceId,
        level: "error",
        tags: [
          ["scope", scope],
          ["span", span.name],
          ["event", event.name === "exception" ? undefined : event.name],
        ],
        detail: { span: shortDetail(around) },
        place: `span ${index}.${at}`,
      }),
    ),
  );
}

/** The spans that served a request, by trace: an exception is recorded on the spans below them too. */
function servingSpans(items: readonly Item[]): ReadonlyMap<unknown, Fields> {
  const spans = recordsOf(items.map(({ value }) => value)).filter(isServer);
  return new Map(spans.map((span) => [span.traceId, span]));
}

const SPAN_KIND_SERVER = 2;

/** Of a client's span the HTTP attributes are those of a request that it made, not of the one it served. */
function isServer(span: Fields): boolean {
  return numberOf(span.kind) === SPAN_KIND_SERVER;
}

/** One for every four numbers, from 1: TRACE, DEBUG, INFO, WARN, ERROR, FATAL. */
const LEVELS = ["trace", "debug", "info", "warning", "error", "fatal"];
const NUMBERS_PER_LEVEL = 4;
const LEVEL_WORDS: readonly (readonly [word: RegExp, level: string])[] = [
  [/^(?:fatal|crit|emerg|alert|panic)/i, "fatal"],
  [/^(?:err|severe)/i, "error"],
  [/^warn/i, "warning"],
];

/** The level by number, else by the sender's own word for an error. Undefined for what is unknown. */
function levelOf({ severityNumber, severityText }: Fields): string | undefined {
  const number = numberOf(severityNumber) ?? 0;
  if (number > 0) return LEVELS[Math.floor((number - 1) / NUMBERS_PER_LEVEL)];
  const text = textOf(severityText) ?? "";
  return LEVEL_WORDS.find(([word]) => word.test(text))?.[1];
}

function isError(level: string | undefined): boolean {
  return level === "error" || level === "fatal";
}
