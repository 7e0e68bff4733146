/**
 * Finds and replaces a text in the words of senders: in values, and in names that senders choose.
 * Skips Errata's own words, so that the name "Kind" does not match every report.
 */
import { ERASED } from "../core/erased-mark.ts";
import { type CounterName, getCounterGroup } from "../core/stats/counters.ts";

/** Members whose values are Errata's own words and codes. */
const INTERNAL_MEMBERS: ReadonlySet<string> = new Set([
  ...["v", "kind", "side", "format", "digest", "noise", "truncated"],
  ...["trust", "userSketch", "serverUserSketch", "pageUserSketch", "publicUserSketch"],
  ...["networkSketch", "publicNetworks", "senderKey"],
  ...["position", "state", "decision", "days", "hours", "lowerDays", "lowerHours"],
  "levels",
  ...["action", "from", "mergedDigests", "mergedInto", "role", "of"],
]);

/** Members whose names and values are all the sender's. */
const FREE_MEMBERS: ReadonlySet<string> = new Set(["detail", "vars", "params"]);

/** Characters that JSON escapes: quotes, backslashes, control characters, lone surrogates. */
const ESCAPED_CHAR = /["\\\p{Cc}\p{Cs}]/u;

/** A fast test of JSON text: false if no value contains `text`. Parsing costs ten times as much. */
export function createJsonFilter(text: string): (json: string) => boolean {
  if (ESCAPED_CHAR.test(text)) return () => true;
  // Ignores the neighbors of a match, since in JSON they may belong to an escape.
  const pattern = new RegExp(toPattern(text), "iu");
  return (json) => pattern.test(json);
}

/** Matches a text as a whole, in any case: "Sage" does not match "message", nor 123 51234. */
function createTextPattern(text: string): RegExp {
  const [first = "", last = ""] = [text.at(0), text.at(-1)];
  const before = WORD_CHAR.test(first) ? BEFORE_WORD : "";
  const after = WORD_CHAR.test(last) ? String.raw`(?![\p{L}\p{N}])` : "";
  return new RegExp(`${before}${toPattern(text)}${after}`, "giu");
}

/** The sign of a percent-encoded character. In the parameter of a parameter it is encoded again. */
const PERCENT = "%(?:25){0,3}";

/** A letter or digit before a word may be the end of an encoded character: `%3Dada`. */
const BEFORE_WORD = String.raw`(?:(?<![\p{L}\p{N}])|(?<=${PERCENT}[2-7][\da-f]))`;

/** A pattern of a text, also as it is in URLs: `ada%40example.org`, `Ada+Lovelace`. */
function toPattern(text: string): string {
  return Array.from(text, (char) => {
    if (/[a-z0-9]/i.test(char)) return char;
    const literal = char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
    const cases = new Set([char, char.toLowerCase(), char.toUpperCase()]);
    const options = [literal, ...Array.from(cases, percentEncode)];
    return `(?:${options.join("|")}${char === " " ? "|[+]" : ""})`;
  }).join("");
}

function percentEncode(char: string): string {
  const bytes = [...new TextEncoder().encode(char)];
  return bytes.map((byte) => PERCENT + byte.toString(16).padStart(2, "0")).join("");
}

const WORD_CHAR = /[\p{L}\p{N}]/u;

/** A fast test for many long texts: true for one that contains the text. */
export function createTextTest(text: string): (other: string) => boolean {
  const pattern = createTextPattern(text);
  return (other) => other.search(pattern) >= 0;
}

/** True if a stored value contains the text. In `FREE_MEMBERS`, also if a name does. */
export function containsText(value: unknown, text: string): boolean {
  return contains(value, createTextPattern(text), false);
}

/** The value with every occurrence of the text replaced. */
export function redactText<T>(value: T, text: string): T {
  return redact(value, createTextPattern(text)) as T;
}

/** The name of a counter with every occurrence of the text in the sender's words replaced. */
export function redactCounterName(name: CounterName, text: string): CounterName {
  const group = getCounterGroup(name);
  return [...group, ...redactText(name.slice(group.length), text)];
}

function contains(value: unknown, pattern: RegExp, isFree: boolean): boolean {
  if (typeof value === "string") return value.search(pattern) >= 0;
  // A phone or customer number may be a number in JSON.
  if (isFree && typeof value === "number") return String(value).search(pattern) >= 0;
  if (Array.isArray(value)) return value.some((item) => contains(item, pattern, isFree));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => {
    if (isFree && name.search(pattern) >= 0) return true;
    if (!isFree && INTERNAL_MEMBERS.has(name)) return false;
    return contains(member, pattern, isFree || FREE_MEMBERS.has(name));
  });
}

function redact(value: unknown, pattern: RegExp): unknown {
  if (typeof value === "string") return value.replace(pattern, () => ERASED);
  if (Array.isArray(value)) return value.map((item) => redact(item, pattern));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    return [name, INTERNAL_MEMBERS.has(name) ? member : redact(member, pattern)];
  });
  return Object.fromEntries(members);
}
