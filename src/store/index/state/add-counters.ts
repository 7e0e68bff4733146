/** Adds the counters of log rows to the index. Synchronous. */
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { CounterBatch, type DailyCounters } from "../../../core/stats/counters.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { SequencedItem } from "../../rpc/rpc.ts";
import type { IndexTables } from "./index-tables.ts";

/**
 * Adds the counters of rows, and those of their reports. `collapsed` are the reports that count in
 * the issue "Other anonymous reports".
 */
export function addCounters(
  { counters }: IndexTables,
  rows: readonly SequencedItem[],
  collapsed: ReadonlySet<ReportSummary>,
): void {
  const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
  const fromLog = rows.flatMap((row) => ("dailyCounters" in row ? row.dailyCounters : []));
  for (const daily of [...fromLog, ...countReports(summaries, collapsed)]) counters.add(daily);
}

/** Counters of the reports, by the UTC day on which the log received them. */
function countReports(
  summaries: readonly ReportSummary[],
  collapsed: ReadonlySet<ReportSummary>,
): readonly DailyCounters[] {
  const byDay = Map.groupBy(summaries, ({ position }) => hourToDay(position));
  return [...byDay].map(([day, reports]) => {
    const counters = new CounterBatch();
    for (const summary of reports) {
      const { kind, noise = "", occurrences } = summary;
      if (collapsed.has(summary)) counters.add(["collapsed"], occurrences);
      if (occurrences === undefined) counters.add(["accepted", kind, noise]);
      else counters.add(["counted", kind], occurrences);
    }
    return { day, counters: counters.drain() };
  });
}
