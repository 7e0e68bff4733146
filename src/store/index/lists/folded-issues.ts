/** Finds the issues that floods fold into one row. Bounded work, synchronous. */
import { type Flood, type FoldedIssue, findFloodOf } from "../../../core/flood/flood.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import { limits } from "../../../core/limits.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import { ISSUE_COLUMN_NAMES, type IssueColumns, toIssueSummary } from "../tables/issue-columns.ts";
import type { SqlCondition } from "./issue-conditions.ts";

const COLUMNS = ["digest", ...ISSUE_COLUMN_NAMES].join(", ");
/** Public reports may be backdated by an hour. */
const MAX_BACKDATED_MS = HOUR_MS;
/** A flood of a day begins fewer issues, and the issue of others is one more. */
const MAX_FOLDED = limits.maxNewPublicIssuesPerDay + 1;

/** The issues of the floods; none, without a query, if there is no flood. */
export function findFoldedIssues(
  sql: SqlStorage,
  floods: readonly Flood[],
): readonly FoldedIssue[] {
  if (floods.length === 0) return [];
  const sinceMs = Math.min(...floods.map((flood) => flood.sinceMs)) - MAX_BACKDATED_MS;
  const rows = sql.exec<IssueColumns & { digest: string }>(
    `SELECT ${COLUMNS} FROM (
       SELECT ${COLUMNS} FROM issue INDEXED BY list_by_first
       WHERE noise = 0 AND first_seen_ms > ? AND trust = 'public'
       ORDER BY first_seen_ms DESC LIMIT ?)
     UNION ALL SELECT ${COLUMNS} FROM issue WHERE digest = ? AND first_seen_ms <= ?`,
    ...[sinceMs, MAX_FOLDED, OTHER_ANONYMOUS_DIGEST, sinceMs],
  );
  return [...rows].flatMap(({ digest, ...columns }) => {
    const flood = findFloodOf(toIssueSummary(digest, columns), floods);
    return flood === undefined ? [] : [{ digest, flood, reports: columns.report_count }];
  });
}

/** The condition that an issue is (`isIn`), or is not, one of these. */
export function toFoldedCondition(folded: readonly FoldedIssue[], isIn: boolean): SqlCondition {
  const digests = JSON.stringify(folded.map(({ digest }) => digest));
  const list = "(SELECT value FROM json_each(?))";
  return { sql: `digest ${isIn ? "IN" : "NOT IN"} ${list}`, values: [digests] };
}
