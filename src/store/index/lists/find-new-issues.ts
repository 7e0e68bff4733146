/** Finds and counts issues that were first seen recently. Bounded work, synchronous. */
import type { NewIssues } from "../../../core/overview/project-overview.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { SqlCondition } from "./issue-conditions.ts";

/**
 * The newest `count` issues first seen after `sinceMs` that no flood folds, and their total up to
 * `maxCounted`.
 */
export function findNewIssues(
  sql: SqlStorage,
  issues: Pick<IssueTable, "listSummaries">,
  sinceMs: number,
  count: number,
  maxCounted: number,
  unfolded: SqlCondition,
): NewIssues {
  const found = `FROM issue INDEXED BY list_by_first
    WHERE noise = 0 AND first_seen_ms > ? AND ${unfolded.sql}`;
  const counted = `SELECT count(*) AS n FROM (SELECT 1 ${found} LIMIT ?)`;
  const values = [sinceMs, ...unfolded.values];
  const { n } = sql.exec<{ n: number }>(counted, ...values, maxCounted + 1).one();
  const listed = `SELECT id ${found} ORDER BY first_seen_ms DESC, digest DESC LIMIT ?`;
  const rows = sql.exec<{ id: number }>(listed, ...values, count).toArray();
  return {
    issues: issues.listSummaries(rows.map(({ id }) => id)),
    total: Math.min(n, maxCounted),
    ...(n > maxCounted && { isTotalCapped: true }),
  };
}
