/** The ends that an item can have in a format, spelled once. See core/outcome.ts. */

import type { JsonFailure } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport } from "../../core/report.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import type { DropReason, InvalidReason, Outcome } from "../../core/stats/outcome.ts";

/** One parsed item: a report for ingest to process, a part of a report, or a final outcome. */
export type ParsedItem =
  | { readonly report: ParsedReport; readonly item: string }
  /**
   * An attachment. It shares the outcome of the item at index `partOf`, whose report contains it.
   */
  | { readonly partOf: number; readonly item: string }
  | (Exclude<Outcome, { outcome: "accepted" }> & {
      /** What the item counts besides itself: sessions, or reports that an SDK discarded. */
      readonly counters?: readonly CounterDelta[];
    });

/** An item that became a draft. */
export function toReportItem(item: string, report: ParsedReport): ParsedItem {
  return { report, item };
}

/**
 * Makes drafts while there is room, for `limits.maxReportsAtOnce` of them; what comes then is over-count, and its draft is
 * never made. For formats that bring thousands of items at once.
 */
export function createBoundedParser(): (item: string, parse: () => ParsedReport) => ParsedItem {
  let remaining: number = limits.maxReportsPerBatch;
  return (item, parse) => {
    if (remaining === 0) return toDroppedItem(item, "over-count");
    remaining -= 1;
    return toReportItem(item, parse());
  };
}

/** An item that is known but whose body is not kept, and what it counts beside itself. */
export function toCountedItem(item: string, counters: readonly CounterDelta[] = []): ParsedItem {
  return { outcome: "counted", item, ...(counters.length > 0 && { counters }) };
}

/** An item that is not kept although nothing is wrong with it. */
export function toDroppedItem(item: string, reason: DropReason): ParsedItem {
  return { outcome: "dropped", item, reason };
}

/** An item that could not be understood. `expected` says what was expected and where, and never what was found. */
export function toInvalidItem(item: string, reason: InvalidReason, expected: string): ParsedItem {
  return { outcome: "invalid", item, reason, expected };
}

/** An item whose JSON could not be read. Nesting too deep counts as too large: both are caps. */
export function toUnreadableItem(item: string, failure: JsonFailure): ParsedItem {
  const reason = failure.reason === "not-json" ? "not-json" : "too-large";
  return toInvalidItem(item, reason, `${item}: ${failure.expected}`);
}

/** The sender's word for an item, when it is a plain word (`csp-violation`), else `unknown`. */
export function toItemName(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-z0-9_-]{0,39}$/i.test(value) ? value : "unknown";
}
