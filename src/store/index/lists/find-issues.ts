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
import { SORT_COLUMNS } from "../tables/issue-columns.ts";
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
  options: Pick<ListSearch, "from" | "count" | "withValues" | "withTotal" | "folded">,
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
  const condition = joinWithAnd([conditions.columns, ...sets]);
  const { columns, joins } = toSelection(search, others, "scanned");
  const issues: FoundIssue[] = [];
  // Reads in steps: an unfinished cursor locks its tables until it is garbage-collected.
  const step = isTested ? Math.ceil(max / STEPS) : max;
  for (let offset = 0; offset < max && issues.length <= count; offset += step) {
    const limit = Math.min(step, max - offset);
    const scanned = toScanned(search, from, `LIMIT ${limit} OFFSET ${offset}`);
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
  const last = toScanned(search, from, `LIMIT 1 OFFSET ${max - 1}`);
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
  { query: { sort, isNoise }, conditions: { otherColumns, ranges } }: ListSearch,
  from: IssueCursor | undefined,
  limit: string,
): SqlCondition {
  const column = SORT_COLUMNS[sort];
  const [comparison, direction] = from?.isBackward === true ? [">", "ASC"] : ["<", "DESC"];
  const names = ["digest", "trust", "state", "ignored_until_ms", "first_seen_ms", ...otherColumns];
  const columns = `id, ${column} AS at, ${names.join(", ")}`;
  const bounds = toBounds(sort, ranges);
  const after = from === undefined ? "" : `AND (${column}, digest) ${comparison} (?, ?)`;
  const position = from && [from.sortValue, from.digest];
  return {
    sql: `SELECT ${columns} FROM issue INDEXED BY list_by_${sort} WHERE noise = ? ${bounds.sql} ${after}
      ORDER BY ${column} ${direction}, digest ${direction} ${limit}`,
    values: [isNoise ? 1 : 0, ...bounds.values, ...(position ?? [])],
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
  const scanned = toScanned(search, undefined, `LIMIT ${maxScannedIssues}`);
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
