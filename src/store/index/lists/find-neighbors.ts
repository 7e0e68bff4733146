/** Finds the issues next to one in the list of a query. Synchronous. */
import type { IssueCursor, IssueNeighbors } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import type { Digest } from "../../../core/report.ts";
import { SORT_COLUMNS } from "../tables/issue-columns.ts";
import { findIssues } from "./find-issues.ts";
import type { SqlCondition } from "./issue-conditions.ts";
import { type PositionRow, toPosition } from "./issue-rows.ts";
import type { ListBounds } from "./list-search.ts";

/** Sorts after every character of a digest. */
const AFTER_DIGEST = "~";

/** The neighbors; null if the issue is unknown. The issue need not match the query. */
export function findNeighbors(
  sql: SqlStorage,
  query: IssueQuery,
  digest: Digest,
  nowMs: number,
  bounds: ListBounds,
  folded: SqlCondition | undefined,
): IssueNeighbors | null {
  const [row] = sql.exec<PositionRow>(
    `SELECT ${SORT_COLUMNS[query.sort]} AS at, digest FROM issue WHERE digest = ?`,
    digest,
  );
  if (row === undefined) return null;
  const place = toPosition(row);
  const find = (from: IssueCursor | undefined, count: number, withTotal = false) =>
    findIssues(sql, query, nowMs, { from, count, withTotal, folded }, bounds);
  // Nearest first.
  const before = find({ ...place, isBackward: true }, bounds.maxCountedIssues);
  const from = { ...place, digest: `${digest}${AFTER_DIGEST}`, isBackward: false };
  const [first, second] = find(from, 2).issues;
  const isListed = first?.digest === digest;
  const { total, isTotalCapped } = find(undefined, 1, true);
  const precedingCount = before.issues.length;
  const pageStart = precedingCount - (precedingCount % bounds.listedIssues);
  const pageEnd = before.hasMore ? undefined : before.issues[precedingCount - pageStart];
  return {
    previous: before.issues[0]?.digest,
    next: (isListed ? second : first)?.digest,
    position: isListed && !before.hasMore ? precedingCount + 1 : undefined,
    page: pageStart > 0 && pageEnd ? toCursor(pageEnd) : undefined,
    total,
    ...(isTotalCapped && { isTotalCapped }),
  };
}

function toCursor({ sortValue, digest }: Omit<IssueCursor, "isBackward">): IssueCursor {
  return { sortValue, digest, isBackward: false };
}
