/**
 * Finds the ids of issues by a rare value or word of a query. The work is bounded: counts stop at a
 * limit, and the cost of an FTS5 join depends on its shortest list.
 */
import { roundCount } from "../../../core/issue/issue-list-page.ts";
import { COMPARED_KEYS } from "../../../core/issue/query-values.ts";
import type { Digest } from "../../../core/report.ts";
import { countFtsMatches } from "../tables/fts.ts";
import { getTopShape, SORT_COLUMNS } from "../tables/issue-columns.ts";
import type {
  QueryConditions,
  RangeCondition,
  SqlCondition,
  TermCondition,
} from "./issue-conditions.ts";
import type { ListSearch } from "./list-search.ts";

/** A query of ids, and the remaining conditions. */
export interface IdSource {
  readonly ids: SqlCondition;
  readonly others: readonly TermCondition[];
}

/** The ids of a condition that at most `max` issues meet; undefined if there is none. */
export function findSource(sql: SqlStorage, search: ListSearch, max: number): IdSource | undefined {
  const { conditions } = search;
  if (conditions.digests !== undefined) return toDigestSource(conditions.digests, conditions);
  return findTermSource(sql, conditions, max) ?? findRangeSource(sql, search, max);
}

/** The ids of the digests of a query, which a query has few of. */
function toDigestSource(digests: readonly Digest[], { terms }: QueryConditions): IdSource {
  const list = digests.map(() => "?").join(", ");
  const ids = { sql: `SELECT id FROM issue WHERE digest IN (${list})`, values: digests };
  return { ids, others: terms };
}

function findTermSource(
  sql: SqlStorage,
  { terms }: QueryConditions,
  max: number,
): IdSource | undefined {
  const rare = terms.find((term) => !term.isNegated && isRare(sql, term, max));
  return rare && joinWithTable(terms, rare.table).source;
}

/** The ids of conditions on one table that at most `max` issues meet together. */
export function findJoinedSource(
  sql: SqlStorage,
  { conditions: { terms }, bounds: { maxJoinedIssues: maxJoined } }: ListSearch,
  max: number,
): IdSource | undefined {
  for (const table of TABLES) {
    const own = terms.filter((term) => term.table === table && !term.isNegated);
    if (own.length < 2 || !own.some((term) => isRare(sql, term, maxJoined))) continue;
    const { match, source } = joinWithTable(terms, table);
    if (countFtsMatches(sql, table, match, max + 1) <= max) return source;
  }
  return undefined;
}

const TABLES = ["issue_search", "facet"] as const satisfies readonly TermCondition["table"][];

/** True if at most `max` issues have the value or word. */
function isRare(sql: SqlStorage, { table, match }: TermCondition, max: number): boolean {
  return match !== undefined && countFtsMatches(sql, table, match, max + 1) <= max;
}

/** All conditions on a table as one FTS5 expression, whose rarest part bounds its work. */
function joinWithTable(
  terms: readonly TermCondition[],
  table: TermCondition["table"],
): { readonly match: string; readonly source: IdSource } {
  const list = (isNegated: boolean) =>
    terms.flatMap((term) =>
      term.table === table && term.isNegated === isNegated && term.match !== undefined
        ? `(${term.match})`
        : [],
    );
  const [included, excluded] = [list(false).join(" AND "), list(true).join(" OR ")];
  const match = excluded === "" ? included : `(${included}) NOT (${excluded})`;
  const others = terms.filter((term) => term.table !== table || term.match === undefined);
  return { match, source: { ids: toIds(table, match), others } };
}

function toIds(table: TermCondition["table"], match: string): SqlCondition {
  const sql = `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ?`;
  return { sql, values: [match] };
}

/** The ids of a range that at most `max` issues are in. */
function findRangeSource(
  sql: SqlStorage,
  { query, conditions: { ranges, terms }, hasTops }: ListSearch,
  max: number,
): IdSource | undefined {
  for (const range of ranges) {
    const ids = toRangeIds(range, query.isNoise, hasTops);
    if (ids === undefined) continue;
    const count = `SELECT count(*) AS n FROM (${ids.sql} LIMIT ?)`;
    const { n } = sql.exec<{ n: number }>(count, ...ids.values, max + 1).one();
    if (n <= max) return { ids, others: terms };
  }
  return undefined;
}

/**
 * The ids of a list between two positions. Lists have rounded numbers. Undefined for numbers from 0
 * or 1 on, where no SQL index has all issues.
 */
function toRangeIds(
  { key, min, max }: RangeCondition,
  isNoise: boolean,
  hasTops: boolean,
): SqlCondition | undefined {
  const [column, shape] = [SORT_COLUMNS[key], hasTops ? getTopShape(key) : undefined];
  if (shape !== undefined && (min ?? 0) <= 1) return undefined;
  const toPlace = COMPARED_KEYS[key] === "number" ? roundCount : (atMs: number) => atMs;
  const bounds = [
    ...(min === undefined ? [] : [{ sql: `AND ${column} >= ?`, values: [toPlace(min)] }]),
    ...(max === undefined ? [] : [{ sql: `AND ${column} <= ?`, values: [toPlace(max)] }]),
  ];
  const [index, where] =
    shape === undefined ? [`list_by_${key}`, ""] : [`top_by_${key}`, `AND shape >= ${shape}`];
  return {
    sql: `SELECT id FROM issue INDEXED BY ${index}
      WHERE noise = ? ${where} ${bounds.map((bound) => bound.sql).join(" ")}`,
    values: [isNoise ? 1 : 0, ...bounds.flatMap(({ values }) => values)],
  };
}

/** Chooses the conditions that a scan looks up in sets, and those that it tests. */
export function chooseSets(
  sql: SqlStorage,
  search: ListSearch,
): { readonly sets: readonly SqlCondition[]; readonly others: readonly TermCondition[] } {
  const { terms } = search.conditions;
  // Ranges need no set: a scan has their columns.
  const source = findTermSource(sql, search.conditions, search.bounds.maxIssuesInSet);
  if (source !== undefined) {
    const rest = splitByColumn(source.others);
    return { sets: [toSet(source.ids, false), ...rest.columns], others: rest.others };
  }
  const { columns, others } = splitByColumn(terms);
  // At most one set, so that the work does not grow with the number of filters.
  const excluded = others.find(
    (term) => term.isNegated && isRare(sql, term, search.bounds.maxIssuesInSet),
  );
  if (excluded?.match === undefined) return { sets: columns, others };
  return {
    sets: [toSet(toIds(excluded.table, excluded.match), true), ...columns],
    others: others.filter((term) => term !== excluded),
  };
}

/** The conditions that a scan tests by its columns, and the others. */
function splitByColumn(terms: readonly TermCondition[]) {
  return {
    columns: terms.flatMap(({ column }) => column ?? []),
    others: terms.filter(({ column }) => column === undefined),
  };
}

function toSet({ sql, values }: SqlCondition, isNegated: boolean): SqlCondition {
  return { sql: `scanned.id ${isNegated ? "NOT " : ""}IN (${sql})`, values };
}
