/**
 * The conditions of a query: on columns of the table `issue`, and on the values and words of an
 * issue, which FTS5 tables find.
 */

import {
  formatFilter,
  type IssueFilter,
  type IssueQuery,
  listDigests,
  NEW_ISSUE_AGE_MS,
} from "../../../core/issue/issue-query.ts";
import type { IssueState } from "../../../core/issue/issue-states.ts";
import { toStoredState } from "../../../core/issue/issue-versions.ts";
import type { Digest } from "../../../core/report.ts";
import { TRUST_LEVELS } from "../../../core/trust/trust.ts";
import { findFacetValues, type ValueBounds } from "../tables/facet-table.ts";
import { type FacetKey, type FacetValues, toFacetToken } from "../tables/facet-values.ts";
import { IGNORED_WITHOUT_END } from "../tables/issue-columns.ts";
import { findWordTerms, hasWord } from "./search-words.ts";

/** An SQL condition and the values of its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The values and the normalized search text of an issue, which a condition can test. */
interface IssueTerms {
  /** The JSON of `FacetValues`. */
  readonly valuesJson: string;
  readonly text: string;
}

/** A condition on the values (`facet`) or words (`issue_search`) of an issue. */
export interface TermCondition {
  readonly table: "facet" | "issue_search";
  /** The FTS5 expression; absent if there are too many values for one. */
  readonly match?: string;
  readonly isNegated: boolean;
  /** The same condition, with its negation, on a column that every scan has. */
  readonly column?: SqlCondition;
  /** True if the issue has the value or word, before negation. */
  readonly isIn: (issue: IssueTerms) => boolean;
}

/** All conditions of a query. An issue must meet every one. */
export interface QueryConditions {
  readonly columns: SqlCondition;
  /**
   * The time after which an issue was first seen, ms, for `is:new`. `columns` has this condition
   * too.
   */
  readonly newSinceMs?: number;
  /** The digests of `digest:`. `columns` has this condition too. */
  readonly digests?: readonly Digest[];
  readonly terms: readonly TermCondition[];
}

/**
 * The conditions of a query at `nowMs`; null if no issue can meet them. `folded` is the condition
 * about issues of floods.
 */
export function toConditions(
  sql: SqlStorage,
  query: IssueQuery,
  nowMs: number,
  bounds: ValueBounds,
  folded?: SqlCondition,
): QueryConditions | null {
  const { states, isRegressed, isNew, isUnassigned } = query;
  const { filters, text } = readUnknownTags(sql, query);
  const words = text === "" ? [] : findWordTerms(sql, text);
  const stateTerm = toStateTerm(states);
  const terms = [
    ...(stateTerm === undefined ? [] : [stateTerm]),
    ...(isRegressed ? [toValueTerm("is", ["regressed"], false)] : []),
    ...(isUnassigned ? [toValueTerm("is", ["assigned"], true)] : []),
    ...filters
      .filter(({ key }) => key !== "digest")
      .map((filter) => withColumn(toFilterTerm(sql, filter, bounds), filter)),
    ...words.map(({ match, ...term }): TermCondition => {
      const isIn = (issue: IssueTerms) => hasWord(issue.text, term);
      return { table: "issue_search", match, isNegated: false, isIn };
    }),
  ];
  // No issue has a text without words, or an unknown value.
  const isEmpty = text !== "" && words.length === 0;
  if (isEmpty || terms.some(({ match, isNegated }) => match === "" && !isNegated)) return null;
  const newSinceMs = isNew ? nowMs - NEW_ISSUE_AGE_MS : undefined;
  const named = filters.filter(({ key }) => key === "digest");
  const listed = named.find(({ isNegated }) => !isNegated);
  const columns = [
    ...named.map(toDigestCondition),
    ...(states.length === 0 ? [] : [joinWithOr(states.map((one) => toStateCondition(one, nowMs)))]),
    ...(newSinceMs === undefined ? [] : [{ sql: "first_seen_ms > ?", values: [newSinceMs] }]),
    ...(folded === undefined ? [] : [folded]),
  ];
  return {
    columns: joinWithAnd(columns),
    terms: terms.filter(({ match }) => match !== ""),
    newSinceMs,
    digests: listed && listDigests(listed.value),
  };
}

/**
 * The query with filters by tags that no issue has as text: `localhost:3099` is part of a message
 * rather than a tag.
 */
function readUnknownTags(sql: SqlStorage, query: IssueQuery): Pick<IssueQuery, "filters" | "text"> {
  const isUnknown = ({ key, isExact, isNegated }: IssueFilter) =>
    IS_TAG_OF_WORDS.test(key) && !isExact && !isNegated && !hasFacet(sql, key);
  const unknown = query.filters.filter(isUnknown);
  if (unknown.length === 0) return query;
  return {
    filters: query.filters.filter((filter) => !unknown.includes(filter)),
    text: [query.text, ...unknown.map(formatFilter)].join(" ").trim(),
  };
}

/** A shorter name is no word of a search. */
const IS_TAG_OF_WORDS = /^tag\..{3}/;

/** True if an issue has a value of the key. */
function hasFacet(sql: SqlStorage, key: string): boolean {
  return sql.exec("SELECT 1 FROM facet_value WHERE key = ? LIMIT 1", key).toArray().length > 0;
}

function toDigestCondition({ value, isNegated }: IssueFilter): SqlCondition {
  const digests = listDigests(value);
  const list = digests.map(() => "?").join(", ");
  return { sql: `digest ${isNegated ? "NOT IN" : "IN"} (${list})`, values: digests };
}

/** Most issues are open, so `open` is a column; a snoozed issue becomes open at a set time. */
function toStateTerm(states: readonly IssueState[]): TermCondition | undefined {
  return states.length === 0 || states.includes("open")
    ? undefined
    : toValueTerm("is", listStoredStates(states), false);
}

/** Without end, an earlier release stored an archived issue as `ignored`. */
function listStoredStates(states: readonly IssueState[]): readonly string[] {
  const stored = states.map(toStoredState);
  return [...new Set(states.includes("archived") ? [...stored, "ignored"] : stored)];
}

function toStateCondition(state: IssueState, nowMs: number): SqlCondition {
  const isExpired = "(state = 'ignored' AND ignored_until_ms <= ?)";
  const isEndless = `digest IN (${IGNORED_WITHOUT_END})`;
  switch (state) {
    case "open":
      return { sql: `(state = 'open' OR ${isExpired})`, values: [nowMs] };
    case "resolved":
      return { sql: "state = 'resolved'", values: [] };
    case "snoozed": {
      const isSnoozed = `state = 'ignored' AND coalesce(${isExpired}, 0) = 0`;
      return { sql: `(${isSnoozed} AND NOT ${isEndless})`, values: [nowMs] };
    }
    case "archived": {
      return { sql: `(state = 'muted' OR (state = 'ignored' AND ${isEndless}))`, values: [] };
    }
  }
}

function toFilterTerm(sql: SqlStorage, filter: IssueFilter, bounds: ValueBounds): TermCondition {
  const { key, value, isExact, isNegated } = filter;
  if (isExact) return toValueTerm(key, [value], isNegated);
  const part = toAsciiLowerCase(value);
  const { values, isCut } = findFacetValues(sql, key, part, bounds);
  if (!isCut) return toValueTerm(key, values, isNegated);
  const jsonPart = JSON.stringify(part).slice(1, -1);
  const isIn = (issue: IssueTerms) =>
    // Few issues contain it, so most JSON need not be parsed.
    toAsciiLowerCase(issue.valuesJson).includes(jsonPart) &&
    listValues(issue, key).some((one) => toAsciiLowerCase(one).includes(part));
  return { table: "facet", isNegated, isIn };
}

/** Many issues have each level, so a scan tests it without reading their values. */
function withColumn(
  term: TermCondition,
  { key, value, isExact, isNegated }: IssueFilter,
): TermCondition {
  if (key !== "trust") return term;
  const part = toAsciiLowerCase(value);
  const levels = TRUST_LEVELS.filter((one) => (isExact ? one === value : one.includes(part)));
  const marks = levels.map(() => "?").join(", ");
  return {
    ...term,
    column: { sql: `trust ${isNegated ? "NOT " : ""}IN (${marks})`, values: levels },
  };
}

/** The issue has one of these values. */
function toValueTerm(key: FacetKey, values: readonly string[], isNegated: boolean): TermCondition {
  const match = values.map((value) => toFacetToken(key, value)).join(" OR ");
  const parts = values.map((value) => JSON.stringify(value));
  const isIn = (issue: IssueTerms) =>
    parts.some((part) => issue.valuesJson.includes(part)) &&
    listValues(issue, key).some((one) => values.includes(one));
  return { table: "facet", match, isNegated, isIn };
}

function listValues({ valuesJson }: IssueTerms, key: FacetKey): readonly string[] {
  const values = JSON.parse(valuesJson) as FacetValues;
  return (Object.hasOwn(values, key) ? values[key] : undefined) ?? [];
}

/** Lower-cases only ASCII letters, as SQLite's `lower` does. */
function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** All conditions together. */
export function joinWithAnd(all: readonly SqlCondition[]): SqlCondition {
  return {
    sql: all.length === 0 ? "1" : all.map(({ sql }) => sql).join(" AND "),
    values: all.flatMap(({ values }) => values),
  };
}

function joinWithOr(all: readonly SqlCondition[]): SqlCondition {
  return {
    sql: `(${all.map(({ sql }) => sql).join(" OR ")})`,
    values: all.flatMap(({ values }) => values),
  };
}
