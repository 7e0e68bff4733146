/**
 * What a query says that is not understood, why, and what was probably meant. The query is read
 * without these parts. Pure.
 */
import { REPORT_LEVELS } from "../report/level.ts";
import { REPORT_KINDS } from "../report.ts";
import { TRUST_LEVELS } from "../trust/trust.ts";
import {
  addIsFilter,
  FILTER_ALIASES,
  type FilterKey,
  findKnownKey,
  formatFilter,
  formatIssueQuery,
  IS_VALUES,
  type IssueFilter,
  type IssueQuery,
  listQueryTokens,
  parseIssueQuery,
} from "./issue-query.ts";
import {
  COMPARED_KEYS,
  type ComparedKey,
  createValueTest,
  isComparedKey,
  isComparison,
  listFilterValues,
} from "./query-values.ts";

/** A part of a query, and why it is not understood. */
export interface QueryProblem {
  /** The part, as it was written. */
  readonly part: string;
  /** A sentence: `There is no key usrs, so it is left out.` */
  readonly reason: string;
  /** What a search does with the part, in two or three words. */
  readonly outcome: "left out" | "searched as text" | "matches nothing" | "unknown tag";
  /** What was probably meant, and the query with it; absent if nothing is similar. */
  readonly suggestion?: QuerySuggestion | undefined;
}

interface QuerySuggestion {
  readonly part: string;
  readonly query: IssueQuery;
}

/**
 * The problems of a query, in its order. `unknown` are the query's tags that no issue has. A search
 * leaves out those that are probably misspelled; with `keepsUnknown`, nothing is said of that, since
 * an issue that comes later may have the tag.
 */
export function findQueryProblems(
  query: IssueQuery,
  unknown: readonly FilterKey[] = [],
  { keepsUnknown = false } = {},
): readonly QueryProblem[] {
  return [
    ...query.filters.flatMap(
      (filter) => findFilterProblem(query, filter, unknown, keepsUnknown) ?? [],
    ),
    ...query.leftOut.map((part, at) => ({
      ...explainPart(query, part, at),
      outcome: "left out" as const,
    })),
  ];
}

// Filters.

/** The values of keys that have no others. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  kind: Object.keys(REPORT_KINDS),
  level: Object.keys(REPORT_LEVELS),
  trust: TRUST_LEVELS,
};

function findFilterProblem(
  query: IssueQuery,
  filter: IssueFilter,
  unknown: readonly FilterKey[],
  keepsUnknown: boolean,
): QueryProblem | undefined {
  const part = formatFilter(filter);
  if (unknown.includes(filter.key)) {
    const name = filter.key.slice("tag.".length);
    const suggestion = suggestKey(query, filter);
    const reason = explainUnknownTag(name, filter, keepsUnknown);
    return { part, reason, outcome: toOutcome(filter, keepsUnknown), suggestion };
  }
  const known = KNOWN_VALUES[filter.key];
  if (known === undefined || known.some(createValueTest(filter))) return undefined;
  const reason = `It matches nothing: use ${formatList(known)}.`;
  return { part, reason, outcome: "matches nothing" };
}

function toOutcome(filter: IssueFilter, keepsUnknown: boolean): QueryProblem["outcome"] {
  if (keepsUnknown) return "unknown tag";
  if (isLeftOut(filter)) return "left out";
  return isSearchedAsText(filter) ? "searched as text" : "unknown tag";
}

function explainUnknownTag(name: string, filter: IssueFilter, keepsUnknown: boolean): string {
  if (keepsUnknown) return `No issue has the tag ${name}.`;
  if (isLeftOut(filter)) return `There is no key ${name}, so it is left out.`;
  const end = isSearchedAsText(filter) ? ", so it is searched as text." : ".";
  return `No issue has the tag ${name}${end}`;
}

/** A tag with this name that no issue has: not text, but a misspelled key. */
export function isLeftOut(filter: IssueFilter): boolean {
  return isComparison(filter.value) || findNearestKey(filter) !== undefined;
}

/** The query without what it leaves out; `unknown` are its tags that no issue has. */
export function withoutLeftOut(query: IssueQuery, unknown: readonly FilterKey[] = []): IssueQuery {
  const filters = query.filters.filter((one) => !(unknown.includes(one.key) && isLeftOut(one)));
  return { ...query, filters, leftOut: [] };
}

/** `localhost:3099` is part of a message rather than a tag that no issue has. */
export function isSearchedAsText(filter: IssueFilter): boolean {
  const { key, isExact, isNegated } = filter;
  return IS_TAG_OF_WORDS.test(key) && !isExact && !isNegated && !isLeftOut(filter);
}

/** A shorter name is no word of a search. */
const IS_TAG_OF_WORDS = /^tag\..{3}/;

function suggestKey(query: IssueQuery, filter: IssueFilter): QuerySuggestion | undefined {
  const key = findNearestKey(filter);
  if (key === undefined) return undefined;
  const corrected = { ...filter, key };
  const filters = query.filters.map((other) => (other === filter ? corrected : other));
  return toSuggestion(formatFilter(corrected), { ...query, filters });
}

/** The key that is probably meant; compared values belong to compared keys. */
function findNearestKey({ key, value }: IssueFilter): FilterKey | undefined {
  const isCompared = isComparison(value);
  const names = [...FILTER_ALIASES].filter(([, to]) => isComparedKey(to) === isCompared);
  const nearest = findNearest(
    key.slice("tag.".length),
    names.map(([name]) => name),
  );
  return nearest === undefined ? undefined : FILTER_ALIASES.get(nearest);
}

// Parts that are left out.

function explainPart(query: IssueQuery, part: string, at: number): Omit<QueryProblem, "outcome"> {
  const rest = { ...query, leftOut: query.leftOut.toSpliced(at, 1) };
  const [token] = listQueryTokens(part);
  const { key, value = "", minus = "" } = token ?? {};
  if (key === undefined) {
    if (/^[|]+$|^OR$/.test(value)) return { part, ...explainOr(query) };
    if (OPERATORS.has(value)) return { part, reason: EXPLAINED_OPERATORS, suggestion: drop(rest) };
    if (/^[([{!]/.test(value)) {
      const inner = value.replace(/^[([{!]+|[)\]}]+$/g, "");
      const reason = value.startsWith("!")
        ? "A minus excludes a value."
        : "Brackets are left out: all parts of a query must match.";
      const isMerged = query.leftOut.some((other) => /^(OR|\|+)$/.test(other));
      const meant = value.startsWith("!") ? `-${inner}` : inner;
      return { part, reason, suggestion: isMerged ? mergeAll(query) : add(rest, meant) };
    }
    return { part, reason: "It has no value, so it is left out. Put text in quotes." };
  }
  const known = findKnownKey(key);
  if (key.toLowerCase() === "is") return { part, ...explainIs(rest, value, minus) };
  if (value === "" || listFilterValues({ value, isExact: false }).length === 0)
    return { part, reason: "It has no value, so it is left out." };
  if (/[)\]}]$/.test(value))
    return {
      part,
      reason: "Brackets are left out: all parts of a query must match.",
      suggestion: mergeAll(query) ?? add(rest, part.replace(/[)\]}]+$/, "")),
    };
  if (known !== undefined && isComparedKey(known))
    return { part, reason: `${known}: takes ${COMPARED_EXAMPLES[COMPARED_KEYS[known]](known)}.` };
  return { part, reason: "The query has too many filters, so it is left out." };
}

const OPERATORS: ReadonlySet<string> = new Set(["AND", "NOT", "&", "&&"]);
const EXPLAINED_OPERATORS =
  "It is left out: all parts of a query must match, and a minus excludes one.";

const COMPARED_EXAMPLES: Readonly<Record<"number" | "time", (key: ComparedKey) => string>> = {
  number: (key) => `a number, as in ${key}:>10`,
  time: (key) => `an age or a day, as in ${key}:<1h or ${key}:>2026-11-20`,
};

function explainIs(
  rest: IssueQuery,
  value: string,
  minus: string,
): Omit<QueryProblem, "part" | "outcome"> {
  const name = value.toLowerCase();
  if (IS_VALUES.includes(name))
    return { reason: `is:${name} cannot be excluded, so it is left out.` };
  const nearest = minus === "" ? findNearest(name, IS_VALUES) : undefined;
  const reason = `There is no is:${name}, so it is left out.`;
  if (nearest === undefined) return { reason };
  return { reason, suggestion: toSuggestion(`is:${nearest}`, addIsFilter(rest, nearest)) };
}

function explainOr(query: IssueQuery): Omit<QueryProblem, "part" | "outcome"> {
  const reason = "OR works between the values of one key, as in env:a,b. Words must all match.";
  return { reason, suggestion: mergeAll(query) };
}

/** `env:a OR env:b` and `(env:a OR env:b)` as `env:a,b`, if the query has filters of one key. */
function mergeAll(query: IssueQuery): QuerySuggestion | undefined {
  const left = query.leftOut.filter((part) => !/^(OR|\|+)$/.test(part));
  const stripped = left.map((part) => part.replace(/^[([{]+|[)\]}]+$/g, ""));
  const inBrackets = parseIssueQuery(stripped.join(" "));
  const candidates = inBrackets.filters.length > 1 ? inBrackets.filters : query.filters;
  const [first] = candidates;
  const same = candidates.filter(({ key, isNegated }) => key === first?.key && !isNegated);
  if (first === undefined || same.length < 2 || isComparedKey(first.key)) return undefined;
  const value = same
    .map((filter) => formatFilter(filter))
    .map((text) => text.slice(text.indexOf(":") + 1))
    .join(",");
  const merged = { ...first, value, isExact: false };
  const others = query.filters.filter((filter) => !same.includes(filter));
  return toSuggestion(formatFilter(merged), {
    ...query,
    leftOut: [],
    filters: [...others, merged],
  });
}

function add(rest: IssueQuery, part: string): QuerySuggestion | undefined {
  return toSuggestion(part, parseIssueQuery(`${formatIssueQuery(rest)} ${part}`, rest.sort));
}

function drop(rest: IssueQuery): QuerySuggestion {
  return { part: formatIssueQuery(rest), query: rest };
}

/** The suggestion, as the query that its text parses to; none if it is not understood either. */
function toSuggestion(part: string, query: IssueQuery): QuerySuggestion | undefined {
  if (findQueryProblems(parseIssueQuery(part)).length > 0) return undefined;
  return { part, query: parseIssueQuery(formatIssueQuery(query), query.sort) };
}

function formatList(values: readonly string[]): string {
  return values
    .slice(0, -1)
    .join(", ")
    .concat(" or ", values.at(-1) ?? "");
}

/** Words that say the opposite of a word that looks like them. */
const IS_OPPOSITE = /^(?:un|non|not)/;

/**
 * The word with the smallest edit distance: at most one for a short word, two for a longer one.
 * Never one that negates the word.
 */
function findNearest(input: string, words: readonly string[]): string | undefined {
  const lower = input.toLowerCase();
  const maxDistance = lower.length < 5 ? 1 : 2;
  const isNegated = IS_OPPOSITE.test(lower);
  const closest = words
    .filter((word) => Math.abs(word.length - lower.length) <= maxDistance)
    .filter((word) => IS_OPPOSITE.test(word) === isNegated)
    .map((word) => ({ word, distance: editDistance(lower, word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance);
  return closest[0]?.word;
}
/** Restricted Damerau–Levenshtein distance: a swap of neighbors counts as one edit. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          i > 1 && j > 1 && isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
