/**
 * What an SDK says that it threw away itself: sampled, rate limited, lost on the way. Counted, so that an operator sees what
 * never arrived.
 *
 *     {"timestamp":1795277322.285,"discarded_events":[{"reason":"ratelimit_backoff","category":"error","quantity":3}]}
 *
 * Source: Sentry develop docs › SDK › Telemetry › Client Reports.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { TallySheet } from "../core/tally.ts";
import { arrayOf, countOf, recordOf } from "./decode.ts";
import { counted, itemName } from "./parsed.ts";

const ITEM = "client_report";

/** What one client report counts. Numbers that are none are left out. */
export function parseClientReport(payload: unknown): Parsed {
  const sheet = new TallySheet();
  const discarded = arrayOf(recordOf(payload)?.discarded_events) ?? [];
  for (const entry of discarded.slice(0, limits.maxTalliesPerItem)) {
    const { category, reason, quantity } = recordOf(entry) ?? {};
    const count = countOf(quantity);
    if (count > 0) sheet.add(["discarded", itemName(category), itemName(reason)], count);
  }
  return counted(ITEM, sheet.take());
}
