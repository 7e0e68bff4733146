/**
 * Parses the items of a Sentry envelope: events and feedback become reports, with the envelope's
 * attachments; sessions and client reports are counted; known types without storage are counted;
 * unknown types are dropped without an error, as specified.
 * Source: Sentry develop docs › Envelopes › Envelope Items.
 */
import { asText, type JsonFields, parseHexId, parseTimeMs } from "../../core/decode/as-type.ts";
import { parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport } from "../../core/report.ts";
import { ok, type Result } from "../../core/result.ts";
import { MAX_DATE_MS } from "../../core/utc-time.ts";
import {
  type FormatFailure,
  type FormatItems,
  type ParsedItem,
  toCountedItem,
  toDroppedItem,
  toInvalidItem,
  toItemName,
  toUnreadableItem,
} from "../format/ingest-format.ts";
import { parseClientReport } from "./client-report.ts";
import { type EnvelopeItem, parseEnvelope } from "./envelope.ts";
import { attachFiles, isCrashReport } from "./sentry-attachments.ts";
import { type EventOptions, parseSentryEvent } from "./sentry-event.ts";
import { parseFeedback, parseUserReport } from "./sentry-feedback.ts";
import { parseSession, parseSessions } from "./sentry-sessions.ts";

/** Parsers by item type. */
const ITEM_PARSERS: Readonly<
  Record<
    string,
    (payload: unknown, eventId: string | undefined, options?: EventOptions) => ParsedItem
  >
> = {
  event: parseSentryEvent,
  feedback: parseFeedback,
  user_report: parseUserReport,
  session: parseSession,
  sessions: parseSessions,
  client_report: parseClientReport,
};

/** Item types to which an envelope's event id and attachments belong. */
const EVENT_TYPES = new Set(["event", "feedback"]);

/** Known item types that are only counted. */
const COUNTED_TYPES = new Set([
  "check_in",
  "log",
  "metric_buckets",
  "metric_meta",
  "otel_log",
  "otel_span",
  "otel_traces_data",
  "profile",
  "profile_chunk",
  "replay_event",
  "replay_recording",
  "replay_video",
  "span",
  "statsd",
  "trace_metric",
  "transaction",
]);

/** Every item type that Errata knows. */
export const ENVELOPE_ITEM_TYPES: readonly string[] = [
  ...Object.keys(ITEM_PARSERS),
  ...COUNTED_TYPES,
];

/** Parameters of parsing an envelope besides its bytes. */
interface EnvelopeOptions {
  /** The header, if it was decoded before. */
  readonly knownHeader?: JsonFields | undefined;
  /** When the envelope was received. Without it, clocks are not compared. */
  readonly nowMs?: number;
  /** The bytes are only the beginning of the body. */
  readonly isCut?: boolean;
}

/**
 * Parses all items, in order; `id` is the header's event id. If the framing breaks, the items before it count and the rest is one
 * invalid item. Fails as `parseEnvelope` does.
 */
export function parseSentryEnvelope(
  bytes: Uint8Array,
  { knownHeader, nowMs, isCut = false }: EnvelopeOptions = {},
): Result<FormatItems, FormatFailure> {
  const envelope = parseEnvelope(bytes, knownHeader, isCut);
  if (!envelope.ok) return envelope;
  const { header, items, framingError } = envelope.value;
  const id = parseHexId(header.event_id);
  const skewMs = nowMs === undefined ? undefined : measureClockSkew(header.sent_at, nowMs);
  const files = items.filter(isAttachment);
  const acceptedFiles = new Set(files.slice(0, limits.maxAttachments));
  const eventIndex = findEventIndex(items);
  const parsed = items.map((item, at): ParsedItem => {
    if (at === eventIndex) return parseEvent(item, id, files);
    if (!isAttachment(item)) return parseSentryItem(item, undefined);
    if (eventIndex < 0) return toDroppedItem("attachment", "not-stored");
    if (!acceptedFiles.has(item)) return toDroppedItem("attachment", "over-count");
    return { partOf: eventIndex, item: "attachment" };
  });
  if (framingError !== undefined) parsed.push(toInvalidItem("envelope", "framing", framingError));
  return ok({ id, items: parsed.map((item) => correctItem(item, skewMs)) });
}

function isAttachment({ header }: EnvelopeItem): boolean {
  return header.type === "attachment";
}

/**
 * The item that the envelope's id and its attachments belong to. An envelope holds one event; if
 * there are more, the first. A crash report may come without one.
 */
function findEventIndex(items: readonly EnvelopeItem[]): number {
  const index = items.findIndex(({ header }) => EVENT_TYPES.has(asText(header.type) ?? ""));
  return index < 0 ? items.findIndex((item) => isAttachment(item) && isCrashReport(item)) : index;
}

/** The event with all attachments. */
function parseEvent(
  item: EnvelopeItem,
  id: string | undefined,
  files: readonly EnvelopeItem[],
): ParsedItem {
  const options = { hasMinidump: files.some(isCrashReport) };
  const event = isAttachment(item)
    ? parseSentryEvent({ platform: "native", level: "fatal" }, id, options)
    : parseSentryItem(item, id, options);
  return attachFiles(event, files);
}

function correctItem(item: ParsedItem, skewMs: number | undefined): ParsedItem {
  return skewMs === undefined || !("report" in item)
    ? item
    : { ...item, report: correctTimes(item.report, skewMs) };
}

function parseSentryItem(
  item: EnvelopeItem,
  eventId: string | undefined,
  options?: EventOptions,
): ParsedItem {
  const type = item.header.type;
  if (typeof type !== "string")
    return toInvalidItem("unknown", "missing-field", "an item header with a type");
  if (COUNTED_TYPES.has(type)) return toCountedItem(type);
  const parse = Object.hasOwn(ITEM_PARSERS, type) ? ITEM_PARSERS[type] : undefined;
  if (parse === undefined) return toDroppedItem(toItemName(type), "not-stored");
  if (item.cutBytes !== undefined)
    return toInvalidItem(type, "too-large", `${type}: an item within the limit of the body`);
  const json = parseJson(item.payload, limits.maxItemBytes);
  return json.ok ? parse(json.value, eventId, options) : toUnreadableItem(type, json);
}

/** A smaller difference may be the time of the upload. */
const MIN_SKEW_MS = 60_000;

/**
 * The sender's clock minus Errata's, ms. Undefined if it is small or unknown. An SDK writes into the
 * envelope when it sends it by its own clock, so a clock that is hours slow or fast is noticed.
 * Source: Sentry develop docs › Envelopes › Headers, `sent_at`; relay-event-normalization,
 * clock_drift.rs.
 */
function measureClockSkew(sentAt: unknown, receivedAtMs: number): number | undefined {
  const sentAtMs = parseTimeMs(sentAt);
  if (sentAtMs === undefined) return undefined;
  const skewMs = sentAtMs - receivedAtMs;
  return Math.abs(skewMs) > MIN_SKEW_MS ? skewMs : undefined;
}

/** The report with its times by Errata's clock. */
function correctTimes(report: ParsedReport, skewMs: number): ParsedReport {
  const { occurredAtMs, breadcrumbs } = report;
  return {
    ...report,
    clockSkewMs: skewMs,
    occurredAtMs: correct(occurredAtMs, skewMs),
    breadcrumbs: breadcrumbs?.map((one) => ({ ...one, atMs: correct(one.atMs, skewMs) })),
  };
}

/** A time of 1970 by a clock of 2100 is not before 1970, and the last date stays one. */
function correct(atMs: number | undefined, skewMs: number): number | undefined {
  return atMs === undefined ? undefined : Math.min(MAX_DATE_MS, Math.max(0, atMs - skewMs));
}
