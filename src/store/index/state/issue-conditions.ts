/** SQL conditions for the issues that match a query. Pure. */
import type { IssueState } from "../../../core/issue/issue.ts";
import {
  type FilterKey,
  type IssueCursor,
  type IssueFilter,
  type IssueQuery,
  NEW_ISSUE_AGE_MS,
} from "../../../core/issue/issue-query.ts";
import { toFtsQuery } from "../tables/search-table.ts";

/** Keys with a column of the table `issue`. */
const COLUMN_KEYS: readonly FilterKey[] = ["kind", "type", "trust"];

/** An SQL condition and the values of its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** For a text without a word. */
const MATCH_NONE: SqlCondition = { sql: "0", values: [] };
/** Matches every issue. */
export const MATCH_ALL: SqlCondition = { sql: "1", values: [] };

/** The issues that match a query at `nowMs`. */
export function toCondition(query: IssueQuery, nowMs: number): SqlCondition {
  const { states, isNoise, isRegressed, isNew, isUnassigned, filters, text } = query;
  const match = text === "" ? undefined : toFtsQuery(text);
  return joinWithAnd([
    { sql: "noise = ?", values: [isNoise ? 1 : 0] },
    ...(states.length === 0
      ? []
      : [joinWithOr(states.map((state) => toStateCondition(state, nowMs)))]),
    ...(isRegressed ? [{ sql: "regressed = 1", values: [] }] : []),
    ...(isNew ? [{ sql: "first_seen_ms > ?", values: [nowMs - NEW_ISSUE_AGE_MS] }] : []),
    ...(isUnassigned ? [{ sql: UNASSIGNED_SQL, values: [] }] : []),
    ...filters.map(toFilterCondition),
    ...(text === ""
      ? []
      : [match === undefined ? MATCH_NONE : { sql: TEXT_MATCH_SQL, values: [match] }]),
  ]);
}

const UNASSIGNED_SQL = "digest NOT IN (SELECT digest FROM facet WHERE key = 'assigned')";
const TEXT_MATCH_SQL = "id IN (SELECT rowid FROM issue_search WHERE issue_search MATCH ?)";

function toStateCondition(state: IssueState, nowMs: number): SqlCondition {
  const isExpired = "(state = 'ignored' AND ignored_until_ms <= ?)";
  if (state === "open") return { sql: `(state = 'open' OR ${isExpired})`, values: [nowMs] };
  if (state !== "ignored") return { sql: "state = ?", values: [state] };
  return { sql: `(state = 'ignored' AND coalesce(${isExpired}, 0) = 0)`, values: [nowMs] };
}

function toFilterCondition({ key, value, isExact, isNegated }: IssueFilter): SqlCondition {
  const isColumn = COLUMN_KEYS.includes(key);
  const name = isColumn ? key : "value";
  const comparison = isExact ? `${name} = ?` : `instr(lower(${name}), ?) > 0`;
  // As SQLite's `lower`, which only changes ASCII.
  const term = isExact ? value : value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const not = isNegated ? "NOT " : "";
  if (isColumn) return { sql: `${not}(${comparison})`, values: [term] };
  const matching = `SELECT digest FROM facet WHERE key = ? AND ${comparison}`;
  return { sql: `digest ${not}IN (${matching})`, values: [key, term] };
}

/** The issues after a cursor, or before it. `column` is the one that sorts. */
export function toCursorCondition(
  column: string,
  { sortValue, digest, isBackward }: IssueCursor,
): SqlCondition {
  const sql = isBackward
    ? `(${column} > ? OR (${column} = ? AND digest < ?))`
    : `(${column} < ? OR (${column} = ? AND digest > ?))`;
  return { sql, values: [sortValue, sortValue, digest] };
}

/** All conditions together. */
export function joinWithAnd(all: readonly SqlCondition[]): SqlCondition {
  return {
    sql: all.map(({ sql }) => sql).join(" AND "),
    values: all.flatMap(({ values }) => values),
  };
}

function joinWithOr(all: readonly SqlCondition[]): SqlCondition {
  return {
    sql: `(${all.map(({ sql }) => sql).join(" OR ")})`,
    values: all.flatMap(({ values }) => values),
  };
}
