/**
 * Finds the issues of a query, with bounded work in a project of any size. Synchronous.
 *
 * If few issues have one of the values or words of the query, `sortAll` reads and sorts these.
 * Otherwise `scan` reads the list in its order and tests each issue: by a set of ids, if the values
 * or words have few enough issues, else by its own values and text. A scan ends at a page of issues
 * or at a number of examined issues.
 */
import type { IssueCursor, IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted, type Trust } from "../../../core/trust/trust.ts";
import { countMatches } from "../tables/fts.ts";
import { SORT_COLUMNS } from "../tables/issue-columns.ts";
import { normalizeText } from "../tables/search-words.ts";
import {
  joinWithAnd,
  type QueryConditions,
  type SqlCondition,
  type TermCondition,
  toConditions,
} from "./issue-conditions.ts";

/** A position in the order of a list. */
export type ListPosition = Omit<IssueCursor, "isBackward">;

/** An issue of a list. */
export interface FoundIssue extends ListPosition {
  readonly id: number;
  readonly trust: Trust;
  /** The JSON of `FacetValues`, if they were asked for. */
  readonly valuesJson: string;
}

/** Issues of a query after (or before) a cursor. */
export interface FoundIssues {
  /** In the order of the list, from the cursor on. */
  readonly issues: readonly FoundIssue[];
  /** There are more: after the last of `issues`, or after this position. */
  readonly hasMore: boolean;
  readonly examinedUntil?: ListPosition;
  /** The issues of the whole query, counted up to a limit. */
  readonly total: number;
  readonly isTotalCapped: boolean;
  readonly hasTrusted: boolean;
}

/** The limits of `core/limits.ts` that bound the work of a list. */
export type ListBounds = Readonly<
  Record<
    | ("listedIssues" | "facetedIssues")
    | ("maxCountedIssues" | "maxSortedIssues" | "maxIssuesInSet")
    | ("maxScannedIssues" | "maxTestedIssues" | "maxReadFacetValues" | "maxValuesPerFilter"),
    number
  >
>;

/** What to find. */
interface Search {
  readonly query: IssueQuery;
  readonly conditions: QueryConditions;
  readonly from: IssueCursor | undefined;
  /** Issues to return. */
  readonly count: number;
  /** Each with its values, for facets. */
  readonly withValues?: boolean;
  /** With the total of the query. */
  readonly withTotal?: boolean;
  readonly bounds: ListBounds;
}

/** At most `count` issues of a query, from a cursor or the beginning. */
export function findIssues(
  sql: SqlStorage,
  query: IssueQuery,
  nowMs: number,
  options: Pick<Search, "from" | "count" | "withValues" | "withTotal">,
  bounds: ListBounds = limits,
): FoundIssues {
  const conditions = toConditions(sql, query, nowMs, bounds);
  if (conditions === null) return NOTHING;
  const search = { query, conditions, bounds, ...options };
  const source = findSource(sql, search, bounds.maxSortedIssues);
  return source === undefined ? scan(sql, search) : sortAll(sql, search, source);
}

const NOTHING: FoundIssues = {
  issues: [],
  hasMore: false,
  total: 0,
  isTotalCapped: false,
  hasTrusted: false,
};

/** A query of ids, and the conditions that it does not cover. */
interface IdSource {
  readonly ids: SqlCondition;
  readonly others: readonly TermCondition[];
}

/** The ids of a condition that at most `max` issues meet; undefined if there is none. */
function findSource(
  sql: SqlStorage,
  { query, conditions }: Search,
  max: number,
): IdSource | undefined {
  const rare = conditions.terms.find((term) => !term.isNegated && isRare(sql, term, max));
  return rare === undefined
    ? findNewSource(sql, query.isNoise, conditions, max)
    : joinWithTable(conditions.terms, rare.table);
}

/** True if at most `max` issues have the value or word. */
function isRare(sql: SqlStorage, { table, match }: TermCondition, max: number): boolean {
  return match !== undefined && countMatches(sql, table, match, max + 1) <= max;
}

/** All conditions on a table as one FTS5 expression. Its work is bounded by its rarest part. */
function joinWithTable(terms: readonly TermCondition[], table: TermCondition["table"]): IdSource {
  const list = (isNegated: boolean) =>
    terms.flatMap((term) =>
      term.table === table && term.isNegated === isNegated && term.match !== undefined
        ? `(${term.match})`
        : [],
    );
  const [included, excluded] = [list(false).join(" AND "), list(true).join(" OR ")];
  const match = excluded === "" ? included : `(${included}) NOT (${excluded})`;
  return {
    ids: toIds(table, match),
    others: terms.filter((term) => term.table !== table || term.match === undefined),
  };
}

/** The rowid of the search text of a public issue is negative. */
function toIds(table: TermCondition["table"], match: string): SqlCondition {
  const sql = `SELECT abs(rowid) AS id FROM ${table} WHERE ${table} MATCH ?`;
  return { sql, values: [match] };
}

/** The ids of `is:new`. */
function findNewSource(
  sql: SqlStorage,
  isNoise: boolean,
  { newSinceMs, terms }: QueryConditions,
  max: number,
): IdSource | undefined {
  if (newSinceMs === undefined) return undefined;
  const ids = {
    sql: "SELECT id FROM issue INDEXED BY issue_by_first WHERE noise = ? AND is_trusted IN (0, 1) AND first_seen_ms > ?",
    values: [isNoise ? 1 : 0, newSinceMs],
  };
  const count = `SELECT count(*) AS n FROM (${ids.sql} LIMIT ?)`;
  const { n } = sql.exec<{ n: number }>(count, ...ids.values, max + 1).one();
  return n > max ? undefined : { ids, others: terms };
}

/** Reads and sorts all issues of the query. */
function sortAll(sql: SqlStorage, search: Search, { ids, others }: IdSource): FoundIssues {
  const { query, conditions, from, count } = search;
  const { columns, joins } = toSelection(search, others, "issue");
  const rows = sql.exec<IssueRow>(
    `SELECT ${SORT_COLUMNS[query.sort]} AS at, ${columns}
     FROM (${ids.sql}) AS source CROSS JOIN issue ON issue.id = source.id ${joins}
     WHERE noise = ? AND ${conditions.columns.sql}`,
    ...ids.values,
    query.isNoise ? 1 : 0,
    ...conditions.columns.values,
  );
  const all = [...testAll(rows, others)];
  const direction = from?.isBackward === true ? -1 : 1;
  const rest = all
    .filter((issue) => from === undefined || direction * comparePositions(issue, from) > 0)
    .sort((a, b) => direction * comparePositions(a, b));
  return {
    issues: rest.slice(0, count),
    hasMore: rest.length > count,
    total: all.length,
    isTotalCapped: false,
    hasTrusted: all.some(({ trust }) => isTrusted(trust)),
  };
}

/** In the order of a list: trusted issues first, then descending. */
function comparePositions(a: ListPosition, b: ListPosition): number {
  return (
    Number(b.isTrusted) - Number(a.isTrusted) ||
    b.sortValue - a.sortValue ||
    (a.digest < b.digest ? 1 : a.digest > b.digest ? -1 : 0)
  );
}

/** Reads the list from the cursor on. */
function scan(sql: SqlStorage, search: Search): FoundIssues {
  const { from, count, conditions, bounds } = search;
  const { sets, others } = chooseSets(sql, search);
  const isTested = others.length > 0;
  const max = isTested ? bounds.maxTestedIssues : bounds.maxScannedIssues;
  const condition = joinWithAnd([conditions.columns, ...sets]);
  const scanned = toScanned(search, from, `LIMIT ${max}`);
  const { columns, joins } = toSelection(search, others, "scanned");
  const rows = sql.exec<IssueRow>(
    // The order of the inner query holds, because nothing reorders the outer one.
    `SELECT at, ${columns} FROM (${scanned.sql}) AS scanned ${joins} WHERE ${condition.sql}
     ${isTested ? "" : `LIMIT ${count + 1}`}`,
    ...scanned.values,
    ...condition.values,
  );
  const issues: FoundIssue[] = [];
  for (const issue of testAll(rows, others)) {
    issues.push(issue);
    if (issues.length > count) break;
  }
  // An unfinished cursor locks its tables until it is collected.
  rows.toArray();
  const isFull = issues.length > count;
  const last = toScanned(search, from, `LIMIT 1 OFFSET ${max - 1}`);
  const [end] = isFull ? [] : sql.exec<PositionRow>(last.sql, ...last.values);
  const found = issues.slice(0, count);
  const isCut = isFull || end !== undefined;
  return {
    issues: found,
    hasMore: isCut,
    ...(end && { examinedUntil: toPosition(end) }),
    ...(search.withTotal === true && !isTested && (isCut || from !== undefined)
      ? countScanned(sql, search, condition)
      : {
          total: found.length,
          isTotalCapped: isCut || from !== undefined,
          hasTrusted: found.some(({ trust }) => isTrusted(trust)),
        }),
  };
}

/** The position before the first public issue. */
export const END_OF_TRUSTED: IssueCursor = {
  ...{ isTrusted: true, sortValue: -1, digest: "", isBackward: false },
};

/** The next issues of the list, whether or not they match. */
function toScanned(
  { query: { sort, isNoise, filters } }: Search,
  cursor: IssueCursor | undefined,
  limit: string,
): SqlCondition {
  const isPublic = filters.some(
    ({ key, value, isNegated }) => key === "trust" && value === "public" && !isNegated,
  );
  const from = cursor ?? (isPublic ? END_OF_TRUSTED : undefined);
  const column = SORT_COLUMNS[sort];
  const [comparison, direction] = from?.isBackward === true ? [">", "ASC"] : ["<", "DESC"];
  const columns = `id, ${column} AS at, digest, trust, state, ignored_until_ms, first_seen_ms`;
  const after =
    from === undefined ? "" : `AND (is_trusted, ${column}, digest) ${comparison} (?, ?, ?)`;
  const position = from && [from.isTrusted ? 1 : 0, from.sortValue, from.digest];
  return {
    sql: `SELECT ${columns} FROM issue INDEXED BY issue_by_${sort} WHERE noise = ? ${after}
      ORDER BY is_trusted ${direction}, ${column} ${direction}, digest ${direction} ${limit}`,
    values: [isNoise ? 1 : 0, ...(position ?? [])],
  };
}

/** The conditions that a scan looks up in sets, and those that it tests. */
function chooseSets(
  sql: SqlStorage,
  search: Search,
): { readonly sets: readonly SqlCondition[]; readonly others: readonly TermCondition[] } {
  const { terms } = search.conditions;
  const source = findSource(sql, search, search.bounds.maxIssuesInSet);
  if (source !== undefined) return { sets: [toSet(source.ids, false)], others: source.others };
  // One set at most, so that the work does not grow with the number of filters.
  const excluded = terms.find(
    (term) => term.isNegated && isRare(sql, term, search.bounds.maxIssuesInSet),
  );
  if (excluded?.match === undefined) return { sets: [], others: terms };
  return {
    sets: [toSet(toIds(excluded.table, excluded.match), true)],
    others: terms.filter((term) => term !== excluded),
  };
}

function toSet({ sql, values }: SqlCondition, isNegated: boolean): SqlCondition {
  return { sql: `scanned.id ${isNegated ? "NOT " : ""}IN (${sql})`, values };
}

/** Counts the matches among the first issues of the list. */
function countScanned(
  sql: SqlStorage,
  search: Search,
  condition: SqlCondition,
): Pick<FoundIssues, "total" | "isTotalCapped" | "hasTrusted"> {
  const { maxScannedIssues, maxCountedIssues: max } = search.bounds;
  const scanned = toScanned(search, undefined, `LIMIT ${maxScannedIssues}`);
  const { total, hasTrusted, size } = sql
    .exec<{ total: number; hasTrusted: number | null; size: number }>(
      `SELECT count(*) AS total, max(trust <> 'public') AS hasTrusted,
         coalesce((SELECT total FROM issue_total WHERE noise = ?), 0) AS size
       FROM (SELECT trust FROM (${scanned.sql}) AS scanned WHERE ${condition.sql} LIMIT ?)`,
      search.query.isNoise ? 1 : 0,
      ...scanned.values,
      ...condition.values,
      max + 1,
    )
    .one();
  return {
    total: Math.min(total, max),
    isTotalCapped: total > max || size > maxScannedIssues,
    hasTrusted: hasTrusted === 1,
  };
}

interface PositionRow extends Record<string, SqlStorageValue> {
  readonly at: number;
  readonly digest: Digest;
  readonly trust: Trust;
}

function toPosition({ at, digest, trust }: PositionRow): ListPosition {
  return { isTrusted: isTrusted(trust), sortValue: at, digest };
}

interface IssueRow extends PositionRow {
  readonly id: number;
  /** The JSON of the values, if they are needed. */
  readonly facet_values: string | null;
  readonly text: string | null;
}

/** The columns of `IssueRow`, except `at`, and the joins that they need. */
function toSelection(
  { withValues }: Search,
  tested: readonly TermCondition[],
  from: "issue" | "scanned",
): { readonly columns: string; readonly joins: string } {
  const needsValues = withValues === true || tested.some(({ table }) => table === "facet");
  const needsText = tested.some(({ table }) => table === "issue_search");
  const toText = (rowid: string) => `(SELECT text FROM issue_search WHERE rowid = ${rowid})`;
  const text = needsText ? `coalesce(${toText(`${from}.id`)}, ${toText(`-${from}.id`)})` : "NULL";
  return {
    columns: `${from}.id, ${from}.digest, ${from}.trust, ${text} AS text,
      ${needsValues ? "facet_values" : "NULL AS facet_values"}`,
    joins: needsValues ? `LEFT JOIN facet ON facet.rowid = ${from}.id` : "",
  };
}

function* testAll(
  rows: Iterable<IssueRow>,
  conditions: readonly TermCondition[],
): Generator<FoundIssue> {
  for (const row of rows) {
    const valuesJson = row.facet_values ?? "{}";
    const terms = { valuesJson, text: normalizeText(row.text ?? "") };
    if (conditions.every(({ isIn, isNegated }) => isIn(terms) !== isNegated))
      yield { ...toPosition(row), id: row.id, trust: row.trust, valuesJson };
  }
}
