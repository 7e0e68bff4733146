/**
 * The conditions of a query: on columns of the table `issue`, and on the values and words of an
 * issue, which FTS5 tables find.
 */

import {
  type FilterKey,
  formatFilter,
  type IssueFilter,
  type IssueQuery,
  isMe,
  listDigests,
  NEW_ISSUE_AGE_MS,
} from "../../../core/issue/issue-query.ts";
import type { IssueState } from "../../../core/issue/issue-states.ts";
import { toStoredState } from "../../../core/issue/issue-versions.ts";
import { isLeftOut, isSearchedAsText } from "../../../core/issue/query-problems.ts";
import {
  type ComparedKey,
  createValueTest,
  isComparedKey,
  listFilterValues,
  parseRange,
  toAsciiLowerCase,
  type ValueRange,
} from "../../../core/issue/query-values.ts";
import type { Digest } from "../../../core/report.ts";
import { TRUST_LEVELS } from "../../../core/trust/trust.ts";
import { findFacetValues, getLongestPart, type ValueBounds } from "../tables/facet-table.ts";
import { type FacetKey, type FacetValues, toFacetToken } from "../tables/facet-values.ts";
import { IGNORED_WITHOUT_END } from "../tables/issue-columns.ts";
import { findTextTerms } from "./search-issues.ts";
import { findPhraseTerms, findWordTerms, hasWord } from "./search-words.ts";

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

/** A range of a number or a time of an issue. */
export interface RangeCondition extends ValueRange {
  readonly key: ComparedKey;
}

/** All conditions of a query. An issue must meet every one. */
export interface QueryConditions {
  readonly columns: SqlCondition;
  /** The ranges that `columns` has too, also that of `is:new`. */
  readonly ranges: readonly RangeCondition[];
  /** Columns in `columns` that the SQL indexes of lists do not have. */
  readonly otherColumns: readonly string[];
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
  const { states, isRegressed, isNew, isUnassigned, isAssigned, excluded } = query;
  const { filters, text } = readUnknownTags(sql, query);
  const words = text === "" ? [] : findTextTerms(sql, text);
  const stateTerm = toStateTerm(states);
  const terms = [
    ...(stateTerm === undefined ? [] : [stateTerm]),
    ...(isRegressed ? [toValueTerm("is", ["regressed"], false)] : []),
    ...(isUnassigned ? [toValueTerm("is", ["assigned"], true)] : []),
    ...(isAssigned ? [toValueTerm("is", ["assigned"], false)] : []),
    ...excluded.flatMap((one) => toExcludedTerm(sql, one) ?? []),
    ...filters
      .filter(({ key }) => key !== "digest" && !isComparedKey(key))
      .map((filter) => withColumn(toFilterTerm(sql, filter, bounds), filter)),
    ...words.map(({ match, ...term }): TermCondition => {
      const isIn = (issue: IssueTerms) => hasWord(issue.text, term);
      return { table: "issue_search", match, isNegated: false, isIn };
    }),
  ];
  // No issue has a text without words, or an unknown value.
  const isEmpty = text !== "" && words.length === 0;
  if (isEmpty || terms.some(({ match, isNegated }) => match === "" && !isNegated)) return null;
  const ranges = listRanges(filters, nowMs);
  const newRange: RangeCondition = { key: "first", min: nowMs - NEW_ISSUE_AGE_MS + 1 };
  const included = [
    ...(isNew ? [newRange] : []),
    ...ranges.flatMap(({ isNegated, ...range }) => (isNegated ? [] : [range])),
  ];
  const named = filters.filter(({ key }) => key === "digest");
  const listed = named.find(({ isNegated }) => !isNegated);
  const columns = [
    ...named.map(toDigestCondition),
    ...(states.length === 0 ? [] : [joinWithOr(states.map((one) => toStateCondition(one, nowMs)))]),
    ...included.map(toRangeSql),
    ...ranges.flatMap(({ isNegated, ...range }) => (isNegated ? [negate(toRangeSql(range))] : [])),
    ...(folded === undefined ? [] : [folded]),
  ];
  return {
    columns: joinWithAnd(columns),
    ranges: included,
    otherColumns: listOtherColumns([...included, ...ranges]),
    terms: terms.filter(({ match }) => match !== ""),
    digests: listed && listDigests(listed.value),
  };
}

/**
 * The query with filters by tags that no issue has as text: `localhost:3099` is part of a message
 * rather than a tag. Misspelled keys are left out.
 */
function readUnknownTags(sql: SqlStorage, query: IssueQuery): Pick<IssueQuery, "filters" | "text"> {
  const unknownKeys = listUnknownTags(sql, query);
  const isUnknown = (filter: IssueFilter) => unknownKeys.includes(filter.key);
  const asText = query.filters.filter((filter) => isUnknown(filter) && isSearchedAsText(filter));
  if (unknownKeys.length === 0) return query;
  return {
    filters: query.filters.filter(
      (filter) => !isUnknown(filter) || !(isLeftOut(filter) || asText.includes(filter)),
    ),
    text: [query.text, ...asText.map(formatFilter)].join(" ").trim(),
  };
}

/** The tags of a query that no issue has. */
export function listUnknownTags(sql: SqlStorage, { filters }: IssueQuery): readonly FilterKey[] {
  const keys = new Set(filters.map(({ key }) => key).filter((key) => key.startsWith("tag.")));
  return [...keys].filter((key) => !hasFacet(sql, key));
}

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

/** The columns of ranges. */
const RANGE_COLUMNS: Readonly<Record<ComparedKey, string>> = {
  count: "report_count",
  users: "user_count",
  last: "last_seen_ms",
  first: "first_seen_ms",
};

/** The ranges of a query. Negated ones are apart: they may have two ends. */
function listRanges(
  filters: readonly IssueFilter[],
  nowMs: number,
): readonly (RangeCondition & { readonly isNegated: boolean })[] {
  return filters.flatMap(({ key, value, isNegated }) => {
    const range = isComparedKey(key) ? parseRange(key, value, nowMs) : undefined;
    return isComparedKey(key) && range !== undefined ? [{ key, ...range, isNegated }] : [];
  });
}

function toRangeSql({ key, min, max }: RangeCondition): SqlCondition {
  const column = RANGE_COLUMNS[key];
  return joinWithAnd([
    ...(min === undefined ? [] : [{ sql: `${column} >= ?`, values: [min] }]),
    ...(max === undefined ? [] : [{ sql: `${column} <= ?`, values: [max] }]),
  ]);
}

function negate({ sql, values }: SqlCondition): SqlCondition {
  return { sql: `NOT (${sql})`, values };
}

function listOtherColumns(ranges: readonly RangeCondition[]): readonly string[] {
  const columns = new Set(ranges.map(({ key }) => RANGE_COLUMNS[key]));
  return [...columns].filter((column) => column !== RANGE_COLUMNS.first);
}

/** No issue with the word or the phrase. A text without words excludes nothing. */
function toExcludedTerm(sql: SqlStorage, text: string): TermCondition | undefined {
  const words = /\s/.test(text) ? findPhraseTerms(sql, text) : findWordTerms(sql, text);
  if (words.length === 0) return undefined;
  const match = words.map((term) => term.match).join(" AND ");
  const isIn = (issue: IssueTerms) => words.every((term) => hasWord(issue.text, term));
  return { table: "issue_search", match, isNegated: true, isIn };
}

function toFilterTerm(sql: SqlStorage, filter: IssueFilter, bounds: ValueBounds): TermCondition {
  const { key, isNegated } = filter;
  // Nobody asks.
  if (isMe(filter)) return toValueTerm(key, [], isNegated);
  const written = listFilterValues(filter);
  const { values, isCut } = findFacetValues(sql, key, written, bounds);
  if (!isCut) return toValueTerm(key, values, isNegated);
  const jsonParts = written.map(({ text, isPattern }) =>
    JSON.stringify(toAsciiLowerCase(isPattern ? getLongestPart(text) : text)).slice(1, -1),
  );
  const isValue = createValueTest(filter);
  const isIn = (issue: IssueTerms) => {
    // Few issues contain one of them, so most JSON need not be parsed.
    const lower = toAsciiLowerCase(issue.valuesJson);
    return jsonParts.some((part) => lower.includes(part)) && listValues(issue, key).some(isValue);
  };
  return { table: "facet", isNegated, isIn };
}

/** Many issues have each level, so a scan tests it without reading their values. */
function withColumn(term: TermCondition, filter: IssueFilter): TermCondition {
  if (filter.key !== "trust") return term;
  const levels = TRUST_LEVELS.filter(createValueTest(filter));
  const marks = levels.map(() => "?").join(", ");
  return {
    ...term,
    column: { sql: `trust ${filter.isNegated ? "NOT " : ""}IN (${marks})`, values: levels },
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
