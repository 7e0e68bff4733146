/**
 * Parses the items of a Sentry envelope: events and feedback become reports, with the envelope's
 * attachments; sessions and client reports are counted; known types without storage are counted;
 * unknown types are dropped without an error, as specified.
 * Source: Sentry develop docs › Envelopes › Envelope Items.
 */

import { asText, type JsonFields, parseHexId } from "../../core/decode/as-type.ts";
import { parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { Attachment, ParsedReport } from "../../core/report.ts";
import { ok, type Result } from "../../core/result.ts";
import {
  type ParsedItem,
  toCountedItem,
  toDroppedItem,
  toInvalidItem,
  toItemName,
  toUnreadableItem,
} from "../items/item-outcome.ts";
import { parseClientReport } from "./client-report.ts";
import { type EnvelopeFailure, type EnvelopeItem, parseEnvelope } from "./envelope.ts";
import { createAttachments } from "./sentry-attachments.ts";
import { parseSentryEvent } from "./sentry-event.ts";
import { parseFeedback, parseUserReport } from "./sentry-feedback.ts";
import { parseSession, parseSessions } from "./sentry-sessions.ts";

/** The parsed items. `id` is the header's event id, which the response repeats. */
interface EnvelopeItems {
  readonly id?: string;
  readonly items: readonly ParsedItem[];
}

/** Parsers by item type. */
const ITEM_PARSERS: Readonly<
  Record<string, (payload: unknown, eventId: string | undefined) => ParsedItem>
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

/**
 * Parses all items, in order. If the framing breaks, the items before it count and the rest is one
 * invalid item. Skips decoding the header if `knownHeader` is given. Fails as `parseEnvelope` does.
 */
export function parseSentryEnvelope(
  bytes: Uint8Array,
  knownHeader?: JsonFields,
): Result<EnvelopeItems, EnvelopeFailure> {
  const envelope = parseEnvelope(bytes, knownHeader);
  if (!envelope.ok) return envelope;
  const { header, items, framingError } = envelope.value;
  const id = parseHexId(header.event_id);
  // An envelope holds one event. If there are more, the header's id belongs to the first.
  const eventIndex = items.findIndex((item) => EVENT_TYPES.has(asText(item.header.type) ?? ""));
  const files = items.filter(({ header: { type } }) => type === "attachment");
  const acceptedFiles = new Set(files.slice(0, limits.maxAttachments));
  const parsed = items.map((item, at): ParsedItem => {
    if (item.header.type !== "attachment")
      return parseSentryItem(item, at === eventIndex ? id : undefined);
    if (eventIndex < 0) return toDroppedItem("attachment", "not-stored");
    if (!acceptedFiles.has(item)) return toDroppedItem("attachment", "over-count");
    return { partOf: eventIndex, item: "attachment" };
  });
  const eventItem = parsed[eventIndex];
  if (eventItem !== undefined && "report" in eventItem) {
    const attachments = createAttachments([...acceptedFiles]);
    if (attachments.length > 0) parsed[eventIndex] = addAttachments(eventItem, attachments);
  }
  if (framingError !== undefined) parsed.push(toInvalidItem("envelope", "framing", framingError));
  return ok(omitUndefined({ id, items: parsed }));
}

function parseSentryItem(item: EnvelopeItem, eventId: string | undefined): ParsedItem {
  const type = item.header.type;
  if (typeof type !== "string")
    return toInvalidItem("unknown", "missing-field", "an item header with a type");
  if (COUNTED_TYPES.has(type)) return toCountedItem(type);
  const parse = Object.hasOwn(ITEM_PARSERS, type) ? ITEM_PARSERS[type] : undefined;
  if (parse === undefined) return toDroppedItem(toItemName(type), "not-stored");
  const json = parseJson(item.payload, limits.maxItemBytes);
  return json.ok ? parse(json.value, eventId) : toUnreadableItem(type, json);
}

function addAttachments(
  eventItem: Extract<ParsedItem, { report: ParsedReport }>,
  attachments: readonly Attachment[],
): ParsedItem {
  const hasLostContent = attachments.some(
    ({ text, base64 }) => text === undefined && base64 === undefined,
  );
  const truncated = [
    ...(eventItem.report.truncated ?? []),
    ...(hasLostContent ? ["attachments"] : []),
  ];
  const report = { ...eventItem.report, attachments, ...(truncated.length > 0 && { truncated }) };
  return { ...eventItem, report };
}
