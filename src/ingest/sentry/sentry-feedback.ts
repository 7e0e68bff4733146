/**
 * Parses feedback: a `feedback` item (an event with a feedback context), or the older `user_report`
 * item. Feedback about an event belongs to that event's issue.
 *
 *     feedback     {"contexts":{"feedback":{"message":"…","contact_email":"…","name":"…",
 *                   "associated_event_id":"…"}}, …}
 *     user_report  {"event_id":"…","name":"…","email":"…","comments":"…"}
 *
 * Source: Sentry develop docs › SDK › Telemetry › User Feedback; Envelopes › Envelope Items › User
 * Report.
 */

import {
  asRecord,
  asText,
  type JsonFields,
  parseHexId,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport, Side } from "../../core/report.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import { type ParsedItem, toInvalidItem, toReportItem } from "../format/ingest-format.ts";
import { detectSide } from "./detect-side.ts";
import { parseBreadcrumbs } from "./sentry-breadcrumbs.ts";
import { findUserKey, parseTags, selectDetail } from "./sentry-detail.ts";

/**
 * Parses one `feedback` item. `eventId` is from the envelope's header. Invalid without a message.
 */
export function parseFeedback(payload: unknown, eventId: string | undefined): ParsedItem {
  const fields = asRecord(payload);
  if (fields === undefined)
    return toInvalidItem("feedback", "not-an-object", "feedback: a JSON object");
  const { url: requestUrl, headers } = asRecord(fields.request) ?? {};
  const { feedback, ...contexts } = asRecord(fields.contexts) ?? {};
  const context = asRecord(feedback) ?? {};
  const { name, contact_email: email, url, associated_event_id: aboutEventId, ...more } = context;
  const { message = fields.message, ...others } = more;
  const pageUrl = asText(url) ?? asText(requestUrl);
  return createFeedbackItem(
    "feedback",
    { message, name, email, aboutEventId, pageUrl },
    detectSide(fields),
    (truncations) => ({
      id: parseHexId(eventId) ?? parseHexId(fields.event_id),
      occurredAtMs: parseTimeMs(fields.timestamp),
      release: truncations.limitString("release", fields.release),
      environment: truncations.limitString("environment", fields.environment),
      traceId: parseHexId(asRecord(contexts.trace)?.trace_id),
      userKey: findUserKey(fields),
      tags: createTags(parseTags(fields, truncations), truncations),
      breadcrumbs: parseBreadcrumbs(fields.breadcrumbs, truncations),
      request: createReportRequest(
        { url: pageUrl, route: toFeedbackRoute(pageUrl), headers },
        truncations,
      ),
    }),
    (truncations) => ({
      ...selectDetail(fields, truncations),
      contexts: omitEmpty({ ...contexts, feedback: omitEmpty(others) }),
    }),
  );
}

/** Parses one `user_report` item. Invalid without comments. */
export function parseUserReport(payload: unknown): ParsedItem {
  const { event_id: aboutEventId, name, email, comments: message } = asRecord(payload) ?? {};
  return createFeedbackItem(
    "user_report",
    { message, name, email, aboutEventId },
    "browser",
    () => ({ dedupeKey: JSON.stringify(["user_report", aboutEventId, name, email, message]) }),
  );
}

interface RawFeedback {
  readonly message: unknown;
  readonly name: unknown;
  readonly email: unknown;
  readonly aboutEventId: unknown;
  readonly pageUrl?: string | undefined;
}

function createFeedbackItem(
  item: string,
  { message, name, email, aboutEventId, pageUrl }: RawFeedback,
  side: Side,
  rest: (truncations: Truncations) => { [K in keyof ParsedReport]?: ParsedReport[K] | undefined },
  detail: (truncations: Truncations) => JsonFields = () => ({}),
): ParsedItem {
  const truncations = trackTruncations();
  const text = truncations.limitText("message", message, limits.maxMessageChars);
  if (text === undefined) return toInvalidItem(item, "missing-field", `${item}: a message`);
  return toReportItem(item, {
    kind: "feedback",
    side,
    format: "sentry",
    type: "Feedback",
    message: text,
    level: "info",
    frames: [],
    // Feedback without an event groups by page, because people describe a problem in many ways.
    fingerprint: ["feedback", toFeedbackRoute(pageUrl) ?? ""],
    ...rest(truncations),
    aboutEventId: parseHexId(aboutEventId),
    detail: truncations.limitJson("detail", {
      name: asText(name),
      contact_email: asText(email),
      ...detail(truncations),
    }),
    truncated: truncations.listNames(),
  });
}

function toFeedbackRoute(url: string | undefined): string | undefined {
  return url === undefined ? undefined : toUrlPath(url);
}

function omitEmpty(fields: JsonFields): JsonFields | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
