/**
 * What somebody looks for in the list of issues, as they write it: `is:open release:1.4 browser:firefox url:/cart "text"`.
 *
 *     is:…      open, resolved, ignored, muted (several: any of them; -is:muted: any but this one); regressed, new, unassigned, noise
 *     key:word  an issue that has a value with this text in it, in upper or lower case; key:"a value": with exactly this one
 *     -key:…    none of these
 *     word      every other word, and text in quotes, is looked for in what the issue is called and what its first report said
 *
 * A key that is none of the known ones is the name of a tag; `tag.release` is one whose name is a known one. A quote within
 * quotes is written twice. All filters must hold.
 */

import { limits } from "../limits.ts";
import { truncateText } from "../truncate.ts";
import type { IssueState, IssueSummary } from "./issue.ts";

/** What an issue can be found by, beside the names of tags (`tag.plan`). */
const FILTER_KEYS = [
  "release",
  "env",
  "browser",
  "url",
  "kind",
  "type",
  "new",
  "regressed",
  "fixed",
  "assigned",
] as const;

/** `new`, `regressed` and `fixed` name a release: the one in which an issue was new, came back, or was resolved. */
export type FilterKey = (typeof FILTER_KEYS)[number] | `tag.${string}`;

/** One condition on the values that an issue has. */
export interface IssueFilter {
  readonly key: FilterKey;
  readonly value: string;
  /** Exactly this value; else one that contains it, whatever its case. */
  readonly isExact: boolean;
  /** No value may be so. */
  readonly isNegated: boolean;
}

/** What lists are ordered by, the greatest first. `first` is when an issue was first seen. */
export const ISSUE_SORTS = ["last", "first", "count", "users"] as const;

export type IssueSort = (typeof ISSUE_SORTS)[number];

/** What `isNew` is: first seen within so long. */
export const NEW_ISSUE_AGE_MS = 86_400_000;

/** What is looked for. Without states all of them are. */
export interface IssueQuery {
  readonly states: readonly IssueState[];
  readonly isRegressed: boolean;
  /** First seen within a day. */
  readonly isNew: boolean;
  readonly isUnassigned: boolean;
  /** What is kept apart, in place of what is not. */
  readonly isNoise: boolean;
  readonly filters: readonly IssueFilter[];
  /** Words that must all be found. */
  readonly text: string;
  readonly sort: IssueSort;
}

/** Where the last page ended, or (`isBefore`) where the next one begins: what comes meanwhile moves nothing. */
export interface IssueCursor {
  /** The number that the list is ordered by. */
  readonly sortValue: number;
  readonly digest: string;
  readonly isBackward: boolean;
}

/** A page of the list. */
export interface IssueListPage {
  readonly v: 1;
  readonly issues: readonly IssueSummary[];
  /** How many match; more than `limits.maxCountedIssues` are not counted further. */
  readonly total: number;
  readonly next?: IssueCursor;
  readonly previous?: IssueCursor;
  readonly asOfMs: number;
}

/** The most frequent values of one key among the issues that match, and how many issues have each. */
export interface IssueFacet {
  readonly key: FilterKey;
  readonly values: readonly (readonly [value: string, issues: number])[];
  /** Of a very large project: how many of the newest issues were looked at. */
  readonly sampleSize?: number;
}

/** A view of the list that people keep under a name. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
  readonly sort: IssueSort;
}

const STATE_VALUES: readonly string[] = [
  "open",
  "resolved",
  "ignored",
  "muted",
] satisfies IssueState[];

/** What `is:` says beside a state, and where the query has it. */
const FLAG_FIELDS = {
  regressed: "isRegressed",
  new: "isNew",
  unassigned: "isUnassigned",
  noise: "isNoise",
} as const;

const FLAG_VALUES = Object.keys(FLAG_FIELDS) as readonly (keyof typeof FLAG_FIELDS)[];

/** What `is:` can be followed by. */
export const IS_VALUES: readonly string[] = [...STATE_VALUES, ...FLAG_VALUES];

/** The known keys by their names; some have two. */
export const FILTER_ALIASES: ReadonlyMap<string, FilterKey> = new Map<string, FilterKey>([
  ...FILTER_KEYS.map((key) => [key, key] as const),
  ["environment", "env"],
  ["page", "url"],
  ["route", "url"],
  ["assignee", "assigned"],
]);

const KEY = "[A-Za-z][\\w.-]*";
const TOKEN = new RegExp(`(-?)(?:(${KEY}):)?(?:"((?:[^"]|"")*)"?|(\\S+))`, "g");
const KEY_ONLY = new RegExp(`^${KEY}$`);

/** The query in a text. Whatever is written is a query: what is no filter is looked for as text. */
export function parseIssueQuery(text: string, sort: IssueSort = "last"): IssueQuery {
  const included = new Set<string>();
  const excluded = new Set<string>();
  const filters: IssueFilter[] = [];
  const textParts: string[] = [];
  for (const token of truncateText(text, limits.maxIssueQueryChars).matchAll(TOKEN)) {
    const [wholeToken, minus, key, rawQuoted, unquoted = ""] = token;
    const quoted = rawQuoted?.replaceAll('""', '"');
    const value = quoted ?? unquoted;
    if (key === undefined) textParts.push(`${minus}${value}`);
    else if (key.toLowerCase() === "is") {
      const isValue = value.toLowerCase();
      if (IS_VALUES.includes(isValue) && minus === "") included.add(isValue);
      else if (STATE_VALUES.includes(isValue)) excluded.add(isValue);
      else textParts.push(wholeToken);
    } else if (value === "" || (quoted === undefined && isUrlRemainder(key, value)))
      textParts.push(wholeToken);
    else if (filters.length < limits.maxIssueFilters)
      filters.push({
        key: toFilterKey(key),
        value,
        isExact: quoted !== undefined,
        isNegated: minus === "-",
      });
  }
  return {
    states: resolveStates(included, excluded),
    isRegressed: included.has("regressed"),
    isNew: included.has("new"),
    isUnassigned: included.has("unassigned"),
    isNoise: included.has("noise"),
    filters,
    text: textParts.join(" ").replace(/\s+/g, " ").trim(),
    sort,
  };
}

/** The states that are asked for, without those that are left out; what is both is asked for. */
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

/** A text that `readQuery` reads as this query, the sort apart. */
export function formatIssueQuery(query: IssueQuery): string {
  const { states, filters, text } = query;
  const flags = FLAG_VALUES.filter((flag) => query[FLAG_FIELDS[flag]]);
  return [
    ...[...states, ...flags].map((isValue) => `is:${isValue}`),
    ...filters.map(formatFilter),
    ...(text === "" ? [] : [isPlainSearchText(text) ? text : quoteValue(text)]),
  ].join(" ");
}

/** The query that asks for `is:` and one of `IS_WORDS` as well. */
export function addIsFilter(query: IssueQuery, isValue: string): IssueQuery {
  const flag = FLAG_VALUES.find((one) => one === isValue);
  if (flag !== undefined) return { ...query, [FLAG_FIELDS[flag]]: true };
  const states = STATE_VALUES.filter(
    (state) => state === isValue || query.states.some((included) => included === state),
  );
  return { ...query, states: states as readonly IssueState[] };
}

/** One filter as it is written. */
export function formatFilter({ key, value, isExact, isNegated: excluded }: IssueFilter): string {
  const name = key.startsWith("tag.") && isTagName(key.slice(4)) ? key.slice(4) : key;
  return `${excluded ? "-" : ""}${name}:${isExact ? quoteValue(value) : value}`;
}

/** True for a key that can be written: a tag may be called anything. */
export function isExpressible(key: FilterKey): boolean {
  return KEY_ONLY.test(key) && key !== "tag.";
}

/** What `?sort=` says; by what was seen last where it says nothing else. */
export function parseSort(text: string | undefined): IssueSort {
  return ISSUE_SORTS.find((sort) => sort === text) ?? "last";
}

/** `1763740000000.7F3K-Q2M9`, with `-` before it for the page before: a cursor as an address has it. */
export function formatCursor({ sortValue, digest, isBackward }: IssueCursor): string {
  return `${isBackward ? "-" : ""}${sortValue}.${digest}`;
}

/** A cursor from an address; undefined for none, and for a text that is none. */
export function parseCursor(text: string | undefined): IssueCursor | undefined {
  const match = /^(-?)(\d{1,16})\.([0-9A-Z-]{9})$/.exec(text ?? "");
  if (match === null) return undefined;
  const [, minus, at, digest = ""] = match;
  return { sortValue: Number(at), digest, isBackward: minus === "-" };
}

function toFilterKey(key: string): FilterKey {
  const known = findKnownKey(key);
  if (known !== undefined) return known;
  const tag = /^tag\.(.+)$/i.exec(key);
  return `tag.${tag?.[1] ?? key}`;
}

function findKnownKey(name: string): FilterKey | undefined {
  return FILTER_ALIASES.get(name.toLowerCase());
}

/** True where the name alone, without `tag.` before it, is read as this tag. */
function isTagName(name: string): boolean {
  const isOther = findKnownKey(name) !== undefined || /^(is$|tag\..)/i.test(name);
  return KEY_ONLY.test(name) && !isOther;
}

/** `https://…` is a text, and no value of a tag named https. */
function isUrlRemainder(key: string, value: string): boolean {
  return value.startsWith("//") && findKnownKey(key) === undefined;
}

/** True for a text that needs no quotes to be read as text. */
function isPlainSearchText(text: string): boolean {
  const { states, isRegressed, isNew, isUnassigned, isNoise, filters, ...read } =
    parseIssueQuery(text);
  const isAnyFlag = isRegressed || isNew || isUnassigned || isNoise;
  return read.text === text && states.length === 0 && filters.length === 0 && !isAnyFlag;
}

function quoteValue(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
