/** The counters of log rows, and of the reports in them. Pure. */

import { ERROR_TREND_DAYS } from "../../../core/overview/error-trend.ts";
import { type CountedError, QUARTERS_KEPT_MS } from "../../../core/overview/recent-errors.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { CounterBatch, type DailyCounters } from "../../../core/stats/counters.ts";
import { TRUST_POLICY } from "../../../core/trust/trust.ts";
import { DAY_MS, MINUTE_MS, toUtcHour } from "../../../core/utc-time.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { SequencedItem } from "../../log/log-entries.ts";

/**
 * The counters of rows, and those of their reports. `collapsed` are the reports that count in the
 * issue "Other anonymous reports".
 */
export function countRows(
  rows: readonly SequencedItem[],
  collapsed: ReadonlySet<ReportSummary>,
): readonly DailyCounters[] {
  const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
  const fromLog = rows.flatMap((row) => ("dailyCounters" in row ? row.dailyCounters : []));
  return [...fromLog, ...countReports(summaries, collapsed)];
}

/** True if the row is of a public report, or has counters that anybody can cause. */
export function isPublicRow(row: SequencedItem): boolean {
  if ("summary" in row) return row.summary.trust === "public" && row.isImported !== true;
  return row.dailyCounters.counters.every(([[name, level]]) => {
    return name !== "session" || level === "public";
  });
}

/** The errors of the last day, without noise, one for each minute and origin. */
export function listRecentErrors(
  rows: readonly SequencedItem[],
  nowMs: number,
): readonly CountedError[] {
  const all = new Map<string, CountedError>();
  const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
  for (const { kind, noise = "", occurrences = 1, atMs, trust } of summaries) {
    if (kind !== "error" || noise !== "" || atMs < nowMs - QUARTERS_KEPT_MS) continue;
    const { origin } = TRUST_POLICY[trust];
    const key = `${origin} ${Math.floor(atMs / MINUTE_MS)}`;
    const count = (all.get(key)?.count ?? 0) + occurrences;
    all.set(key, { atMs, origin, count });
  }
  return [...all.values()];
}

/** Counters of the reports, by the UTC day on which the log received them. */
function countReports(
  summaries: readonly ReportSummary[],
  collapsed: ReadonlySet<ReportSummary>,
): readonly DailyCounters[] {
  const byDay = Map.groupBy(summaries, ({ position }) => hourToDay(position));
  return [...byDay].map(([day, reports]) => {
    const counters = new CounterBatch();
    const firstMs = Date.parse(day) - ERROR_TREND_DAYS * DAY_MS;
    for (const summary of reports) {
      const { kind, noise = "", occurrences, atMs, trust } = summary;
      if (collapsed.has(summary)) counters.add(["collapsed"], occurrences);
      // An error long before its report was received belongs to no hour.
      const hour = kind === "error" && atMs >= firstMs ? [toUtcHour(atMs), trust] : [];
      if (occurrences === undefined) counters.add(["accepted", kind, noise, ...hour]);
      else
        counters.add(["counted", kind, ...(hour.length > 0 ? [noise, ...hour] : [])], occurrences);
    }
    return { day, counters: counters.drain() };
  });
}
