/** Finds and counts issues that were first seen recently. Bounded work, synchronous. */
import type { LevelTotal, NewIssues } from "../../../core/overview/project-overview.ts";
import { TRUST_LEVELS, type Trust, toTrustRank } from "../../../core/trust/trust.ts";
import type { IssueTable } from "../tables/issue-table.ts";

/** Issues first seen after `sinceMs`, the newest `count` of each level before the next level. */
export function findNewIssues(
  sql: SqlStorage,
  issues: Pick<IssueTable, "listSummaries">,
  sinceMs: number,
  count: number,
  maxCounted: number,
): NewIssues {
  const ofLevel = `FROM issue INDEXED BY issue_by_first
    WHERE noise = 0 AND trust_rank = ? AND first_seen_ms > ?`;
  const countLevel = (trust: Trust): LevelTotal => {
    const query = `SELECT count(*) AS n FROM (SELECT 1 ${ofLevel} LIMIT ?)`;
    const values = [toTrustRank(trust), sinceMs, maxCounted + 1];
    const { n } = sql.exec<{ n: number }>(query, ...values).one();
    return n > maxCounted ? { trust, total: maxCounted, isTotalCapped: true } : { trust, total: n };
  };
  const listIds = ({ trust }: LevelTotal) => {
    const query = `SELECT id ${ofLevel} ORDER BY first_seen_ms DESC, digest DESC LIMIT ?`;
    const rows = sql.exec<{ id: number }>(query, toTrustRank(trust), sinceMs, count).toArray();
    return rows.map(({ id }) => id);
  };
  const totals = TRUST_LEVELS.map(countLevel).filter(({ total }) => total > 0);
  return { issues: issues.listSummaries(totals.flatMap(listIds).slice(0, count)), totals };
}
