/**
 * Counts the events that an SDK discarded itself: sampled, rate limited, lost in transit. Operators
 * then see how many events never arrived.
 *
 *     {"timestamp":1795277322.285,
 *      "discarded_events":[{"reason":"ratelimit_backoff","category":"error","quantity":3}]}
 *
 * Source: Sentry develop docs › SDK › Telemetry › Client Reports.
 */

import { asArray, asCount, asRecord } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { CounterBatch } from "../../core/stats/counters.ts";
import { type ParsedItem, toCountedItem, toItemName } from "../format/ingest-format.ts";

const ITEM = "client_report";

/** The data categories of Sentry's SDKs (develop docs › SDK › Rate Limiting). */
export const DISCARD_CATEGORIES: ReadonlySet<string> = new Set([
  ...["attachment", "attachment_item", "default", "error", "feedback", "internal", "log_byte"],
  ...["log_item", "metric_bucket", "monitor", "profile", "profile_chunk", "profile_chunk_ui"],
  ...["replay", "security", "session", "span", "statsd", "trace_metric", "transaction"],
  ...["trace_metric_byte", "unknown", "user_report_v2"],
]);

/** The reasons of Sentry's SDKs (develop docs › SDK › Telemetry › Client Reports). */
export const DISCARD_REASONS: ReadonlySet<string> = new Set([
  ...["backpressure", "before_send", "buffer_overflow", "cache_overflow", "event_processor"],
  ...["ignored", "insufficient_data", "internal_sdk_error", "invalid", "network_error"],
  ...["no_parent_span", "queue_overflow", "ratelimit_backoff", "sample_rate", "send_error"],
  ...["too_big", "unknown"],
]);

/** The counters of one client report. Skips invalid quantities. */
export function parseClientReport(payload: unknown): ParsedItem {
  const batch = new CounterBatch();
  const discarded = asArray(asRecord(payload)?.discarded_events) ?? [];
  for (const entry of discarded.slice(0, limits.maxCountersPerItem)) {
    const { category, reason, quantity } = asRecord(entry) ?? {};
    const count = asCount(quantity);
    if (count > 0) batch.add(["discarded", toItemName(category), toItemName(reason)], count);
  }
  return toCountedItem(ITEM, batch.drain());
}
