/** Creates the items that format parsers return. */

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
      /** Counters of the item itself: sessions, or reports that an SDK discarded. */
      readonly counters?: readonly CounterDelta[];
    });

export function toReportItem(item: string, report: ParsedReport): ParsedItem {
  return { report, item };
}

/**
 * Parses up to `limits.maxReportsPerBatch` reports. Further items are dropped as `over-count`
 * without parsing. For formats that have thousands of items in a body.
 */
export function createBoundedParser(): (item: string, parse: () => ParsedReport) => ParsedItem {
  let remaining: number = limits.maxReportsPerBatch;
  return (item, parse) => {
    if (remaining === 0) return toDroppedItem(item, "over-count");
    remaining -= 1;
    return toReportItem(item, parse());
  };
}

/** Drops the reports after the first `maxReports` as `over-count`, with their attachments. */
export function boundReports(
  items: readonly ParsedItem[],
  maxReports = Number.POSITIVE_INFINITY,
): readonly ParsedItem[] {
  let count = 0;
  return items.map((item) =>
    "report" in item && ++count > maxReports ? toDroppedItem(item.item, "over-count") : item,
  );
}

/** An item that is counted but not stored, with its own counters. */
export function toCountedItem(item: string, counters: readonly CounterDelta[] = []): ParsedItem {
  return { outcome: "counted", item, ...(counters.length > 0 && { counters }) };
}

/** A valid item that is not stored. */
export function toDroppedItem(item: string, reason: DropReason): ParsedItem {
  return { outcome: "dropped", item, reason };
}

/**
 * An invalid item. `expected` states what was expected and where, and quotes nothing of the item.
 */
export function toInvalidItem(item: string, reason: InvalidReason, expected: string): ParsedItem {
  return { outcome: "invalid", item, reason, expected };
}

/** An item with unreadable JSON. Too much nesting is reported as `too-large`. */
export function toUnreadableItem(item: string, failure: JsonFailure): ParsedItem {
  const reason = failure.reason === "not-json" ? "not-json" : "too-large";
  return toInvalidItem(item, reason, `${item}: ${failure.expected}`);
}

/** The sender's name for an item if it is a plain word (`csp-violation`), else `unknown`. */
export function toItemName(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-z0-9_-]{0,39}$/i.test(value) ? value : "unknown";
}
