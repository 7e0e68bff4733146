/** Finds the issues with reports at a moment. Synchronous. */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { IssueTable } from "../tables/issue-table.ts";

/** An issue, and when one of its known reports occurred, ms. */
export interface IssueAt {
  readonly issue: IssueSummary;
  readonly atMs: number;
}

/** Issues whose reports are examined: those last seen soonest after the moment. */
const MAX_EXAMINED = 100;
const MAX_FOUND = 10;

/**
 * The issues of which a report occurred between two times, in order, at most ten. Of the reports of
 * an issue, the first, the last and the newest are known. Noise is left out.
 */
export function findIssuesAt(
  sql: SqlStorage,
  issues: Pick<IssueTable, "get" | "getSummary">,
  fromMs: number,
  toMs: number,
): readonly IssueAt[] {
  const query = `SELECT digest FROM issue INDEXED BY list_by_last
    WHERE noise = 0 AND last_seen_ms >= ? AND first_seen_ms <= ? ORDER BY last_seen_ms LIMIT ?`;
  const rows = sql.exec<{ digest: string }>(query, fromMs, toMs, MAX_EXAMINED).toArray();
  const found = rows.flatMap(({ digest }): readonly IssueAt[] => {
    const issue = issues.get(digest);
    const summary = issues.getSummary(digest);
    if (issue === undefined || summary === undefined) return [];
    const times = [
      issue.firstSeenMs,
      issue.lastSeenMs,
      ...issue.latestReports.map(({ atMs }) => atMs),
    ];
    const [atMs] = times.filter((time) => time >= fromMs && time <= toMs).sort((a, b) => a - b);
    return atMs === undefined ? [] : [{ issue: summary, atMs }];
  });
  return found.sort((a, b) => a.atMs - b.atMs).slice(0, MAX_FOUND);
}
