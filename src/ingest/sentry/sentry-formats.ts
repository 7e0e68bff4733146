/** The two formats of Sentry's SDKs: envelopes, and the bare events of older ones. */

import type { JsonFields } from "../../core/decode/as-type.ts";
import { ok } from "../../core/result.ts";
import {
  type IngestFormat,
  type IngestResult,
  type SenderResponse,
  toJsonResponse,
} from "../format/ingest-format.ts";
import { parseHeaderLine } from "./envelope.ts";
import { ENVELOPE_ITEM_TYPES, parseSentryEnvelope } from "./envelope-items.ts";
import { parseSentryEvent } from "./sentry-event.ts";

const EXPECTED = "a Sentry envelope or event";

/** Header lines, items and payloads, one after another. A header alone is an empty envelope. */
export const sentryEnvelope: IngestFormat = {
  name: "sentry-envelope",
  expects: EXPECTED,
  reportFormat: "sentry",
  items: [...ENVELOPE_ITEM_TYPES, "attachment", "envelope", "unknown"],
  paths: { envelope: "/api/:project/envelope/:key" },
  keyHeaders: { "x-sentry-auth": "authorization" },
  detectBytes: (bytes, firstLine) => firstLine !== undefined && isEnvelope(bytes, firstLine),
  detect: (fields) => isEnvelopeHeader(fields) && !isBareError(fields),
  parsesBeginning: true,
  parse: ({ bytes, firstLine, nowMs, isCut }) =>
    parseSentryEnvelope(bytes, { knownHeader: firstLine, nowMs, isCut }),
  respond: respondToSdk,
};

/** One JSON object. */
export const sentryEvent: IngestFormat = {
  name: "sentry-event",
  expects: EXPECTED,
  reportFormat: "sentry",
  items: ["event"],
  paths: { store: "/api/:project/store/:key" },
  detect: (fields) => EVENT_MEMBERS.some((member) => member in fields) && !isBareError(fields),
  parse: ({ value }) => ok({ items: [parseSentryEvent(value)] }),
  respond: respondToSdk,
};

/**
 * Categories that Errata does not store: SDKs that read this on a 200 stop sending them for an
 * hour, and continue to send errors (Sentry develop docs › SDK › Rate Limiting:
 * `retry_after:categories:scope:reason`, honored on any status).
 */
const UNSUPPORTED_RATE_LIMITS =
  "3600:transaction;span;profile;replay;monitor;log_item;trace_metric;metric_bucket:organization:not_kept";

function respondToSdk({ id }: IngestResult): SenderResponse {
  return toJsonResponse({ id }, 200, { "X-Sentry-Rate-Limits": UNSUPPORTED_RATE_LIMITS });
}

/**
 * True if more lines follow the first one, and the second is an item header, or the first has
 * members of an envelope header (then the item header is broken).
 */
function isEnvelope(bytes: Uint8Array, firstLine: JsonFields): boolean {
  const rest = bytes.subarray(bytes.indexOf(LF) + 1);
  if (rest.every((byte) => WHITE_SPACE.has(byte))) return false;
  if (isEnvelopeHeader(firstLine)) return true;
  const end = rest.indexOf(LF);
  return typeof parseHeaderLine(end === -1 ? rest : rest.subarray(0, end))?.type === "string";
}

const LF = 0x0a;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, LF, 0x0d]);

const HEADER_MEMBERS = ["event_id", "sent_at", "dsn", "sdk", "trace"];

/** `{}` is also a header. */
function isEnvelopeHeader(fields: JsonFields): boolean {
  return Object.keys(fields).length === 0 || HEADER_MEMBERS.some((member) => member in fields);
}

/** Members of an event that no envelope header has. */
const EVENT_MEMBERS = [
  ...["exception", "logentry", "message", "platform", "timestamp", "level", "stacktrace"],
  ...["threads", "contexts", "transaction", "culprit", "request", "breadcrumbs", "tags", "extra"],
  "user",
];

/** `{"name":…,"message":…,"stack":…}`. Parsed as an event, it would lose its stack. */
function isBareError(fields: JsonFields): boolean {
  return typeof fields.stack === "string" && !("exception" in fields);
}
