/**
 * Lists of issues: pages of a query's results, and their facets. Pages are addressed by the last
 * issue of the previous page, so that new issues do not shift them. Synchronous.
 */
import type { Issue, IssueList, IssueSummary } from "../../../core/issue/issue.ts";
import type {
  FilterKey,
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueQuery,
  IssueSort,
} from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { countMostFrequent } from "../../../core/most-frequent.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import { listFacetValues } from "../tables/facet-table.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import {
  joinWithAnd,
  MATCH_ALL,
  type SqlCondition,
  toCondition,
  toCursorCondition,
} from "./issue-conditions.ts";

const SORT_COLUMNS = {
  last: "last_seen_ms",
  first: "first_seen_ms",
  count: "report_count",
  users: "user_count",
} as const satisfies Record<IssueSort, string>;
const FACET_KEYS = ["release", "env", "browser", "url", "kind", "trust", "assigned"] as const;

export class IssueLists {
  readonly #sql: SqlStorage;
  readonly #issues: Pick<IssueTable, "get" | "getSummary" | "countIssues">;

  constructor(sql: SqlStorage, issues: Pick<IssueTable, "get" | "getSummary" | "countIssues">) {
    this.#sql = sql;
    this.#issues = issues;
  }

  /** The issues last seen, newest first, without noise. */
  listNewest(count: number): readonly Issue[] {
    return this.#getIssues(this.#findNewest(count));
  }

  #findNewest(count: number): readonly Digest[] {
    return this.#findDigests({ sql: "noise = 0", values: [] }, "last_seen_ms DESC, digest", count);
  }

  /** The list of the newest issues as it is stored in KV. */
  createSnapshot(nowMs: number): IssueList {
    const issues = this.#getSummaries(this.#findNewest(limits.newestIssues));
    const [total, noiseTotal] = [this.#issues.countIssues(false), this.#issues.countIssues(true)];
    return { v: 1, issues, total, noiseTotal, asOfMs: nowMs };
  }

  /** The page of a query after (or before) a cursor; the first page without one. */
  listPage(query: IssueQuery, from: IssueCursor | undefined, nowMs: number): IssueListPage {
    const condition = toCondition(query, nowMs);
    const column = SORT_COLUMNS[query.sort];
    const isBackward = from?.isBackward === true;
    const cursorCondition = from === undefined ? MATCH_ALL : toCursorCondition(column, from);
    const direction = isBackward ? { at: "ASC", digest: "DESC" } : { at: "DESC", digest: "ASC" };
    const found = this.#findDigests(
      joinWithAnd([condition, cursorCondition]),
      `${column} ${direction.at}, digest ${direction.digest}`,
      limits.listedIssues + 1,
    );
    const hasMore = found.length > limits.listedIssues;
    const visible = this.#getSummaries(found.slice(0, limits.listedIssues));
    const issues = isBackward ? visible.toReversed() : visible;
    const [first, last] = [issues[0], issues.at(-1)];
    const hasPrevious = isBackward ? hasMore : from !== undefined;
    const hasNext = isBackward || hasMore;
    return {
      v: 1,
      issues,
      ...this.#countMatches(condition),
      ...omitUndefined({
        previous: hasPrevious && first ? createCursor(first, query.sort, true) : undefined,
        next: hasNext && last ? createCursor(last, query.sort, false) : undefined,
      }),
      asOfMs: nowMs,
    };
  }

  /**
   * The most frequent values of a query's issues, those with most trusted issues first. In a very
   * large project only the newest issues are counted; `sampleSize` is their number.
   */
  listFacets(query: IssueQuery, nowMs: number): readonly IssueFacet[] {
    const condition = toCondition(query, nowMs);
    return this.#countMatches(MATCH_ALL).total < limits.maxCountedIssues
      ? this.#countAllFacets(condition)
      : this.#countNewestFacets(condition);
  }

  #countAllFacets({ sql, values }: SqlCondition): readonly IssueFacet[] {
    const matching = `SELECT digest, trust FROM ${ISSUES_BY_INDEX} WHERE ${sql}`;
    const counts = this.#sql
      .exec<{ key: FilterKey; value: string; n: number }>(
        `SELECT key, value, count(*) AS n, ${COUNT_TRUSTED} AS trusted
         FROM facet JOIN (${matching}) USING(digest)
         WHERE key NOT IN ('new', 'regressed', 'fixed')
         GROUP BY key, value
         UNION ALL SELECT 'kind', kind, count(*), ${COUNT_TRUSTED}
           FROM ${ISSUES_BY_INDEX} WHERE ${sql} GROUP BY kind
         UNION ALL SELECT 'trust', trust, count(*), ${COUNT_TRUSTED}
           FROM ${ISSUES_BY_INDEX} WHERE ${sql} GROUP BY trust
         ORDER BY trusted DESC, n DESC, value`,
        ...values,
        ...values,
        ...values,
      )
      .toArray();
    const perKey = Map.groupBy(counts, ({ key }) => key);
    const tags = [...perKey.keys()].filter((key) => key.startsWith("tag."));
    return [...FACET_KEYS, ...tags.slice(0, limits.valuesPerFacet)].flatMap((key) => {
      const found = perKey.get(key)?.slice(0, limits.valuesPerFacet) ?? [];
      if (!isWorthShowing(key, found)) return [];
      return { key, values: found.map(({ value, n }) => [value, n]) };
    });
  }

  #countNewestFacets(condition: SqlCondition): readonly IssueFacet[] {
    const found = this.#findDigests(condition, "last_seen_ms DESC", limits.facetedIssues);
    const issues = this.#getIssues(found);
    const sampleSize = issues.length;
    const tags = issues.flatMap((issue) => Object.keys(issue.tags ?? {}));
    const keys = [
      ...FACET_KEYS,
      ...countMostFrequent(tags)
        .slice(0, limits.valuesPerFacet)
        .map(([key]) => `tag.${key}` as const),
    ];
    return keys.flatMap((key) => {
      const list = (those: readonly Issue[]) =>
        countMostFrequent(those.flatMap((issue) => listFacetValues(issue, key)));
      const trusted = new Map(list(issues.filter(({ trust }) => isTrusted(trust))));
      const values = list(issues)
        .toSorted(([one], [other]) => (trusted.get(other) ?? 0) - (trusted.get(one) ?? 0))
        .slice(0, limits.valuesPerFacet);
      return isWorthShowing(key, values) ? { key, values, sampleSize } : [];
    });
  }

  #countMatches({ sql, values }: SqlCondition): Pick<IssueListPage, "total" | "hasTrusted"> {
    const query = `SELECT count(*) AS total, max(trust <> 'public') AS hasTrusted
      FROM (SELECT trust FROM ${ISSUES_BY_INDEX} WHERE ${sql} LIMIT ?)`;
    const { total, hasTrusted } = this.#sql
      .exec<{ total: number; hasTrusted: number | null }>(query, ...values, limits.maxCountedIssues)
      .one();
    return { total, ...(hasTrusted === 1 && { hasTrusted: true }) };
  }

  /** By the SQL index: reads no row of an issue. */
  #findDigests({ sql, values }: SqlCondition, order: string, count: number): readonly Digest[] {
    const query = `SELECT digest FROM ${ISSUES_BY_INDEX} WHERE ${sql} ORDER BY ${order} LIMIT ?`;
    return this.#sql
      .exec<{ digest: string }>(query, ...values, count)
      .toArray()
      .map(({ digest }) => digest);
  }

  #getIssues(digests: readonly Digest[]): readonly Issue[] {
    return digests.flatMap((digest) => this.#issues.get(digest) ?? []);
  }

  #getSummaries(digests: readonly Digest[]): readonly IssueSummary[] {
    return digests.flatMap((digest) => this.#issues.getSummary(digest) ?? []);
  }
}

/** Where all issues have the same trust, the facet would only take room. */
function isWorthShowing(key: FilterKey, values: readonly unknown[]): boolean {
  return values.length > (key === "trust" ? 1 : 0);
}

const ISSUES_BY_INDEX = "issue INDEXED BY issue_list";
const COUNT_TRUSTED = "sum(trust <> 'public')";

function createCursor(issue: IssueSummary, sort: IssueSort, isBefore: boolean): IssueCursor {
  const at = {
    last: issue.lastSeenMs,
    first: issue.firstSeenMs,
    count: issue.count,
    users: issue.userCount ?? 0,
  }[sort];
  return { sortValue: at, digest: issue.digest, isBackward: isBefore };
}
