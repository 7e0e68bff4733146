/**
 * The newest reports that an issue lists. Occurrences, linked reports and feedback of each trust
 * level have separate limits, so that none displaces another.
 */
import { limits } from "../limits.ts";
import type { ReportSummary } from "../report/report-summary.ts";

/**
 * The newest reports, at most `limits.latestReports` of each category and trust level, newest
 * first.
 */
export function listLatestPerCategory(reports: readonly ReportSummary[]): readonly ReportSummary[] {
  const listed = new Map<string, number>();
  return [...reports]
    .sort((a, b) => b.atMs - a.atMs)
    .filter(({ isLinked, kind, trust }) => {
      const category = `${trust} ${isLinked ? (kind === "feedback" ? kind : "linked") : "own"}`;
      const count = (listed.get(category) ?? 0) + 1;
      listed.set(category, count);
      return count <= limits.latestReports;
    });
}

/** A summary without the members that only the index reads, or that all reports share. */
export function toLatestReport(summary: ReportSummary): ReportSummary {
  const {
    traceId: _traceId,
    pageTraceId: _pageTraceId,
    tags: _tags,
    grouping: _grouping,
    ...rest
  } = summary;
  const { userSketch: _userSketch, sentStack: _sentStack, dist: _dist, ...known } = rest;
  const { networkSketch: _networkSketch, senderKey: _senderKey, ...report } = known;
  return report;
}
