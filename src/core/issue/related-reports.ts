/** Selects the reports of an issue to show, in an order that senders of low trust cannot change. */

import type { ReportSummary } from "../report/report-summary.ts";
import { TRUST_LEVELS, type Trust } from "../trust/trust.ts";
import type { Issue } from "./issue.ts";

/**
 * The report to open by default: the newest occurrence, else the newest report. Reports of a higher
 * level come first, so that strangers cannot choose the first report that members see.
 */
export function findLatestReport(
  latestReports: readonly ReportSummary[],
): ReportSummary | undefined {
  const occurrences = latestReports.filter(({ isLinked }) => !isLinked);
  return preferTrusted(occurrences) ?? preferTrusted(latestReports);
}

/**
 * The newest report from the other side: a browser's if the open report (`reportId`, else the
 * default) is a server's, and vice versa. Prefers any other report to one that only says that the
 * notice was shown.
 */
export function findCounterpart(
  { latestReports }: Pick<Issue, "latestReports">,
  reportId: string | undefined,
): ReportSummary | undefined {
  const selected =
    reportId === undefined
      ? findLatestReport(latestReports)
      : latestReports.find(({ id }) => id === reportId);
  if (selected === undefined) return undefined;
  const others = latestReports.filter(
    ({ side, kind }) => side !== selected.side && kind !== "feedback",
  );
  return preferTrusted(others.filter(({ kind }) => kind !== "notice")) ?? preferTrusted(others);
}

/** Reports of the highest level first; within a level, in the given order. */
export function sortByTrust<T extends { readonly trust: Trust }>(
  reports: readonly T[],
): readonly T[] {
  return TRUST_LEVELS.flatMap((level) => reports.filter(({ trust }) => trust === level));
}

/**
 * At most `count` reports: half of them the newest of the highest levels, then the newest others.
 * Reports of lower levels therefore cannot displace those of higher ones.
 */
export function selectNewestReports<T extends { readonly trust: Trust }>(
  newestFirst: readonly T[],
  count: number,
): readonly T[] {
  const highest = new Set(sortByTrust(newestFirst).slice(0, Math.ceil(count / 2)));
  const others = newestFirst.filter((report) => !highest.has(report));
  return [...highest, ...others].slice(0, count);
}

function preferTrusted(reports: readonly ReportSummary[]): ReportSummary | undefined {
  return sortByTrust(reports)[0];
}
