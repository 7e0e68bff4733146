/**
 * The search syntax of the issue list: `is:open release:1.4 users:>10 -browser:safari "text"`. The
 * list, alert rules, saved views, feeds and programs read queries with it. Pure.
 *
 *     is:…       open, snoozed, resolved, archived (several: any of them; -is:archived: any other);
 *                regressed, new, assigned, unassigned, noise, folded
 *     key:word   a value contains this text, case-insensitive; key:"a value": equals it
 *     key:a*     a value begins with it: `*` stands for any text
 *     key:a,"b"  one of several (`query-values.ts`)
 *     -key:…     no value does
 *     users:>10  also count; last:<1h, first:>2026-11-20: compared
 *     user:…     the newest reports with this user id, email address or name, as a whole
 *     digest:…   these digests, with commas between them
 *     word       other words: searched in the title and the first report
 *     "a phrase" these words next to each other, in this order
 *     -word      no such text
 *
 * An unknown key is the name of a tag; `tag.release` is a tag with the name of a known key. A quote
 * within quotes is doubled. All parts must match. What cannot be understood is left out, and
 * `query-problems.ts` says why.
 */

import { limits } from "../limits.ts";
import type { Digest } from "../report.ts";
import { truncateText } from "../truncate.ts";
import type { IssueSummary } from "./issue.ts";
import { FORMER_STATES, type IssueState, STATE_NAMES } from "./issue-states.ts";
import {
  closeQuote,
  findValuesEnd,
  isComparedKey,
  isQuotedValue,
  listFilterValues,
  parseRange,
  unquote,
} from "./query-values.ts";

/** A key whose values pages list beside the issues. */
interface FacetTraits {
  /** The heading of the values. */
  readonly heading: string;
  /** Every issue has a value: useless if all issues have the same. */
  readonly isCommon?: true;
}

/** Keys besides tags (`tag.plan`), in the order of pages. Null for keys that are only searched. */
const FILTERS = {
  release: { heading: "Release" },
  env: { heading: "Environment" },
  browser: { heading: "Browser" },
  url: { heading: "Page" },
  kind: { heading: "Kind" },
  level: { heading: "Level", isCommon: true },
  type: null,
  trust: { heading: "Origin", isCommon: true },
  new: null,
  regressed: null,
  fixed: null,
  assigned: { heading: "Assigned to" },
  count: null,
  users: null,
  last: null,
  first: null,
  user: null,
  digest: null,
} satisfies Readonly<Record<string, FacetTraits | null>>;

type KnownKey = keyof typeof FILTERS;

const FILTER_KEYS = Object.keys(FILTERS) as readonly KnownKey[];

/** `new`, `regressed` and `fixed` take a release: first seen, regressed or resolved in it. */
export type FilterKey = KnownKey | `tag.${string}`;

/** The keys besides tags whose values pages list beside the issues, in order. */
export const FACETS: ReadonlyMap<FilterKey, FacetTraits> = new Map(
  FILTER_KEYS.flatMap((key) => {
    const traits: FacetTraits | null = FILTERS[key];
    return traits === null ? [] : [[key, traits] as const];
  }),
);

/** One condition on the values of an issue. */
export interface IssueFilter {
  readonly key: FilterKey;
  /** As it is written: with `*`, or with commas between several (`listFilterValues`). */
  readonly value: string;
  /** Equals the value; otherwise contains it, case-insensitive. */
  readonly isExact: boolean;
  /** Matches issues without such a value. */
  readonly isNegated: boolean;
}

/** The query of a list that names none. */
export const DEFAULT_QUERY = "is:open";

/** Sort orders, and the number that each sorts by; all descending. */
export const SORT_NUMBERS = {
  last: ({ lastSeenMs }: IssueSummary): number => lastSeenMs,
  first: ({ firstSeenMs }: IssueSummary): number => firstSeenMs,
  count: ({ count }: IssueSummary): number => count,
  users: ({ userCount = 0 }: IssueSummary): number => userCount,
};

/** A sort order of the issue list. */
export type IssueSort = keyof typeof SORT_NUMBERS;
export const ISSUE_SORTS = Object.keys(SORT_NUMBERS) as readonly IssueSort[];

/** `is:new` means first seen within this time. */
export const NEW_ISSUE_AGE_MS = 86_400_000;

/** A parsed query. No states means all states. */
export interface IssueQuery {
  readonly states: readonly IssueState[];
  readonly isRegressed: boolean;
  /** First seen within a day. */
  readonly isNew: boolean;
  readonly isUnassigned: boolean;
  readonly isAssigned: boolean;
  /** Only noise; otherwise everything else. */
  readonly isNoise: boolean;
  /** Only issues that a flood folds (`flood.ts`). Otherwise they are hidden, except from words. */
  readonly isFolded: boolean;
  readonly filters: readonly IssueFilter[];
  /** Words and, in quotes, phrases that must all match (`listTextParts`). */
  readonly text: string;
  /** Words and phrases that must not match, without quotes. */
  readonly excluded: readonly string[];
  /** Parts that are not understood, as they were written. They are left out. */
  readonly leftOut: readonly string[];
  readonly sort: IssueSort;
}

/** The values of `is:` that are states. Only these can be excluded. */
export const STATE_VALUES: readonly string[] = STATE_NAMES;

/** Values of `is:` besides states, and their field in the query. */
const FLAG_FIELDS = {
  regressed: "isRegressed",
  new: "isNew",
  assigned: "isAssigned",
  unassigned: "isUnassigned",
  noise: "isNoise",
  folded: "isFolded",
} as const;

const FLAG_VALUES = Object.keys(FLAG_FIELDS) as readonly (keyof typeof FLAG_FIELDS)[];

/** All values of `is:`. */
export const IS_VALUES: readonly string[] = [...STATE_VALUES, ...FLAG_VALUES];

/** The known keys by name; some have aliases. */
export const FILTER_ALIASES: ReadonlyMap<string, FilterKey> = new Map<string, FilterKey>([
  ...FILTER_KEYS.map((key) => [key, key] as const),
  ["environment", "env"],
  ["page", "url"],
  ["route", "url"],
  ["assignee", "assigned"],
  ["people", "users"],
]);

const KEY = "[A-Za-z][\\w.-]*";
const HEAD = new RegExp(`(-?)(?:(${KEY}):)?(?=\\S)`, "y");
/** A quote within a word is a part of it, as in `File "a.py", line 3`. */
const TEXT = /"(?:[^"]|"")*(?:"(?!\S)|$)|\S+/y;
const WORD_IN_QUOTES = /^"[^"\s]+"[^"\s]/;
const SPACES = /\s*/y;
const KEY_ONLY = new RegExp(`^${KEY}$`);

/** One part of a query, as it was written. */
interface QueryToken {
  readonly whole: string;
  /** `-`, or empty. */
  readonly minus: string;
  /** The name before a colon; undefined for text. */
  readonly key: string | undefined;
  /** Without quotes; several values as they were written. */
  readonly value: string;
  readonly isQuoted: boolean;
}

/** The parts of a query, in order. */
export function listQueryTokens(text: string): readonly QueryToken[] {
  const visible = removeInvisible(truncateText(text, limits.maxIssueQueryChars));
  const tokens: QueryToken[] = [];
  let at = findEnd(SPACES, visible, 0);
  while (at < visible.length) {
    const token = readToken(visible, at);
    tokens.push(token);
    at = findEnd(SPACES, visible, at + token.whole.length);
  }
  return tokens;
}

function readToken(text: string, start: number): QueryToken {
  HEAD.lastIndex = start;
  const [head = "", minus = "", key] = HEAD.exec(text) ?? [];
  const at = start + head.length;
  const end = key === undefined ? findEnd(TEXT, text, at) : findValuesEnd(text, at);
  const written = text.slice(at, end);
  const isQuoted =
    key === undefined
      ? written.startsWith('"') && !WORD_IN_QUOTES.test(written)
      : isQuotedValue(written);
  const value = isQuoted ? unquote(written) : key === undefined ? written : closeQuote(written);
  return { whole: head + written, minus, key, value, isQuoted };
}

/** Where the match of a sticky pattern at `at` ends. */
function findEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Words that are no text for certain, and those that are none in a query with filters. */
const OPERATORS: ReadonlySet<string> = new Set(["OR", "|", "||", "&", "&&"]);
const OPERATORS_OF_FILTERS: ReadonlySet<string> = new Set(["AND", "NOT"]);
const LOWER_CASE_OPERATOR = /^(?:or|and)$/i;

/** Parses a query. Never fails: text that is not a filter is searched as text. */
export function parseIssueQuery(text: string, sort: IssueSort = "last"): IssueQuery {
  const included = new Set<string>();
  const excludedStates = new Set<string>();
  const filters: IssueFilter[] = [];
  const textParts: string[] = [];
  const excluded: string[] = [];
  const leftOut: string[] = [];
  const tokens = listQueryTokens(text);
  const hasFilters = tokens.some(isFilter);
  for (const [at, token] of tokens.entries()) {
    const { whole, minus, key, value, isQuoted } = token;
    const isBetween = isFilter(tokens[at - 1]) && isFilter(tokens[at + 1]);
    if (isOperator(token, hasFilters) || (isBetween && LOWER_CASE_OPERATOR.test(whole)))
      leftOut.push(whole.toUpperCase());
    else if (isBracketed(token) || isWithoutValue(token)) leftOut.push(whole);
    else if (key === undefined || (!isQuoted && isText(key, value))) {
      const part = toOneLine(key === undefined ? value : `${key}:${value}`);
      if (minus === "-" && isExcludable(part, isQuoted)) excluded.push(part);
      else textParts.push(`${minus}${isQuoted ? toQuotedText(part) : part}`);
    } else if (key.toLowerCase() === "is") {
      const isWords = readIsWords(value, minus);
      if (isWords.length === 0) leftOut.push(whole);
      for (const { name, isExcluded } of isWords)
        (isExcluded ? excludedStates : included).add(name);
    } else {
      const written = { key: toFilterKey(key), value, isExact: isQuoted };
      const isRead = isReadable(written) && filters.length < limits.maxIssueFilters;
      if (isRead) filters.push({ ...written, isNegated: minus === "-" });
      else leftOut.push(whole);
    }
  }
  return {
    states: resolveStates(included, excludedStates),
    isRegressed: included.has("regressed"),
    isNew: included.has("new"),
    isUnassigned: included.has("unassigned"),
    isAssigned: included.has("assigned"),
    isNoise: included.has("noise"),
    isFolded: included.has("folded"),
    filters,
    text: toOneLine(textParts.join(" ")),
    excluded,
    leftOut,
    sort,
  };
}

/** Quoted text, without quotes if it is one word. */
function toQuotedText(text: string): string {
  return /[\s"]/.test(text) ? quoteValue(text) : text;
}

/** A word of a query, or a phrase of several. */
export interface TextPart {
  readonly text: string;
  readonly isPhrase: boolean;
}

/** The parts of `IssueQuery.text`, in order. */
export function listTextParts(text: string): readonly TextPart[] {
  return (text.match(TEXT_PARTS) ?? []).map((part) => {
    const isQuoted = part.startsWith('"') && !WORD_IN_QUOTES.test(part);
    const own = isQuoted ? unquote(part) : part;
    return { text: own, isPhrase: isQuoted && /\s/.test(own) };
  });
}

const TEXT_PARTS = new RegExp(TEXT.source, "g");

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function isFilter(token: QueryToken | undefined): boolean {
  return token?.key !== undefined && isKnownName(token.key);
}

/** `OR` between words would be searched as a word. */
function isOperator({ key, value, isQuoted }: QueryToken, hasFilters: boolean): boolean {
  if (key !== undefined || isQuoted) return false;
  return OPERATORS.has(value) || (hasFilters && OPERATORS_OF_FILTERS.has(value));
}

/** `(env:a` and `env:b)`. */
function isBracketed({ key, value, isQuoted }: QueryToken): boolean {
  if (isQuoted) return false;
  if (key === undefined) {
    const [, name] = BRACKETED_KEY.exec(value) ?? [];
    return name !== undefined && isKnownName(name);
  }
  return isKnownName(key) && /[)\]}]$/.test(value) && !/[([{]/.test(value);
}

const BRACKETED_KEY = new RegExp(`^[([{!]+-?(${KEY}):`);

/** `release:` and `env:,`; other words with a colon at the end are text. */
function isWithoutValue({ key, value, isQuoted }: QueryToken): boolean {
  if (key !== undefined) {
    if (isQuoted) return value === "";
    return isKnownName(key) && listFilterValues({ value, isExact: false }).length === 0;
  }
  return !isQuoted && value.endsWith(":") && isKnownName(value.slice(0, -1));
}

/** `-1` and `--flag` are text. */
function isExcludable(part: string, isQuoted: boolean): boolean {
  return isQuoted ? part.trim() !== "" : /^\p{L}/u.test(part);
}

/** Compared keys take numbers and times only, and others not too many values. */
function isReadable(filter: Pick<IssueFilter, "key" | "value" | "isExact">): boolean {
  const { key, value } = filter;
  if (isComparedKey(key)) return parseRange(key, value, 0) !== undefined;
  return key === "digest" || listFilterValues(filter).length <= limits.maxIssueFilters;
}

/** The word after `is:`; undefined if it is unknown, or cannot be excluded. */
function readIsWords(
  value: string,
  minus: string,
): readonly { readonly name: string; readonly isExcluded: boolean }[] {
  const name = value.toLowerCase();
  const isExcluded = minus !== "";
  const former = FORMER_STATES.get(name);
  if (former !== undefined) return former.map((state) => ({ name: state, isExcluded }));
  if (!IS_VALUES.includes(name)) return [];
  if (!isExcluded) return [{ name, isExcluded }];
  const opposite = OPPOSITES.get(name);
  if (opposite !== undefined) return [{ name: opposite, isExcluded: false }];
  return STATE_VALUES.includes(name) ? [{ name, isExcluded }] : [];
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["assigned", "unassigned"],
  ["unassigned", "assigned"],
]);

/**
 * `text` without characters that are not seen, which texts that people copy may contain: spaces of
 * no width, marks of direction. Those that join letters stay between letters that need them.
 */
export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, "").replace(ASCII_JOINER, "");
}

const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const ASCII_JOINER = /(?<![^\0-\x7f])[\u200c\u200d]+(?![^\0-\x7f])/g;

/** The included states minus the excluded ones. Inclusion takes precedence. */
function resolveStates(
  included: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
): readonly IssueState[] {
  const requested = STATE_VALUES.filter((state) => included.has(state));
  const remaining = (requested.length > 0 ? requested : STATE_VALUES).filter(
    (state) => !excluded.has(state),
  );
  return (
    excluded.size === 0 || remaining.length === 0 ? requested : remaining
  ) as readonly IssueState[];
}

/** Text that `parseIssueQuery` parses to this query, except the sort. */
export function formatIssueQuery(query: IssueQuery): string {
  const { leftOut, ...read } = query;
  const parts = listQueryParts({ ...read, leftOut: [] }).map(({ part }) => part);
  return [...parts, ...toWords(formatSearchText(query)), ...leftOut].join(" ");
}

/** The words of a query as they are written, in quotes if they would be read as something else. */
export function formatSearchText({ text }: IssueQuery): string {
  const parts = listQueryTokens(text).map(({ whole, isQuoted }) =>
    isQuoted || isPlainSearchText(whole) ? whole : quoteValue(whole),
  );
  return parts.join(" ");
}

function toWords(text: string): readonly string[] {
  return text === "" ? [] : [text];
}

/** A part of a query, and the query without it. */
export interface QueryPart {
  readonly part: string;
  readonly rest: IssueQuery;
}

/** All parts of a query but its words. */
export function listQueryParts(query: IssueQuery): readonly QueryPart[] {
  const { states, filters, excluded, leftOut } = query;
  const flags = FLAG_VALUES.filter((flag) => query[FLAG_FIELDS[flag]]);
  return [
    ...states.map((state) => ({
      part: `is:${state}`,
      rest: { ...query, states: states.filter((other) => other !== state) },
    })),
    ...flags.map((flag) => ({
      part: `is:${flag}`,
      rest: { ...query, [FLAG_FIELDS[flag]]: false },
    })),
    ...filters.map((filter, at) => ({
      part: formatFilter(filter),
      rest: { ...query, filters: filters.toSpliced(at, 1) },
    })),
    ...excluded.map((text, at) => ({
      part: `-${isPlainExcluded(text) ? text : quoteValue(text)}`,
      rest: { ...query, excluded: excluded.toSpliced(at, 1) },
    })),
    ...leftOut.map((part, at) => ({ part, rest: { ...query, leftOut: leftOut.toSpliced(at, 1) } })),
  ];
}

/** The query with one of `IS_VALUES` added. */
export function addIsFilter(query: IssueQuery, isValue: string): IssueQuery {
  const flag = FLAG_VALUES.find((one) => one === isValue);
  if (flag !== undefined) return { ...query, [FLAG_FIELDS[flag]]: true };
  const states = STATE_VALUES.filter(
    (state) => state === isValue || query.states.some((included) => included === state),
  );
  return { ...query, states: states as readonly IssueState[] };
}

export function formatFilter({ key, value, isExact, isNegated }: IssueFilter): string {
  const name = key.startsWith("tag.") && isTagName(key.slice(4)) ? key.slice(4) : key;
  return `${isNegated ? "-" : ""}${name}:${isExact ? quoteValue(value) : value}`;
}

/** True if the key can be written in a query. A tag may have any name. */
export function isExpressible(key: FilterKey): boolean {
  return KEY_ONLY.test(key) && key !== "tag.";
}

/** The digests in the value of the filter `digest`. */
export function listDigests(value: string): readonly Digest[] {
  return value.toUpperCase().match(/\b[\dA-Z]{4}-[\dA-Z]{4}\b/g) ?? [];
}

/** True for `assigned:me`. */
export function isMe({ key, value, isExact }: IssueFilter): boolean {
  return key === "assigned" && !isExact && value.toLowerCase() === "me";
}

/** The query with a person in place of `assigned:me`; without a person, nobody is meant. */
export function resolveMe(query: IssueQuery, assignee: string | undefined): IssueQuery {
  if (assignee === undefined || !query.filters.some(isMe)) return query;
  const filters = query.filters.map((filter) =>
    isMe(filter) ? { ...filter, value: assignee, isExact: true } : filter,
  );
  return { ...query, filters };
}

/** Parses `?sort=`; defaults to `last`. */
export function parseSort(text: string | undefined): IssueSort {
  return ISSUE_SORTS.find((sort) => sort === text) ?? "last";
}

/** The key that a query writes so; a tag if it is unknown. */
export function toFilterKey(key: string): FilterKey {
  const known = findKnownKey(key);
  if (known !== undefined) return known;
  const tag = /^tag\.(.+)$/i.exec(key);
  return `tag.${tag?.[1] ?? key}`;
}

/** True for `is` and the keys that are no tags. */
function isKnownName(name: string): boolean {
  return findKnownKey(name) !== undefined || name.toLowerCase() === "is";
}

/** The key that a name stands for; undefined for a tag. */
export function findKnownKey(name: string): FilterKey | undefined {
  return FILTER_ALIASES.get(name.toLowerCase());
}

/** True if the name without `tag.` parses as this tag. */
function isTagName(name: string): boolean {
  const isOther = findKnownKey(name) !== undefined || /^(is$|tag\..)/i.test(name);
  return KEY_ONLY.test(name) && !isOther;
}

/**
 * `https://…`, `Cart::total`, `cart.tsx:41`, `Cart.cs:line 41`, `shop.example:8080`, `shop:80/cart`
 * and `C:\cart` are text, not values of a tag. Tags with such names can be filtered as
 * `tag.cart.tsx:41`.
 */
function isText(key: string, value: string): boolean {
  if (findKnownKey(key) !== undefined || /^tag\./i.test(key)) return false;
  if (/^(?:\/\/|[:,]+$|:)/.test(value) || PORT_AND_PATH.test(value)) return true;
  if (key.length === 1) return /^[\\/]/.test(value);
  return key.includes(".") && (LINE.test(value) || DOTNET_SOURCE.test(key));
}

/** A ratio of numbers, `16/9`, is a value. */
const PORT_AND_PATH = /^\d{2,5}[/?#](?!\d)/;
/** Ruby writes `cart.rb:41:in`. */
const LINE = /^\d+(?::\d+)*(?::in)?[),]?$/;
/** .NET writes a word before the line, in the language of the system. */
const DOTNET_SOURCE = /\.(?:cs|fs|vb|razor|cshtml)$/i;

/** True if one word parses as text without quotes, also beside filters. */
function isPlainSearchText(text: string): boolean {
  const isOperatorWord = OPERATORS_OF_FILTERS.has(text) || LOWER_CASE_OPERATOR.test(text);
  return !isOperatorWord && parsesTo(text, { text });
}

function isPlainExcluded(text: string): boolean {
  return parsesTo(`-${text}`, { excluded: [text] });
}

/** True if all that the text says is in `parts`. */
function parsesTo(text: string, parts: Partial<Pick<IssueQuery, "text" | "excluded">>): boolean {
  return JSON.stringify(parseIssueQuery(text)) === JSON.stringify({ ...EVERYTHING, ...parts });
}

const EVERYTHING = parseIssueQuery("");

function quoteValue(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
