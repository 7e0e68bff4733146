/**
 * Lists of issues, read from the tables of the index: pages of what a query means, and what those issues have in common. A page is
 * found by where the last one ended, so that what comes meanwhile moves nothing. Every method is synchronous.
 */
import { summaryOf } from "../core/fold.ts";
import type { Issue, IssueState } from "../core/issue.ts";
import {
  type Cursor,
  type Facet,
  type Filter,
  type FilterKey,
  type IssuePage,
  type IssueQuery,
  NEW_WITHIN_MS,
  type Sort,
} from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { mostFrequent } from "../core/most-frequent.ts";
import { present } from "../core/present.ts";
import type { Digest } from "../core/report.ts";
import { valuesOf } from "./facet-table.ts";
import { matchOf } from "./search-table.ts";

const COLUMN = {
  last: "last_ms",
  first: "first_ms",
  count: "n",
  people: "people",
} as const satisfies Record<Sort, string>;
const FACETED = ["release", "env", "browser", "url", "kind", "assigned"] as const;

/** A condition of a query in SQL, and what stands in its places. */
interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The lists of the index whose tables stand in `sql`; `issueOf` reads one issue. */
export class IssueLists {
  readonly #sql: SqlStorage;
  readonly #issueOf: (digest: Digest) => Issue | undefined;

  constructor(sql: SqlStorage, issueOf: (digest: Digest) => Issue | undefined) {
    this.#sql = sql;
    this.#issueOf = issueOf;
  }

  /** The issues that were seen last, newest first, without what is kept apart as noise. */
  newest(count: number): readonly Issue[] {
    return this.#found({ sql: "noise = 0", values: [] }, "last_ms DESC, digest", count);
  }

  /** How many issues there are, of noise or without it. */
  total(isNoise: boolean): number {
    const query = "SELECT count(*) AS n FROM issue WHERE noise = ?";
    return this.#sql.exec<{ n: number }>(query, isNoise ? 1 : 0).one().n;
  }

  /** A page of what a query means. */
  page(query: IssueQuery, from: Cursor | undefined, nowMs: number): IssuePage {
    const where = whereOf(query, nowMs);
    const column = COLUMN[query.sort];
    const isBack = from?.isBefore === true;
    const start = from === undefined ? ALL : startOf(column, from);
    const way = isBack ? { at: "ASC", digest: "DESC" } : { at: "DESC", digest: "ASC" };
    const found = this.#found(
      and([where, start]),
      `${column} ${way.at}, digest ${way.digest}`,
      limits.listedIssues + 1,
    );
    const isMore = found.length > limits.listedIssues;
    const shown = found.slice(0, limits.listedIssues);
    const issues = isBack ? shown.toReversed() : shown;
    const [first, last] = [issues[0], issues.at(-1)];
    const hasPrevious = isBack ? isMore : from !== undefined;
    const hasNext = isBack || isMore;
    return {
      v: 1,
      issues: issues.map(summaryOf),
      total: this.#count(where),
      ...present({
        previous: hasPrevious && first ? cursorAt(first, query.sort, true) : undefined,
        next: hasNext && last ? cursorAt(last, query.sort, false) : undefined,
      }),
      asOfMs: nowMs,
    };
  }

  /**
   * What the issues that a query means have in common. In a very large project only the newest of them are looked at, and `among`
   * says how many.
   */
  facets(query: IssueQuery, nowMs: number): readonly Facet[] {
    const where = whereOf(query, nowMs);
    return this.#count(ALL) < limits.maxCountedIssues
      ? this.#facetsOfAll(where)
      : this.#facetsOfNewest(where);
  }

  #facetsOfAll({ sql, values }: Where): readonly Facet[] {
    const matching = `SELECT digest FROM ${LISTED} WHERE ${sql}`;
    const counts = this.#sql
      .exec<{ key: FilterKey; value: string; n: number }>(
        `SELECT key, value, count(*) AS n FROM facet
         WHERE key NOT IN ('new', 'regressed', 'fixed') AND digest IN (${matching})
         GROUP BY key, value
         UNION ALL SELECT 'kind', kind, count(*) FROM ${LISTED} WHERE ${sql} GROUP BY kind
         ORDER BY n DESC, value`,
        ...values,
        ...values,
      )
      .toArray();
    const perKey = Map.groupBy(counts, ({ key }) => key);
    const tags = [...perKey.keys()].filter((key) => key.startsWith("tag."));
    return [...FACETED, ...tags.slice(0, limits.valuesPerFacet)].flatMap((key) => {
      const found = perKey.get(key)?.slice(0, limits.valuesPerFacet) ?? [];
      return found.length === 0 ? [] : { key, values: found.map(({ value, n }) => [value, n]) };
    });
  }

  #facetsOfNewest(where: Where): readonly Facet[] {
    const issues = this.#found(where, "last_ms DESC", limits.facetedIssues);
    const among = issues.length;
    const tags = issues.flatMap((issue) => Object.keys(issue.tags ?? {}));
    const keys = [
      ...FACETED,
      ...mostFrequent(tags)
        .slice(0, limits.valuesPerFacet)
        .map(([key]) => `tag.${key}` as const),
    ];
    return keys.flatMap((key) => {
      const values = mostFrequent(issues.flatMap((issue) => valuesOf(issue, key))).slice(
        0,
        limits.valuesPerFacet,
      );
      return values.length === 0 ? [] : { key, values, among };
    });
  }

  #count({ sql, values }: Where): number {
    const query = `SELECT count(*) AS n FROM (SELECT 1 FROM ${LISTED} WHERE ${sql} LIMIT ?)`;
    return this.#sql.exec<{ n: number }>(query, ...values, limits.maxCountedIssues).one().n;
  }

  /** Found by the index alone, which has no bodies: those of the few that are shown are read one by one. */
  #found({ sql, values }: Where, order: string, count: number): readonly Issue[] {
    const query = `SELECT digest FROM ${LISTED} WHERE ${sql} ORDER BY ${order} LIMIT ?`;
    return this.#sql
      .exec<{ digest: string }>(query, ...values, count)
      .toArray()
      .map(({ digest }) => this.#issueOf(digest))
      .filter((issue) => issue !== undefined);
  }
}

const LISTED = "issue INDEXED BY issue_list";
/** A text without a word in it. */
const NONE: Where = { sql: "0", values: [] };
const ALL: Where = { sql: "1", values: [] };

function whereOf(query: IssueQuery, nowMs: number): Where {
  const { states, isNoise, isRegressed, isNew, isUnassigned, filters, text } = query;
  const match = text === "" ? undefined : matchOf(text);
  return and([
    { sql: "noise = ?", values: [isNoise ? 1 : 0] },
    ...(states.length === 0 ? [] : [or(states.map((state) => stateIs(state, nowMs)))]),
    ...(isRegressed ? [{ sql: "regressed = 1", values: [] }] : []),
    ...(isNew ? [{ sql: "first_ms > ?", values: [nowMs - NEW_WITHIN_MS] }] : []),
    ...(isUnassigned ? [{ sql: UNASSIGNED, values: [] }] : []),
    ...filters.map(whereOfFilter),
    ...(text === "" ? [] : [match === undefined ? NONE : { sql: MATCHING, values: [match] }]),
  ]);
}

const UNASSIGNED = "digest NOT IN (SELECT digest FROM facet WHERE key = 'assigned')";
const MATCHING = "digest IN (SELECT digest FROM issue_words WHERE issue_words MATCH ?)";

function stateIs(state: IssueState, nowMs: number): Where {
  const over = "(state = 'ignored' AND until_ms <= ?)";
  if (state === "open") return { sql: `(state = 'open' OR ${over})`, values: [nowMs] };
  if (state !== "ignored") return { sql: "state = ?", values: [state] };
  return { sql: `(state = 'ignored' AND coalesce(${over}, 0) = 0)`, values: [nowMs] };
}

function whereOfFilter({ key, value, isExact, isNot }: Filter): Where {
  const isColumn = key === "kind" || key === "type";
  const name = isColumn ? key : "value";
  const is = isExact ? `${name} = ?` : `instr(lower(${name}), ?) > 0`;
  // As SQLite's own `lower` does it.
  const sought = isExact ? value : value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const not = isNot ? "NOT " : "";
  if (isColumn) return { sql: `${not}(${is})`, values: [sought] };
  const having = `SELECT digest FROM facet WHERE key = ? AND ${is}`;
  return { sql: `digest ${not}IN (${having})`, values: [key, sought] };
}

function startOf(column: string, { at, digest, isBefore }: Cursor): Where {
  const sql = isBefore
    ? `(${column} > ? OR (${column} = ? AND digest < ?))`
    : `(${column} < ? OR (${column} = ? AND digest > ?))`;
  return { sql, values: [at, at, digest] };
}

function cursorAt(issue: Issue, sort: Sort, isBefore: boolean): Cursor {
  const { people = 0 } = summaryOf(issue);
  const at = {
    last: issue.lastSeenMs,
    first: issue.firstSeenMs,
    count: issue.count,
    people,
  }[sort];
  return { at, digest: issue.digest, isBefore };
}

function and(all: readonly Where[]): Where {
  return {
    sql: all.map(({ sql }) => sql).join(" AND "),
    values: all.flatMap(({ values }) => values),
  };
}

function or(all: readonly Where[]): Where {
  return {
    sql: `(${all.map(({ sql }) => sql).join(" OR ")})`,
    values: all.flatMap(({ values }) => values),
  };
}
