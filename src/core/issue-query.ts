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
import { cutText } from "./cut.ts";
import type { IssueState, IssueSummary } from "./issue.ts";
import { limits } from "./limits.ts";

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
export interface Filter {
  readonly key: FilterKey;
  readonly value: string;
  /** Exactly this value; else one that contains it, whatever its case. */
  readonly isExact: boolean;
  /** No value may be so. */
  readonly isNot: boolean;
}

/** What lists are ordered by, the greatest first. `first` is when an issue was first seen. */
export const SORTS = ["last", "first", "count", "people"] as const;

export type Sort = (typeof SORTS)[number];

/** What `isNew` is: first seen within so long. */
export const NEW_WITHIN_MS = 86_400_000;

/** What is looked for. Without states all of them are. */
export interface IssueQuery {
  readonly states: readonly IssueState[];
  readonly isRegressed: boolean;
  /** First seen within a day. */
  readonly isNew: boolean;
  readonly isUnassigned: boolean;
  /** What is kept apart, in place of what is not. */
  readonly isNoise: boolean;
  readonly filters: readonly Filter[];
  /** Words that must all be found. */
  readonly text: string;
  readonly sort: Sort;
}

/** Where the last page ended, or (`isBefore`) where the next one begins: what comes meanwhile moves nothing. */
export interface Cursor {
  /** The number that the list is ordered by. */
  readonly at: number;
  readonly digest: string;
  readonly isBefore: boolean;
}

/** A page of the list. */
export interface IssuePage {
  readonly v: 1;
  readonly issues: readonly IssueSummary[];
  /** How many match; more than `limits.maxCountedIssues` are not counted further. */
  readonly total: number;
  readonly next?: Cursor;
  readonly previous?: Cursor;
  readonly asOfMs: number;
}

/** The most frequent values of one key among the issues that match, and how many issues have each. */
export interface Facet {
  readonly key: FilterKey;
  readonly values: readonly (readonly [value: string, issues: number])[];
  /** Of a very large project: how many of the newest issues were looked at. */
  readonly among?: number;
}

/** A view of the list that people keep under a name. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
  readonly sort: Sort;
}

const STATES: readonly string[] = ["open", "resolved", "ignored", "muted"] satisfies IssueState[];

/** What `is:` says beside a state, and where the query has it. */
const FLAG_FIELDS = {
  regressed: "isRegressed",
  new: "isNew",
  unassigned: "isUnassigned",
  noise: "isNoise",
} as const;

const FLAGS = Object.keys(FLAG_FIELDS) as readonly (keyof typeof FLAG_FIELDS)[];

/** What `is:` can be followed by. */
export const IS_WORDS: readonly string[] = [...STATES, ...FLAGS];

/** The known keys by their names; some have two. */
export const KEY_NAMES: ReadonlyMap<string, FilterKey> = new Map<string, FilterKey>([
  ...FILTER_KEYS.map((key) => [key, key] as const),
  ["environment", "env"],
  ["page", "url"],
  ["route", "url"],
  ["assignee", "assigned"],
]);

const KEY = "[A-Za-z][\\w.-]*";
const TOKEN = new RegExp(`(-?)(?:(${KEY}):)?(?:"((?:[^"]|"")*)"?|(\\S+))`, "g");
const WHOLE_KEY = new RegExp(`^${KEY}$`);

/** The query in a text. Whatever is written is a query: what is no filter is looked for as text. */
export function readQuery(text: string, sort: Sort = "last"): IssueQuery {
  const is = new Set<string>();
  const isNot = new Set<string>();
  const filters: Filter[] = [];
  const words: string[] = [];
  for (const token of cutText(text, limits.maxIssueQueryChars).matchAll(TOKEN)) {
    const [whole, minus, key, inQuotes, plain = ""] = token;
    const quoted = inQuotes?.replaceAll('""', '"');
    const value = quoted ?? plain;
    if (key === undefined) words.push(`${minus}${value}`);
    else if (key.toLowerCase() === "is") {
      const word = value.toLowerCase();
      if (IS_WORDS.includes(word) && minus === "") is.add(word);
      else if (STATES.includes(word)) isNot.add(word);
      else words.push(whole);
    } else if (value === "" || (quoted === undefined && isAddress(key, value))) words.push(whole);
    else if (filters.length < limits.maxIssueFilters)
      filters.push({
        key: keyOf(key),
        value,
        isExact: quoted !== undefined,
        isNot: minus === "-",
      });
  }
  return {
    states: statesOf(is, isNot),
    isRegressed: is.has("regressed"),
    isNew: is.has("new"),
    isUnassigned: is.has("unassigned"),
    isNoise: is.has("noise"),
    filters,
    text: words.join(" ").replace(/\s+/g, " ").trim(),
    sort,
  };
}

/** The states that are asked for, without those that are left out; what is both is asked for. */
function statesOf(is: ReadonlySet<string>, isNot: ReadonlySet<string>): readonly IssueState[] {
  const asked = STATES.filter((state) => is.has(state));
  const left = (asked.length > 0 ? asked : STATES).filter((state) => !isNot.has(state));
  return (isNot.size === 0 || left.length === 0 ? asked : left) as readonly IssueState[];
}

/** A text that `readQuery` reads as this query, the sort apart. */
export function writeQuery(query: IssueQuery): string {
  const { states, filters, text } = query;
  const flags = FLAGS.filter((flag) => query[FLAG_FIELDS[flag]]);
  return [
    ...[...states, ...flags].map((word) => `is:${word}`),
    ...filters.map(writeFilter),
    ...(text === "" ? [] : [isPlain(text) ? text : inQuotes(text)]),
  ].join(" ");
}

/** The query that asks for `is:` and one of `IS_WORDS` as well. */
export function withIs(query: IssueQuery, word: string): IssueQuery {
  const flag = FLAGS.find((one) => one === word);
  if (flag !== undefined) return { ...query, [FLAG_FIELDS[flag]]: true };
  const states = STATES.filter(
    (state) => state === word || query.states.some((is) => is === state),
  );
  return { ...query, states: states as readonly IssueState[] };
}

/** One filter as it is written. */
export function writeFilter({ key, value, isExact, isNot }: Filter): string {
  const name = key.startsWith("tag.") && isTagName(key.slice(4)) ? key.slice(4) : key;
  return `${isNot ? "-" : ""}${name}:${isExact ? inQuotes(value) : value}`;
}

/** True for a key that can be written: a tag may be called anything. */
export function isWritable(key: FilterKey): boolean {
  return WHOLE_KEY.test(key) && key !== "tag.";
}

/** What `?sort=` says; by what was seen last where it says nothing else. */
export function readSort(text: string | undefined): Sort {
  return SORTS.find((sort) => sort === text) ?? "last";
}

/** `1763740000000.7F3K-Q2M9`, with `-` before it for the page before: a cursor as an address has it. */
export function writeCursor({ at, digest, isBefore }: Cursor): string {
  return `${isBefore ? "-" : ""}${at}.${digest}`;
}

/** A cursor from an address; undefined for none, and for a text that is none. */
export function readCursor(text: string | undefined): Cursor | undefined {
  const match = /^(-?)(\d{1,16})\.([0-9A-Z-]{9})$/.exec(text ?? "");
  if (match === null) return undefined;
  const [, minus, at, digest = ""] = match;
  return { at: Number(at), digest, isBefore: minus === "-" };
}

function keyOf(key: string): FilterKey {
  const known = knownKey(key);
  if (known !== undefined) return known;
  const tag = /^tag\.(.+)$/i.exec(key);
  return `tag.${tag?.[1] ?? key}`;
}

function knownKey(name: string): FilterKey | undefined {
  return KEY_NAMES.get(name.toLowerCase());
}

/** True where the name alone, without `tag.` before it, is read as this tag. */
function isTagName(name: string): boolean {
  const isOther = knownKey(name) !== undefined || /^(is$|tag\..)/i.test(name);
  return WHOLE_KEY.test(name) && !isOther;
}

/** `https://…` is a text, and no value of a tag named https. */
function isAddress(key: string, value: string): boolean {
  return value.startsWith("//") && knownKey(key) === undefined;
}

/** True for a text that needs no quotes to be read as text. */
function isPlain(text: string): boolean {
  const { states, isRegressed, isNew, isUnassigned, isNoise, filters, ...read } = readQuery(text);
  const isAnyFlag = isRegressed || isNew || isUnassigned || isNoise;
  return read.text === text && states.length === 0 && filters.length === 0 && !isAnyFlag;
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
