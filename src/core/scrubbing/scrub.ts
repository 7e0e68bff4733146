/**
 * Removes secrets from a report before it is stored: values of members with a secret name, and
 * values that match a secret pattern anywhere. Never throws, linear in the size of the report,
 * idempotent. Names are defined in `secret-names.ts`, patterns in `secret-patterns.ts` and
 * `pii-patterns.ts`.
 */

import { parseJsonText } from "../decode/parse-json.ts";
import { MemoCache } from "../memo-cache.ts";
import type { Json, ParsedReport } from "../report.ts";
import { isCardNumber } from "./card-numbers.ts";
import { isOptionText, isSecretOptionText, scrubShortOptions } from "./command-options.ts";
import { PII_PATTERNS } from "./pii-patterns.ts";
import { countRemovals, scrubNameSecrets, scrubTextSecrets } from "./scrub-text.ts";
import { isSecretName } from "./secret-names.ts";
import { isPairList, isSecretNameValue, scrubPairs as scrubPairTexts } from "./secret-pairs.ts";
import type { SecretPattern } from "./secret-pattern.ts";
import { REMOVED, SECRET_PATTERNS } from "./secret-patterns.ts";

/**
 * Members that are not free text of the sender: codes, constants, and members that ids are derived
 * from.
 */
const UNSCRUBBED_FIELDS: ReadonlySet<string> = new Set([
  ...["aboutEventId", "aliases", "dedupeKey", "digest", "format", "fuzzyDedupeKey", "id", "kind"],
  ...["linkedDigest", "pageTraceId", "platform", "rayId", "side", "traceId", "userKey"],
]);

/**
 * Values to remove in addition to secrets: email addresses, IPv4 and IPv6 addresses, and the local
 * variables of frames.
 */
export interface ScrubSettings {
  readonly email: boolean;
  readonly ip: boolean;
  readonly vars?: boolean;
}

const SECRETS_ONLY: ScrubSettings = { email: false, ip: false };

/**
 * The report without secrets and the values that `settings` names, and the number of removed
 * values. Does not change `report`; parts without secrets are not copied.
 */
export function scrubReport<T extends ParsedReport>(
  report: T,
  settings: ScrubSettings = SECRETS_ONLY,
): { value: T; scrubbedCount: number } {
  const state: ScrubState = { count: 0, scrubbedTexts: new Map(), ...getPatternSet(settings) };
  const value = { ...report };
  const members = value as Record<string, unknown>;
  for (const name in members) {
    if (!UNSCRUBBED_FIELDS.has(name)) members[name] = scrubMember(name, members[name], state);
  }
  if (report.template?.params !== undefined && value.message !== report.message)
    members.template = scrubParams(report.message, value, state);
  return { value, scrubbedCount: state.count };
}

/**
 * The template without the parameters that were removed from the message. Only the message shows
 * that a parameter is secret: `password=%s`.
 */
function scrubParams(
  originalMessage: string,
  { message, template }: Pick<ParsedReport, "message" | "template">,
  state: ScrubState,
): ParsedReport["template"] {
  const scrubParam = (param: unknown): unknown => {
    if (typeof param === "object" && param !== null)
      return Array.isArray(param)
        ? scrubList(param, state, scrubParam)
        : Object.fromEntries(
            Object.entries(param).map(([name, member]) => [name, scrubParam(member)]),
          );
    const text = String(param ?? "");
    const isRemoved = text !== "" && originalMessage.includes(text) && !message.includes(text);
    return isRemoved ? countRemoval(state) : param;
  };
  return template && { ...template, params: scrubParam(template.params) as Json };
}

/** The patterns of one combination of settings. */
interface PatternSet {
  readonly patterns: readonly SecretPattern[];
  /** The patterns that also apply to member names: a sender may use email addresses as keys. */
  readonly namePatterns: readonly SecretPattern[];
  /**
   * Texts without any match. Most texts of a report (about a hundred) also occurred in the report
   * before, so this halves the time.
   */
  readonly cleanTexts: MemoCache<true>;
}

interface ScrubState extends PatternSet {
  count: number;
  /**
   * Scrubbed texts of this report. A text that is too long for `cleanTexts` or contains a secret
   * may occur a hundred times.
   */
  readonly scrubbedTexts: Map<string, string>;
}

const patternSets = new Map<string, PatternSet>();

function getPatternSet(settings: ScrubSettings): PatternSet {
  const key = `${settings.email} ${settings.ip}`;
  const cached = patternSets.get(key);
  if (cached !== undefined) return cached;
  const namePatterns = PII_PATTERNS.filter(
    ({ setting }) => setting !== undefined && settings[setting],
  );
  const created = {
    patterns: [...SECRET_PATTERNS, ...namePatterns],
    namePatterns,
    cleanTexts: new MemoCache<true>(),
  };
  patternSets.set(key, created);
  return created;
}

function scrubMember(name: string, member: unknown, state: ScrubState): unknown {
  if (name === "detail") return scrubDetail(member, state);
  if (name === "attachments" && Array.isArray(member))
    return member.map((file: unknown) => scrubFile(file, state));
  return name === "tags" ? scrubPairs(member, state) : scrubValue(member, state);
}

/** Members of the report's schema: names are not secret, and numbers are times, lines, a status. */
function scrubValue(value: unknown, state: ScrubState): unknown {
  if (typeof value === "string") return scrubString(value, state);
  if (Array.isArray(value)) return scrubList(value, state, scrubValue);
  if (typeof value !== "object" || value === null) return value;
  const original = value as Readonly<Record<string, unknown>>;
  let scrubbed: Record<string, unknown> | undefined;
  for (const name in original) {
    const scrub = FREE_DATA_FIELDS.has(name)
      ? scrubDetail
      : name === "headers"
        ? scrubPairs
        : SOURCE_FIELDS.has(name)
          ? scrubCode
          : scrubValue;
    const member = scrub(original[name], state);
    if (member === original[name]) continue;
    scrubbed ??= { ...original };
    scrubbed[name] = member;
  }
  return scrubbed ?? value;
}

/** Members with data of the sender: variables of a frame, parameters, data of a breadcrumb. */
const FREE_DATA_FIELDS: ReadonlySet<string> = new Set(["vars", "params", "data"]);

type Scrubber = (value: unknown, state: ScrubState) => unknown;

/** Returns the list itself if nothing was removed. */
function scrubList(
  list: readonly unknown[],
  state: ScrubState,
  scrub: Scrubber,
): readonly unknown[] {
  let scrubbed: unknown[] | undefined;
  for (const [at, original] of list.entries()) {
    const item = scrub(original, state);
    if (item === original) continue;
    scrubbed ??= [...list];
    scrubbed[at] = item;
  }
  return scrubbed ?? list;
}

/** Free data of the sender: any name and any number may be secret. */
function scrubDetail(value: unknown, state: ScrubState): unknown {
  if (typeof value === "string") return scrubString(value, state);
  if (typeof value === "number") return isCardNumber(String(value)) ? countRemoval(state) : value;
  if (Array.isArray(value)) {
    if (isPairList(value)) return scrubList(value, state, scrubDetailPair);
    return scrubArguments(scrubList(value, state, scrubDetail), state);
  }
  if (typeof value !== "object" || value === null) return value;
  const isValueSecret = isSecretNameValue(value as Readonly<Record<string, unknown>>);
  let isChanged = false;
  const members = Object.entries(value).map(([original, member]) => {
    const name = scrubNameSecrets(original, state.namePatterns);
    state.count += countRemovals(original, name);
    const isSecret = isSecretName(name) || (isValueSecret && name === "value");
    const scrubbed = (isSecret ? redactValue : scrubDetail)(member, state);
    isChanged ||= name !== original || scrubbed !== member;
    return [name, scrubbed] as const;
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** A list may hold the arguments of a program: `["--password", "hunter2"]`. */
function scrubArguments(items: readonly unknown[], state: ScrubState): readonly unknown[] {
  const list = scrubShortOptions(items);
  state.count += list.filter((item, at) => item !== items[at]).length;
  if (!list.some(isSecretOptionText)) return list;
  return list.map((item, at) =>
    isSecretOptionText(list[at - 1]) && !isOptionText(item) ? redactValue(item, state) : item,
  );
}

/** Pairs of name and value, as in headers and tags. Any other shape is scrubbed as a value. */
function scrubPairs(pairs: unknown, state: ScrubState): unknown {
  return Array.isArray(pairs) ? scrubList(pairs, state, scrubPair) : scrubValue(pairs, state);
}

function scrubPair(pair: unknown, state: ScrubState): unknown {
  return scrubNameAndValues(pair, state, scrubValue);
}

/** A pair in free data of the sender. */
function scrubDetailPair(pair: unknown, state: ScrubState): unknown {
  return scrubNameAndValues(pair, state, scrubDetail);
}

function scrubNameAndValues(pair: unknown, state: ScrubState, scrub: Scrubber): unknown {
  if (!Array.isArray(pair) || typeof pair[0] !== "string") return scrub(pair, state);
  const [original, ...values]: readonly [string, ...unknown[]] = pair as [string, ...unknown[]];
  const name = scrubNameSecrets(original, state.namePatterns);
  state.count += countRemovals(original, name);
  const scrubbed = scrubList(values, state, isSecretName(name) ? redactValue : scrub);
  return scrubbed === values && name === original ? pair : [name, ...scrubbed];
}

/** Removes the whole value unless it is empty. */
function redactValue(value: unknown, state: ScrubState): unknown {
  const isEmpty = value === null || value === "" || typeof value === "boolean";
  return isEmpty || value === REMOVED ? value : countRemoval(state);
}

function countRemoval(state: ScrubState): string {
  state.count++;
  return REMOVED;
}

/** Members with source code, in which only literals are secret. */
const SOURCE_FIELDS: ReadonlySet<string> = new Set(["source", "sourceBefore", "sourceAfter"]);

function scrubCode(value: unknown, state: ScrubState): unknown {
  if (Array.isArray(value)) return scrubList(value, state, scrubCode);
  return typeof value === "string" ? scrubString(value, state, true) : value;
}

/**
 * An attachment. Binary contents are not scrubbed, because they match patterns by chance. Text is
 * scrubbed, JSON as data.
 */
function scrubFile(value: unknown, state: ScrubState): unknown {
  if (typeof value !== "object" || value === null) return scrubValue(value, state);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === "base64") return [name, member];
      const scrub = name === "text" && typeof member === "string" ? scrubFileText : scrubValue;
      return [name, scrub(member, state)];
    }),
  );
}

function scrubFileText(text: string, state: ScrubState): string {
  const scrubbed = scrubJson(text, {
    isSecretName,
    scrubName: (name) => scrubNameSecrets(name, state.namePatterns),
    scrubText: (value) => scrubTextSecrets(value, state.patterns),
    isSecretNumber: isCardNumber,
  });
  if (scrubbed === undefined) return scrubString(text, state);
  const withoutPairs = scrubPairTexts(scrubbed);
  state.count += countRemovals(text, withoutPairs);
  return withoutPairs;
}

function scrubString(text: string, state: ScrubState, isCode = false): string {
  if (!isCode && state.cleanTexts.get(text)) return text;
  const cached = isCode ? undefined : state.scrubbedTexts.get(text);
  const scrubbed = cached ?? scrubTextSecrets(text, state.patterns, isCode);
  if (!isCode) state.scrubbedTexts.set(text, scrubbed);
  if (!isCode && scrubbed === text) state.cleanTexts.set(text, true);
  state.count += countRemovals(text, scrubbed);
  return scrubbed;
}

// Removes secrets from a JSON attachment by member names, as in parsed data. The rest keeps its
// formatting and its large numbers.

/** Functions that scrub the parts of JSON. */
interface JsonScrubbers {
  readonly isSecretName: (name: string) => boolean;
  readonly scrubName: (name: string) => string;
  readonly scrubText: (text: string) => string;
  readonly isSecretNumber: (number: string) => boolean;
}

/**
 * A string with its colon if it is a name; a bracket; a number or a word. Valid JSON has no other
 * tokens.
 */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g;
const EMPTY_TOKENS: ReadonlySet<string> = new Set(["null", "true", "false", '""', `"${REMOVED}"`]);

/**
 * The text without its secrets; undefined if it is not JSON, or neither an object nor an array.
 * Linear.
 */
function scrubJson(text: string, scrub: JsonScrubbers): string | undefined {
  if (!/^\s*[{[]/.test(text) || parseJsonText(text) === undefined) return undefined;
  const parts: string[] = [];
  let copiedTo = 0;
  const replaceRange = (from: number, to: number, replacement: string): void => {
    parts.push(text.slice(copiedTo, from), replacement);
    copiedTo = to;
  };
  let isSecret = false;
  /** The value is secret because it follows an option in a list. */
  let isArgument = false;
  /** Start and nesting depth of the secret object or array that is being skipped. */
  let secretFrom = 0;
  let secretDepth = 0;
  for (const match of text.matchAll(JSON_TOKEN)) {
    const [token, string, colon] = match;
    const end = match.index + token.length;
    if (secretDepth > 0 || (isSecret && /^[{[]/.test(token))) {
      if (secretDepth === 0) secretFrom = match.index;
      if (/^[{[]/.test(token)) secretDepth++;
      if (/^[}\]]/.test(token) && --secretDepth === 0)
        replaceRange(secretFrom, end, `"${REMOVED}"`);
      isSecret = false;
    } else if (string !== undefined && colon !== undefined) {
      const name = scrubLiteral(string, scrub.scrubName);
      isSecret = scrub.isSecretName(JSON.parse(name));
      isArgument = false;
      if (name !== string) replaceRange(match.index, match.index + string.length, name);
    } else if (/^[\]}]/.test(token)) {
      // An option was the last item of its list.
      isSecret = false;
    } else if (isSecret && !(isArgument && token.startsWith('"-'))) {
      if (!EMPTY_TOKENS.has(token)) replaceRange(match.index, end, `"${REMOVED}"`);
      isSecret = false;
    } else if (string !== undefined) {
      const value = scrubLiteral(string, scrub.scrubText);
      if (value !== string) replaceRange(match.index, end, value);
      isSecret = isArgument = isSecretOptionText(JSON.parse(value));
    } else if (/^[-\d]/.test(token) && scrub.isSecretNumber(token)) {
      replaceRange(match.index, end, `"${REMOVED}"`);
    }
  }
  return parts.join("") + text.slice(copiedTo);
}

/** Returns the literal unchanged if nothing was removed. */
function scrubLiteral(literal: string, scrub: (text: string) => string): string {
  const decoded: string = JSON.parse(literal);
  const scrubbed = scrub(decoded);
  return scrubbed === decoded ? literal : JSON.stringify(scrubbed);
}
