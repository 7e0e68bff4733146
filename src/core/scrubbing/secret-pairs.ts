/**
 * Removes values whose secret name is beside them instead of before them: `{"name": "password",
 * "value": "x"}` of GraphQL, HAR and Kubernetes, `[["authorization", "x"]]` of headers, and fields
 * of HTML forms. Linear for any text: every repetition is bounded, and starts at a fixed word.
 */
import { isEmptyValue, looksLikeCredential, redactFieldValue } from "./field-values.ts";
import { findClosingQuote } from "./quoted-value.ts";
import { isCredentialName, isSecretName } from "./secret-names.ts";
import { REMOVED } from "./secret-patterns.ts";

/** Members that hold a name whose value is in the member `value`. */
const NAME_MEMBERS = ["name", "key", "header", "field"] as const;

/** True for an object whose member `value` is secret by its name: `{name: "password", value}`. */
export function isSecretNameValue(members: Readonly<Record<string, unknown>>): boolean {
  if (members.value === undefined) return false;
  return NAME_MEMBERS.some((member) => {
    const name = members[member];
    return typeof name === "string" && isSecretName(name);
  });
}

/** True for a list of pairs of a name and a value: `[["authorization", "x"], …]`. */
export function isPairList(list: readonly unknown[]): list is readonly [string, unknown][] {
  const isPair = (item: unknown) =>
    Array.isArray(item) && item.length === 2 && typeof item[0] === "string";
  return list.length > 0 && list.every(isPair);
}

const NAMES = NAME_MEMBERS.join("|");
const COLON = "\\s{0,4}:\\s{0,4}";
const COMMA = "\\s{0,4},\\s{0,60}";
const TEXT = "[^\"'\\\\\\r\\n]";

/** A name, at most three other members, and the start of the value. The quotes may be escaped. */
const NAME_FIRST = new RegExp(
  `(\\\\{0,7}["'])(?:${NAMES})\\1${COLON}\\1(${TEXT}{1,100})\\1` +
    `(?:${COMMA}\\1(?!value)\\w{1,40}\\1${COLON}(?:\\1${TEXT}{0,100}\\1|[\\w.+-]{1,40})){0,3}` +
    `${COMMA}\\1value\\1${COLON}(?:\\1|(?=-?\\d))`,
  "g",
);
/** A value and its name after it. */
const VALUE_FIRST = new RegExp(
  `(\\\\{0,7}["'])value\\1${COLON}\\1(${TEXT}{1,1000})(?=\\1${COMMA}\\1(?:${NAMES})\\1${COLON}\\1(${TEXT}{1,100})\\1)`,
  "g",
);
/** A field of an HTML form: `<input name="password" type="text" value="x">`. */
const FORM_INPUT =
  /\bname=(\\{0,3}["'])([\w.[\]-]{1,100})\1(?:\s{1,4}(?!value=)[\w-]{1,30}(?:=\1[^"'<>\\]{0,100}\1)?){0,4}\s{1,4}value=\1/g;
/** A pair of YAML in two lines, as in the environment of a container. */
const YAML_PAIR =
  /\b(?:name|key):[ \t]{1,4}(["']?)([\w.-]{1,100})\1[ \t]{0,4}\r?\n[ \t]{0,40}value:[ \t]{1,4}([^\r\n]{1,1000})/g;
/** A list or tuple of two texts. The quote of the value may have a prefix of Python. */
const PAIR = /([[(])\s{0,4}b?(\\{0,7}["'])([\w-]{1,100})\2\s{0,4},\s{0,4}b?\2/g;

/** The text without values that a name beside them makes secret. */
export function scrubPairs(text: string): string {
  let scrubbed = text;
  if (scrubbed.includes("value")) {
    scrubbed = replaceQuotedValues(scrubbed, NAME_FIRST, ([, , name = ""]) => isSecretName(name));
    scrubbed = scrubbed.replace(VALUE_FIRST, (match: string, _quote, value: string, name: string) =>
      replaceEnd(match, name, value),
    );
    scrubbed = replaceQuotedValues(scrubbed, FORM_INPUT, ([, , name = ""]) => isSecretName(name));
    scrubbed = scrubbed.replace(YAML_PAIR, (match: string, _quote, name: string, value: string) =>
      replaceEnd(match, name, value.trimEnd(), value.length),
    );
  }
  if (!/[[(]\s{0,4}b?\\{0,7}["']/.test(scrubbed)) return scrubbed;
  return replaceQuotedValues(scrubbed, PAIR, (match, value, after) => {
    const [, bracket, , name = ""] = match;
    if (!isCredentialName(name) || !/^\s{0,4}[\])]/.test(after)) return false;
    const before = scrubbed.slice(Math.max(0, match.index - 6), match.index).trimEnd();
    const isInList = /[[({]$|[\])],$/.test(before);
    // A list of two names, or the arguments of a call.
    return isInList || (bracket === "[" && looksLikeCredential(value));
  });
}

/** Replaces the quoted value, or the number, that follows each match. */
function replaceQuotedValues(
  text: string,
  pattern: RegExp,
  isSecret: (match: RegExpExecArray, value: string, after: string) => boolean,
): string {
  const parts: string[] = [];
  let copiedTo = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const from = match.index + match[0].length;
    const quote = match[0].at(-1) ?? "";
    const isQuoted = quote === '"' || quote === "'";
    const escapes = isQuoted ? countBackslashes(match[0]) : 0;
    const to = isQuoted ? findClosingQuote(text, from, quote, escapes) : findNumberEnd(text, from);
    const value = text.slice(from, to);
    const after = text.slice(to + escapes + 1, to + escapes + 6);
    if (value === "" || isEmptyValue(value) || !isSecret(match, value, after)) continue;
    const replacement = isQuoted ? redactFieldValue("", value) : `"${REMOVED}"`;
    parts.push(text.slice(copiedTo, from), replacement);
    copiedTo = to;
    pattern.lastIndex = to;
  }
  return parts.join("") + text.slice(copiedTo);
}

function countBackslashes(text: string): number {
  return /\\*["']$/.exec(text.slice(-9))?.[0].slice(1).length ?? 0;
}

function findNumberEnd(text: string, from: number): number {
  return from + (/^-?\d[\d.]*/.exec(text.slice(from, from + 40))?.[0].length ?? 0);
}

/** Replaces the value at the end of the match, or in front of trailing blanks. */
function replaceEnd(match: string, name: string, value: string, length = value.length): string {
  if (!isSecretName(name) || isEmptyValue(value.replace(/^["']|["']$/g, ""))) return match;
  const from = match.length - length;
  return match.slice(0, from) + REMOVED + match.slice(from + value.length);
}
