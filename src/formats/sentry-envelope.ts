/**
 * A Sentry envelope to its items' ends: events and what people wrote become drafts, with the envelope's attachments; sessions
 * and client reports are counted; what is known but not kept is counted too, and unknown item types are skipped without
 * complaint, as the specification asks.
 * Source: Sentry develop docs › Envelopes › Envelope Items.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import type { Attachment, Draft } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import { type Fields, idOf, textOf } from "./decode.ts";
import { type EnvelopeFailure, type EnvelopeItem, readEnvelope } from "./envelope.ts";
import { readJson } from "./json.ts";
import { counted, dropped, invalid, itemName, unreadable } from "./parsed.ts";
import { attachmentsOf } from "./sentry-attachments.ts";
import { parseClientReport } from "./sentry-client-report.ts";
import { parseSentryEvent } from "./sentry-event.ts";
import { parseFeedback, parseUserReport } from "./sentry-feedback.ts";
import { parseSession, parseSessions } from "./sentry-sessions.ts";

/** An envelope's items, each with its end. `id` is the header's event id, which the answer repeats. */
export interface ParsedEnvelope {
  readonly id?: string;
  readonly parsed: readonly Parsed[];
}

/** Item types that are understood, and what becomes of their JSON. */
const READERS: Readonly<Record<string, (payload: unknown, eventId: string | undefined) => Parsed>> =
  {
    event: parseSentryEvent,
    feedback: parseFeedback,
    user_report: parseUserReport,
    session: parseSession,
    sessions: parseSessions,
    client_report: parseClientReport,
  };

/** The items that an envelope's event id and attachments belong to. */
const EVENTS = new Set(["event", "feedback"]);

/** Known item types of which nothing is kept. */
const COUNTED = new Set([
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

/**
 * Every item's end, in order. Where the framing ends early, the items before it count and the rest is one invalid item.
 * Its header may be `known`. Fails as `readEnvelope` does.
 */
export function parseSentryEnvelope(
  bytes: Uint8Array,
  known?: Fields,
): Result<ParsedEnvelope, EnvelopeFailure> {
  const envelope = readEnvelope(bytes, known);
  if (!envelope.ok) return envelope;
  const { header, items, broken } = envelope.value;
  const id = idOf(header.event_id);
  // An envelope holds one event. If a sender puts in more, the header's id names the first.
  const first = items.findIndex((item) => EVENTS.has(textOf(item.header.type) ?? ""));
  const files = items.filter(({ header: { type } }) => type === "attachment");
  const kept = new Set(files.slice(0, limits.maxAttachments));
  const parsed = items.map((item, at): Parsed => {
    if (item.header.type !== "attachment") return parseItem(item, at === first ? id : undefined);
    if (first < 0) return dropped("attachment", "not-kept");
    if (!kept.has(item)) return dropped("attachment", "over-count");
    return { partOf: first, item: "attachment" };
  });
  const owner = parsed[first];
  if (owner !== undefined && "draft" in owner) {
    const attachments = attachmentsOf([...kept]);
    if (attachments.length > 0) parsed[first] = withAttachments(owner, attachments);
  }
  if (broken !== undefined) parsed.push(invalid("envelope", "framing", broken));
  return ok(present({ id, parsed }));
}

function parseItem(item: EnvelopeItem, eventId: string | undefined): Parsed {
  const type = item.header.type;
  if (typeof type !== "string") {
    return invalid("unknown", "missing-field", "an item header with a type");
  }
  if (COUNTED.has(type)) return counted(type);
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read === undefined) return dropped(itemName(type), "not-kept");
  const json = readJson(item.payload, limits.maxItemBytes);
  return json.ok ? read(json.value, eventId) : unreadable(type, json);
}

function withAttachments(
  owner: Extract<Parsed, { draft: Draft }>,
  attachments: readonly Attachment[],
): Parsed {
  const lost = attachments.some(({ text, base64 }) => text === undefined && base64 === undefined);
  const cut = [...(owner.draft.cut ?? []), ...(lost ? ["attachments"] : [])];
  const draft = { ...owner.draft, attachments, ...(cut.length > 0 && { cut }) };
  return { ...owner, draft };
}
