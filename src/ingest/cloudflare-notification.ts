/**
 * Parses a notification of Cloudflare, as a generic webhook gets it: an alert of Workers
 * Observability, or an automation of Workers *Issues*.
 *
 *     {"name":"…","text":"…","data":{…},"ts":1136214245,"account_id":"…","policy_id":"…",
 *      "policy_name":"…","alert_type":"workers_observability_alert","alert_correlation_id":"…",
 *      "alert_event":"ALERT_STATE_EVENT_START"}
 *
 * Members may be missing, and `data` depends on the type; that of Issues is not documented. The
 * secret of the webhook, in `cf-webhook-auth`, is the ingest key. A new webhook is tested with a
 * text alone. Source: developers.cloudflare.com › Notifications › Webhook payload schema; Workers ›
 * Observability › Issues › Automations.
 */
import { asRecord, asText, type JsonFields, parseTimeMs } from "../core/decode/as-type.ts";
import { limits } from "../core/limits.ts";
import { parseReportLevel } from "../core/report/level.ts";
import type { ParsedReport } from "../core/report.ts";
import { ok } from "../core/result.ts";
import { createTags } from "./decode/tags.ts";
import { trackTruncations } from "./decode/truncations.ts";
import {
  type IngestFormat,
  type ParsedItem,
  toCountedItem,
  toJsonResponse,
  toReportItem,
} from "./format/ingest-format.ts";

const ITEM = "notification";
const ENDED = "ALERT_STATE_EVENT_END";
const MEMBERS = ["alert_type", "policy_id", "alert_correlation_id"];

export const cloudflareNotification: IngestFormat = {
  name: "cloudflare-notification",
  expects: "a notification of Cloudflare",
  reportFormat: "cloudflare",
  items: [ITEM],
  keyHeaders: { "cf-webhook-auth": "key" },
  detect: (fields) =>
    typeof fields.text === "string" &&
    (Object.keys(fields).length === 1 || MEMBERS.some((name) => name in fields)),
  parse: ({ value }) => ok({ items: [parseNotification(asRecord(value) ?? {})] }),
  respond: () => toJsonResponse({}),
};

/** The test of a webhook and the end of an alert are counted. */
export function parseNotification(fields: JsonFields): ParsedItem {
  const isTest = MEMBERS.every((name) => !(name in fields));
  if (isTest || fields.alert_event === ENDED) return toCountedItem(ITEM);
  return toReportItem(ITEM, createReport(fields));
}

function createReport(fields: JsonFields): ParsedReport {
  const truncations = trackTruncations();
  const { text, ts, alert_type: type, alert_event: event } = fields;
  const policy = asText(fields.policy_name) ?? asText(fields.name);
  const message = truncations.limitText("message", text, limits.maxMessageChars) ?? "";
  const correlation = fields.alert_correlation_id ?? fields.policy_id ?? policy;
  const fingerprint = [type, fields.policy_id ?? policy].map(
    (part) => truncations.limitString("fingerprint", part) ?? "",
  );
  return {
    kind: "message",
    side: "server",
    format: "cloudflare",
    type: "Notification",
    message,
    level: parseReportLevel(asText(asRecord(fields.data)?.severity) ?? "") ?? "error",
    frames: [],
    dedupeKey: JSON.stringify([ITEM, correlation, event, ts, message]),
    occurredAtMs: parseTimeMs(ts),
    tags: createTags(
      [
        ["alert", asText(type)],
        ["policy", policy],
      ],
      truncations,
    ),
    detail: truncations.limitJson("detail", { contexts: { alert: fields.data } }),
    fingerprint: ["cloudflare-notification", ...fingerprint, "{{ default }}"],
    truncated: truncations.listNames(),
  };
}
