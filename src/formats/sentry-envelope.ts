/**
 * A Sentry envelope to its items' ends: events become drafts, what is known but not kept is counted, and unknown item types
 * are skipped without complaint, as the specification asks.
 * Source: Sentry develop docs › Envelopes › Envelope Items.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import { ok, type Result } from "../core/result.ts";
import { idOf } from "./decode.ts";
import { type EnvelopeFailure, type EnvelopeItem, readEnvelope } from "./envelope.ts";
import { readJson } from "./json.ts";
import { counted, dropped, invalid, itemName, unreadable } from "./parsed.ts";
import { parseSentryEvent } from "./sentry-event.ts";

/** An envelope's items, each with its end. `id` is the header's event id, which the answer repeats. */
export interface ParsedEnvelope {
  readonly id?: string;
  readonly parsed: readonly Parsed[];
}

/** Known item types whose body is not kept. */
const COUNTED = new Set([
  "attachment",
  "check_in",
  "client_report",
  "feedback",
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
  "session",
  "sessions",
  "span",
  "statsd",
  "trace_metric",
  "transaction",
  "user_report",
]);

/**
 * Every item's end, in order. Where the framing ends early, the items before it count and the rest is one invalid item.
 * Fails as `readEnvelope` does.
 */
export function parseSentryEnvelope(bytes: Uint8Array): Result<ParsedEnvelope, EnvelopeFailure> {
  const envelope = readEnvelope(bytes);
  if (!envelope.ok) return envelope;
  const { header, items, broken } = envelope.value;
  const id = idOf(header.event_id);
  const firstEvent = items.find((item) => item.header.type === "event");
  // An envelope holds one event. If a sender puts in more, the header's id names the first.
  const parsed = items.map((item) => parseItem(item, item === firstEvent ? id : undefined));
  if (broken !== undefined) parsed.push(invalid("envelope", "framing", broken));
  return ok(present({ id, parsed }));
}

function parseItem(item: EnvelopeItem, eventId: string | undefined): Parsed {
  const type = item.header.type;
  if (typeof type !== "string") {
    return invalid("unknown", "missing-field", "an item header with a type");
  }
  if (COUNTED.has(type)) return counted(type);
  if (type !== "event") return dropped(itemName(type), "not-kept");
  const event = readJson(item.payload, limits.maxItemBytes);
  return event.ok ? parseSentryEvent(event.value, eventId) : unreadable("event", event);
}
