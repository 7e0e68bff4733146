/** The counters of log rows, and of the reports in them. Pure. */
import { toUtcHour } from "../../../core/issue/aggregate-report.ts";
import { ERROR_TREND_DAYS } from "../../../core/overview/error-trend.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { CounterBatch, type DailyCounters } from "../../../core/stats/counters.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { SequencedItem } from "../../rpc/rpc.ts";

const DAY_MS = 86_400_000;

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

/** Counters of the reports, by the UTC day on which the log received them. */
function countReports(
  summaries: readonly ReportSummary[],
  collapsed: ReadonlySet<ReportSummary>,
): readonly DailyCounters[] {
  const byDay = Map.groupBy(summaries, ({ position }) => hourToDay(position));
  return [...byDay].map(([day, reports]) => {
    const counters = new CounterBatch();
    for (const summary of reports) {
      const { kind, noise = "", occurrences, trust } = summary;
      if (collapsed.has(summary)) counters.add(["collapsed"], occurrences);
      const hour = kind === "error" ? listHour(summary) : [];
      const rest = hour.length > 0 ? [noise, ...hour, trust] : [];
      if (occurrences === undefined)
        counters.add(["accepted", kind, ...(rest.length > 0 ? rest : [noise])]);
      else counters.add(["counted", kind, ...rest], occurrences);
    }
    return { day, counters: counters.drain() };
  });
}

/** The hour of an error, unless it was long before the log received the report. */
function listHour({ atMs, position }: ReportSummary): readonly string[] {
  const receivedDay = hourToDay(position);
  const age = Date.parse(receivedDay) - atMs;
  return age <= ERROR_TREND_DAYS * DAY_MS ? [toUtcHour(atMs)] : [];
}
