/** Which of an issue's reports is open, and which one stands beside it. */

import type { ReportSummary } from "../report/report-summary.ts";
import type { Issue } from "./issue.ts";

/** The report that is open when none is asked for: the newest occurrence, else the newest of all. */
export function findLatestReport(
  latestReports: readonly ReportSummary[],
): ReportSummary | undefined {
  return latestReports.find(({ isLinked }) => !isLinked) ?? latestReports[0];
}

/**
 * The newest report of the other side than the one that is open (`reportId`, else the newest); one that says more than that the
 * notice was shown comes first. Undefined where there is none.
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
  return others.find(({ kind }) => kind !== "notice") ?? others[0];
}
