/**
 * The search syntax of the issue list: `is:open release:1.4 browser:firefox url:/cart "text"`.
 *
 *     is:…      open, snoozed, resolved, archived (several: any of them; -is:archived: any other);
 *               regressed, new, unassigned, noise, folded
 *     key:word  a value contains this text, case-insensitive; key:"a value": equals it
 *     -key:…    no value does
 *     user:…    the newest reports with this user id, email address or name, as a whole
 *     digest:…  these digests, with commas between them
 *     word      other words and quoted text: searched in the title and the first report
 *
 * An unknown key is the name of a tag; `tag.release` is a tag with the name of a known key. A quote
 * within quotes is doubled. All filters must match.
 */

import * as v from "valibot";
import { limits } from "../limits.ts";
import type { Digest } from "../report.ts";
import {
  choice,
  code,
  list,
  local,
  type StoredValue,
  storedObject,
  text,
  version1,
} from "../schema/stored-object.ts";
import { truncateText } from "../truncate.ts";
import type { IssueSummary } from "./issue.ts";
import { FORMER_STATES, type IssueState, STATE_NAMES } from "./issue-states.ts";

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
  /** Only noise; otherwise everything else. */
  readonly isNoise: boolean;
  /** Only issues that a flood folds (`flood.ts`). Otherwise they are hidden, except from words. */
  readonly isFolded: boolean;
  readonly filters: readonly IssueFilter[];
  /** Words that must all match. */
  readonly text: string;
  readonly sort: IssueSort;
}

/** A query that people saved under a name. */
export type SavedView = StoredValue<typeof savedViewSchema>;
export const savedViewSchema = /* @__PURE__ */ storedObject({
  name: text(limits.maxViewNameChars),
  query: text(limits.maxIssueQueryChars),
  sort: choice(ISSUE_SORTS),
  /** SHA-256, in hex, of the address of its feed; absent if it has none. Not exported. */
  feedHash: local(v.optional(code())),
});

/** The saved views of a project. */
export type SavedViews = StoredValue<typeof savedViewsSchema>;
export const savedViewsSchema = /* @__PURE__ */ storedObject({
  v: version1,
  views: list(savedViewSchema),
});

/** A saved view as pages and JSON show it: without the hash of its feed's secret address. */
export type ListedView = Omit<SavedView, "feedHash"> & { readonly hasFeed?: true };

/** The view without the hash of its feed's address. */
export function toListedView({ feedHash, ...view }: SavedView): ListedView {
  return { ...view, hasFeed: feedHash === undefined ? undefined : true };
}

/** The values of `is:` that are states. Only these can be excluded. */
export const STATE_VALUES: readonly string[] = STATE_NAMES;

/** Values of `is:` besides states, and their field in the query. */
const FLAG_FIELDS = {
  regressed: "isRegressed",
  new: "isNew",
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
]);

const KEY = "[A-Za-z][\\w.-]*";
const TOKEN = new RegExp(`(-?)(?:(${KEY}):)?(?:"((?:[^"]|"")*)"?|(\\S+))`, "g");
const KEY_ONLY = new RegExp(`^${KEY}$`);

/** One part of a query, as it was written. */
interface QueryToken {
  readonly whole: string;
  /** `-`, or empty. */
  readonly minus: string;
  /** The name before a colon; undefined for text. */
  readonly key: string | undefined;
  /** Without quotes. */
  readonly value: string;
  readonly isQuoted: boolean;
}

/** The parts of a query, in order. */
export function listQueryTokens(text: string): readonly QueryToken[] {
  const visible = removeZeroWidth(truncateText(text, limits.maxIssueQueryChars));
  return Array.from(visible.matchAll(TOKEN), (token) => {
    const [whole, minus = "", key, rawQuoted, unquoted = ""] = token;
    const isQuoted = rawQuoted !== undefined;
    const value = isQuoted ? rawQuoted.replaceAll('""', '"') : unquoted;
    return { whole, minus, key, value, isQuoted };
  });
}

/** Parses a query. Never fails: text that is not a filter is searched as text. */
export function parseIssueQuery(text: string, sort: IssueSort = "last"): IssueQuery {
  const included = new Set<string>();
  const excluded = new Set<string>();
  const filters: IssueFilter[] = [];
  const textParts: string[] = [];
  for (const token of listQueryTokens(text)) {
    const { whole: wholeToken, minus, key, value, isQuoted } = token;
    if (key === undefined) textParts.push(`${minus}${value}`);
    else if (key.toLowerCase() === "is") {
      const isValue = value.toLowerCase();
      const states = STATE_VALUES.includes(isValue) ? [isValue] : FORMER_STATES.get(isValue);
      if (states === undefined && (minus !== "" || !IS_VALUES.includes(isValue)))
        textParts.push(wholeToken);
      else for (const one of states ?? [isValue]) (minus === "" ? included : excluded).add(one);
    } else if (value === "" || (!isQuoted && isText(key, value))) textParts.push(wholeToken);
    else if (filters.length < limits.maxIssueFilters)
      filters.push({
        key: toFilterKey(key),
        value,
        isExact: isQuoted,
        isNegated: minus === "-",
      });
  }
  return {
    states: resolveStates(included, excluded),
    isRegressed: included.has("regressed"),
    isNew: included.has("new"),
    isUnassigned: included.has("unassigned"),
    isNoise: included.has("noise"),
    isFolded: included.has("folded"),
    filters,
    text: textParts.join(" ").replace(/\s+/g, " ").trim(),
    sort,
  };
}

/** `text` without spaces of no width, which texts that people copy may contain. */
export function removeZeroWidth(text: string): string {
  return text.replaceAll("\u200b", "");
}

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
  const { states, filters, text } = query;
  const flags = FLAG_VALUES.filter((flag) => query[FLAG_FIELDS[flag]]);
  return [
    ...[...states, ...flags].map((isValue) => `is:${isValue}`),
    ...filters.map(formatFilter),
    ...(text === "" ? [] : [isPlainSearchText(text) ? text : quoteValue(text)]),
  ].join(" ");
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

/** Parses `?sort=`; defaults to `last`. */
export function parseSort(text: string | undefined): IssueSort {
  return ISSUE_SORTS.find((sort) => sort === text) ?? "last";
}

function toFilterKey(key: string): FilterKey {
  const known = findKnownKey(key);
  if (known !== undefined) return known;
  const tag = /^tag\.(.+)$/i.exec(key);
  return `tag.${tag?.[1] ?? key}`;
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
 * `https://…`, `Cart::total`, `cart.tsx:41` and `shop.example:8080` are text, not values of a tag.
 * Tags with such names can be filtered as `tag.cart.tsx:41`.
 */
function isText(key: string, value: string): boolean {
  if (findKnownKey(key) !== undefined || /^tag\./i.test(key)) return false;
  return /^(?:\/\/|:)/.test(value) || (key.includes(".") && /^\d+(?::\d+)*\)?$/.test(value));
}

/** True if the text parses as text without quotes. */
function isPlainSearchText(text: string): boolean {
  const { states, filters, ...read } = parseIssueQuery(text);
  const isAnyFlag = FLAG_VALUES.some((flag) => read[FLAG_FIELDS[flag]]);
  return read.text === text && states.length === 0 && filters.length === 0 && !isAnyFlag;
}

function quoteValue(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
