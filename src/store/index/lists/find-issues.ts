/**
 * Finds the issues of a query, with bounded work in a project of any size. Synchronous.
 *
 * If few issues have one of the query's values or words, or several of them together, `sortAll`
 * reads and sorts these. Otherwise `scan` reads the list in its order and tests each issue: with a
 * set of ids if few enough issues have the values or words, otherwise with the issue's values and
 * text. A scan ends at a page of issues or at a number of examined issues.
 */
import type { IssueCursor } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery, IssueSort } from "../../../core/issue/issue-query.ts";
import { COMPARED_KEYS } from "../../../core/issue/query-values.ts";
import { limits } from "../../../core/limits.ts";
import { getTopShape, SORT_COLUMNS, TOP_POSITION, toPositionSql } from "../tables/issue-columns.ts";
import { chooseSets, findJoinedSource, findSource, type IdSource } from "./find-issue-ids.ts";
import {
  joinWithAnd,
  type RangeCondition,
  type SqlCondition,
  toConditions,
} from "./issue-conditions.ts";
import {
  comparePositions,
  type ListedRow,
  type PositionRow,
  testAll,
  toPosition,
  toSelection,
} from "./issue-rows.ts";
import type { FoundIssue, FoundIssues, ListBounds, ListSearch } from "./list-search.ts";

/** At most `count` issues of a query, from a cursor or the beginning. */
export function findIssues(
  sql: SqlStorage,
  query: IssueQuery,
  nowMs: number,
  options: Omit<ListSearch, "query" | "conditions" | "bounds">,
  bounds: ListBounds = limits,
): FoundIssues {
  const conditions = toConditions(sql, query, nowMs, bounds, options.folded);
  if (conditions === null) return NOTHING;
  const search = { query, conditions, bounds, ...options };
  const max = bounds.maxSortedIssues;
  const source = findSource(sql, search, max) ?? findJoinedSource(sql, search, max);
  return source === undefined ? scan(sql, search) : sortAll(sql, search, source);
}

const NOTHING: FoundIssues = { issues: [], hasMore: false, total: 0, isTotalCapped: false };

/** Reads and sorts all issues of the query. */
function sortAll(sql: SqlStorage, search: ListSearch, { ids, others }: IdSource): FoundIssues {
  const { query, conditions, from, count } = search;
  const { columns, joins } = toSelection(search, others, "issue");
  const rows = sql.exec<ListedRow>(
    `SELECT ${toPositionSql(query.sort, search.hasTops)} AS at, ${columns}
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
  };
}

const STEPS = 5;

/** Reads the list, starting at the cursor. */
function scan(sql: SqlStorage, search: ListSearch): FoundIssues {
  const { from, count, conditions, bounds, withTotal = false } = search;
  const { sets, others } = chooseSets(sql, search);
  const isTested = others.length > 0;
  // If few issues are in a set, the first page reads all of them to count the total.
  const isCounted = withTotal && !isTested && from === undefined && sets.length > 0;
  const maxRows = isCounted ? bounds.maxCountedIssues : count;
  const max = isTested ? bounds.maxTestedIssues : bounds.maxScannedIssues;
  const isListed = hasTop(search) ? [IS_LISTED] : [];
  const condition = joinWithAnd([...isListed, conditions.columns, ...sets]);
  const { columns, joins } = toSelection(search, others, "scanned");
  const issues: FoundIssue[] = [];
  // Reads in steps: an unfinished cursor locks its tables until it is garbage-collected.
  const step = isTested ? Math.ceil(max / STEPS) : max;
  for (let offset = 0; offset < max && issues.length <= count; offset += step) {
    const limit = Math.min(step, max - offset);
    const scanned = toScanned(search, from, limit, offset);
    const rows = sql.exec<ListedRow>(
      // The outer query keeps the order of the inner one, because nothing reorders it.
      `SELECT at, ${columns} FROM (${scanned.sql}) AS scanned ${joins} WHERE ${condition.sql}
       ${isTested ? "" : `LIMIT ${maxRows + 1}`}`,
      ...scanned.values,
      ...condition.values,
    );
    issues.push(...testAll(rows.toArray(), others));
  }
  const isFull = issues.length > count;
  const last = toScanned(search, from, 1, max - 1);
  const [end] = isFull && !isCounted ? [] : sql.exec<PositionRow>(last.sql, ...last.values);
  const isCut = isFull || end !== undefined;
  const counted = isCounted ? issues.slice(0, maxRows) : issues.slice(0, count);
  return {
    issues: issues.slice(0, count),
    hasMore: isCut,
    ...(end && !isFull && { examinedUntil: toPosition(end) }),
    ...(withTotal && !isTested && !isCounted && (isCut || from !== undefined)
      ? countScanned(sql, search, condition)
      : {
          total: counted.length,
          isTotalCapped: isCounted
            ? issues.length > maxRows || end !== undefined
            : isCut || from !== undefined,
        }),
  };
}

/** The next issues of the list, before any test. */
function toScanned(
  search: ListSearch,
  from: IssueCursor | undefined,
  limit: number,
  offset = 0,
): SqlCondition {
  const isBackward = from?.isBackward === true;
  const parts = isBackward ? listParts(search).toReversed() : listParts(search);
  const rest = parts.flatMap((part) => toRest(part, from) ?? []);
  // Each part has a limit of its own, without which SQLite need not keep its order.
  const all = rest.map(({ part, after }) => toPartSql(search, part, after, isBackward));
  const one = (sql: string) => `SELECT * FROM (${sql} LIMIT ${limit + offset})`;
  return {
    sql: `${all.map(({ sql }) => one(sql)).join(" UNION ALL ")} LIMIT ${limit} OFFSET ${offset}`,
    values: all.flatMap(({ values }) => values),
  };
}

/** A part of a list, in the order of one SQL index. */
interface ListPart {
  readonly index: string;
  readonly column: string;
  /** What its positions have above the values of the column. */
  readonly base: number;
  readonly where: string;
  /** True for an issue that no earlier part has, as SQL. */
  readonly isListed: string;
}

/** A list without a top is one part. Otherwise the issues at the top come first, then the others. */
function listParts({ query: { sort }, hasTops }: ListSearch): readonly ListPart[] {
  const [column, shape] = [SORT_COLUMNS[sort], getTopShape(sort)];
  const whole = { column, base: 0, where: "1", isListed: "1" };
  if (shape === undefined || !hasTops) return [{ ...whole, index: `list_by_${sort}` }];
  const isTop = `shape >= ${shape}`;
  return [
    { ...whole, index: `top_by_${sort}`, base: TOP_POSITION, where: isTop },
    { ...whole, index: "list_by_last", column: "last_seen_ms", isListed: `(${isTop}) IS NOT 1` },
  ];
}

function hasTop(search: ListSearch): boolean {
  return listParts(search).length > 1;
}

const IS_LISTED: SqlCondition = { sql: "is_listed", values: [] };

/** The rest of a part after (or before) a cursor; undefined if it has none. */
function toRest(part: ListPart, from: IssueCursor | undefined) {
  if (from === undefined) return { part };
  const { isBackward, sortValue, digest } = from;
  const isInTop = sortValue >= TOP_POSITION;
  const isTop = part.base === TOP_POSITION;
  if (isInTop === isTop) return { part, after: [sortValue - part.base, digest] as const };
  // The cursor is in the other part: this one is passed, or begins at its end.
  return isTop === isBackward ? { part } : undefined;
}

function toPartSql(
  { query: { sort, isNoise }, conditions: { otherColumns, ranges } }: ListSearch,
  { index, column, base, where, isListed }: ListPart,
  after: readonly [number, string] | undefined,
  isBackward: boolean,
): SqlCondition {
  const [comparison, direction] = isBackward ? [">", "ASC"] : ["<", "DESC"];
  const names = ["digest", "trust", "state", "ignored_until_ms", "first_seen_ms", ...otherColumns];
  const bounds = toBounds(sort, ranges);
  const position = after === undefined ? "" : `AND (${column}, digest) ${comparison} (?, ?)`;
  return {
    sql: `SELECT id, ${column} + ${base} AS at, ${names.join(", ")}, ${isListed} AS is_listed
      FROM issue INDEXED BY ${index} WHERE noise = ? AND ${where} ${bounds.sql} ${position}
      ORDER BY ${column} ${direction}, digest ${direction}`,
    values: [isNoise ? 1 : 0, ...bounds.values, ...(after ?? [])],
  };
}

/** A list by a time that the query limits begins and ends there. */
function toBounds(sort: IssueSort, ranges: readonly RangeCondition[]): SqlCondition {
  const column = SORT_COLUMNS[sort];
  const bounds = ranges
    .filter(({ key }) => key === sort && COMPARED_KEYS[key] === "time")
    .flatMap(({ min, max }) => [
      ...(min === undefined ? [] : [{ sql: `AND ${column} >= ?`, values: [min] }]),
      ...(max === undefined ? [] : [{ sql: `AND ${column} <= ?`, values: [max] }]),
    ]);
  return {
    sql: bounds.map(({ sql }) => sql).join(" "),
    values: bounds.flatMap((one) => one.values),
  };
}

/** Counts the matches among the first issues of the list. */
function countScanned(
  sql: SqlStorage,
  search: ListSearch,
  condition: SqlCondition,
): Pick<FoundIssues, "total" | "isTotalCapped"> {
  const { maxScannedIssues, maxCountedIssues: max } = search.bounds;
  // Every issue is in the list by last time, once.
  const query: IssueQuery = { ...search.query, sort: "last" };
  const scanned = toScanned({ ...search, query }, undefined, maxScannedIssues);
  const { total, size } = sql
    .exec<{ total: number; size: number }>(
      `SELECT count(*) AS total,
         coalesce((SELECT total FROM issue_total WHERE noise = ?), 0) AS size
       FROM (SELECT 1 FROM (${scanned.sql}) AS scanned WHERE ${condition.sql} LIMIT ?)`,
      search.query.isNoise ? 1 : 0,
      ...scanned.values,
      ...condition.values,
      max + 1,
    )
    .one();
  return {
    total: Math.min(total, max),
    isTotalCapped: total > max || size > maxScannedIssues,
  };
}
