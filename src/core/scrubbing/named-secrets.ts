/**
 * Removes values that a text names as secret: URL parameters, assignments, JSON members, header
 * lines. A single pass from left to right, so that it is linear for any text.
 */

import {
  AUTH_SCHEME,
  isEmptyValue,
  isSentence,
  looksLikeCredential,
  matchAt,
  redactFieldValue,
} from "./field-values.ts";
import { findClosingQuote } from "./quoted-value.ts";
import { isCredentialName, isSecretName, isSecretParameter } from "./secret-names.ts";
import { REMOVED } from "./secret-patterns.ts";

/** `?token=abc`, `&code=abc`, `#access_token=abc` in a URL. */
const PARAMETER = /(?<=[?&#;])([\w.[\]-]{1,100})=/g;

/**
 * A name, its closing quote, the separator and the opening quote of the value, with backslashes in
 * nested JSON. Before the name the dashes of an option or the dot of a cookie, before the value a
 * prefix of Python: `{b'password': b'abc'}`. A quoted string after a "?" is the condition of
 * `show ? "password" : "text"`.
 */
const FIELD =
  /(?<![\w.-]|\?\s{0,4}\\{0,7}["'])([.-]{0,4})((?:(?:api|access|private|secret) )?[a-z_][\w.-]{0,99})(\\{0,7}["'])?(\s{0,20}(?::|=>?)\s{0,20})(?:(?:br?|rb?|u)?(\\{0,7})(["']))?/gi;

interface Field {
  readonly name: string;
  /** The quote after the name, as in JSON. */
  readonly nameQuote: string | undefined;
  /** The start of the name, and the start of the value after the separator and opening quote. */
  readonly start: number;
  readonly end: number;
  readonly separator: string;
  readonly quote: { readonly sign: string; readonly escapes: number } | undefined;
}

/** A replacement of the text from `from` up to `to`. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The text without the values of secret names. In source code (`isCode`) only literals are secret:
 * `password: user.password` stays.
 */
export function scrubNamedSecrets(text: string, isCode = false): string {
  if (!/[:=]/.test(text)) return text;
  const withoutParameters = replaceEach(text, PARAMETER, (match) => replaceParameter(text, match));
  return replaceEach(withoutParameters, FIELD, (match) => {
    const field = toField(match);
    return isSecretName(field.name) ? replaceField(withoutParameters, field, isCode) : undefined;
  });
}

function replaceEach(
  text: string,
  names: RegExp,
  toReplacement: (match: RegExpExecArray) => Replacement | undefined,
) {
  const parts: string[] = [];
  let copiedTo = 0;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const replacement = toReplacement(match);
    if (replacement === undefined) continue;
    parts.push(text.slice(copiedTo, replacement.from), replacement.text);
    copiedTo = replacement.to;
    names.lastIndex = replacement.to;
  }
  return parts.join("") + text.slice(copiedTo);
}

function replaceParameter(text: string, { index, 0: whole, 1: name = "" }: RegExpExecArray) {
  if (!isSecretParameter(name)) return undefined;
  const from = index + whole.length;
  const value = matchAt(/[^&#\s"'<>;,)]+/y, text, from);
  return value === "" ? undefined : { from, to: from + value.length, text: REMOVED };
}

function toField(match: RegExpExecArray): Field {
  const [whole, dashes = "", name = "", nameQuote, separator = "", escapes = "", sign] = match;
  const quote = sign === undefined ? undefined : { sign, escapes: escapes.length };
  const start = match.index + dashes.length;
  return { name, nameQuote, start, end: match.index + whole.length, separator, quote };
}

function replaceField(text: string, field: Field, isCode: boolean): Replacement | undefined {
  if (field.quote !== undefined) return replaceQuoted(text, field, field.quote);
  if (field.separator.includes(">")) return undefined;
  if (/[\r\n]/.test(field.separator))
    return isCode || field.nameQuote !== undefined ? undefined : replaceNextLine(text, field);
  if (field.nameQuote !== undefined) return replaceNumber(text, field, field.nameQuote);
  const line = isCode ? undefined : replaceLine(text, field);
  return (
    line ??
    (field.separator === "=" ? replaceWord(text, field) : replaceInSentence(text, field, isCode))
  );
}

/** Characters after a closing quote: `"password=" + encode(password)`. */
const AFTER_CLOSING_QUOTE = /[\s,;)}\]+&.]/y;

function replaceQuoted(
  text: string,
  field: Field,
  { sign, escapes }: { sign: string; escapes: number },
): Replacement | undefined {
  const { name, end, separator, nameQuote } = field;
  AFTER_CLOSING_QUOTE.lastIndex = end;
  const mayClose =
    nameQuote === undefined && /[:=]$/.test(separator) && !isAtLineStart(text, field);
  if (mayClose && AFTER_CLOSING_QUOTE.test(text)) return undefined;
  const to = findClosingQuote(text, end, sign, escapes);
  const value = text.slice(end, to);
  const isField = nameQuote !== undefined || separator.includes("=") || isCredentialName(name);
  // The rest of the value is searched again for names. A quote of the same kind ends it, so this
  // happens only a few times.
  if (value === "" || !(isField || looksLikeCredential(value))) return undefined;
  return { from: end, to, text: redactFieldValue(name, value) };
}

/** `"pin":1234` becomes a string, so that the text stays valid JSON. */
function replaceNumber(text: string, { end }: Field, quote: string): Replacement | undefined {
  const number = matchAt(/-?\d[\d.eE+-]{0,100}/y, text, end);
  if (number === "") return undefined;
  return { from: end, to: end + number.length, text: `${quote}${REMOVED}${quote}` };
}

/** More pairs on the same line: `password=a&user=b`, `password=a user=b`. */
const NEXT_PAIR = /[&?#,;\s]\s{0,4}[\w.-]{1,100}=/;

/** Another field, a marker of a list, a comment or a bracket. */
const NO_VALUE = /^[-*#{}[\](<>|]|^[\w.-]{1,100}[:=]|[:=,]$/;

/** One word on the line after the name: `password=`, or an indented value of YAML. */
function replaceNextLine(text: string, field: Field): Replacement | undefined {
  const { name, end, separator } = field;
  if (!isCredentialName(name) || separator.split("\n").length > 2) return undefined;
  const value = matchAt(/[^\r\n]+/y, text, end).trimEnd();
  if (value === "" || /\s/.test(value) || NO_VALUE.test(value)) return undefined;
  const isYaml = /[ \t]$/.test(separator) && isAtLineStart(text, field) && !isSentence(value);
  if (!separator.includes("=") && !isYaml && !looksLikeCredential(value)) return undefined;
  return { from: end, to: end + value.length, text: redactFieldValue(name, value) };
}

/** The sign of a YAML value in the lines below it: `|`, `>-`. */
const BLOCK_SIGN = /^[|>][-+]?$/;
const BLOCK_LINE = /\r?\n([ \t]*)([^\r\n]*)/y;

/** The indented lines after a name, from the end of its own line. */
function replaceBlock(text: string, from: number, indent: number): Replacement | undefined {
  let to = from;
  let margin = "";
  BLOCK_LINE.lastIndex = from;
  for (let line = BLOCK_LINE.exec(text); line !== null; line = BLOCK_LINE.exec(text)) {
    const [whole, blanks = "", content] = line;
    if (content !== "" && blanks.length <= indent) break;
    margin ||= blanks;
    to += whole.length;
  }
  const value = text.slice(from, to);
  if (margin === "" || isEmptyValue(value.trim())) return undefined;
  return { from, to, text: `\n${margin}${REMOVED}` };
}

function countIndent(text: string, { start }: Field): number {
  const before = text.slice(Math.max(0, start - MAX_LINE_PREFIX_CHARS), start);
  return start - (start - before.length + before.lastIndexOf("\n") + 1);
}

/** A single bracket, or a comparison: the value is on other lines, or this is not a field. */
const OPENS_NESTED_VALUE = /^(?:[{[(<|>][-+]?$|=)/;

/** A header, a line of YAML or of an environment file. The value ends with the line. */
function replaceLine(text: string, field: Field): Replacement | undefined {
  const { name, end, separator } = field;
  if (!isAtLineStart(text, field) || isSourcePosition(text, field)) return undefined;
  const value = matchAt(/[^\r\n]+/y, text, end).trimEnd();
  const from = end;
  const to = end + value.length;
  if (!isCredentialName(name.slice(name.lastIndexOf(".") + 1))) {
    const isSecret = separator.includes(":") && looksLikeCredential(value);
    return isSecret ? { from, to, text: redactFieldValue(name, value) } : undefined;
  }
  const isOneOfMany =
    separator.includes("=") && name !== name.toUpperCase() && NEXT_PAIR.test(value);
  if (BLOCK_SIGN.test(value)) return replaceBlock(text, to, countIndent(text, field));
  if (value === "" || isOneOfMany || OPENS_NESTED_VALUE.test(value)) return undefined;
  if (separator.includes(":") && isSentence(value)) return undefined;
  return { from, to, text: redactFieldValue(name, value) };
}

/** `password=hunter2` anywhere. `token=getToken()` is a call and stays. */
function replaceWord(text: string, { name, end }: Field): Replacement | undefined {
  // Another field may begin after a removed value: `a=[removed]#id_token=b`.
  if (text.startsWith(REMOVED, end)) return undefined;
  const value = matchAt(/[^\s"'\\&,;<>()}]+/y, text, end);
  if (value === "") return undefined;
  const to = end + value.length;
  return { from: end, to, text: text[to] === "(" ? value : redactFieldValue(name, value) };
}

/** A value that looks like a credential. A digit or an inner capital is near its start. */
const CREDENTIAL =
  /(?![a-z]+:\/\/)(?=[^\s"'\\,;<>()}&]{0,64}?(?:\d|[a-z][A-Z]))[^\s"'\\,;<>()}&]{6,}/y;
/** One word of a token's characters, with a letter and a digit. */
const PLAIN_TOKEN =
  /(?=[\w+=-]{0,64}?\d)(?=[\w+=-]{0,64}?[A-Za-z])[\w+=-]{16,}(?![^\s"'\\,;<>()}&])/y;

/** In a sentence a value must look like a credential: "Invalid token: expired" is a message. */
function replaceInSentence(text: string, field: Field, isCode: boolean): Replacement | undefined {
  const { name, end, separator } = field;
  // In source code only a header's name has a dash, and the value may be an expression.
  if (
    isCode &&
    (!name.includes("-") || matchAt(/[^\s"'\\,;<>()}&]{0,64}[${(]/y, text, end) !== "")
  ) {
    return undefined;
  }
  if (!separator.includes(":") || isSourcePosition(text, field)) return undefined;
  const from = end + matchAt(AUTH_SCHEME, text, end).length;
  const value = matchAt(isCredentialName(name) ? CREDENTIAL : PLAIN_TOKEN, text, from);
  return value === ""
    ? undefined
    : { from, to: from + value.length, text: redactFieldValue(name, value) };
}

/** "password.ts:10:5", "secret::name", "secret://host". */
function isSourcePosition(text: string, { end, separator }: Field): boolean {
  return separator === ":" && matchAt(/:|\/\/|\d{1,6}(?:$|\D)/y, text, end) !== "";
}

/**
 * The text before a name on its line: an indent, a marker of YAML, of a quotation or of curl,
 * `export`.
 */
const LINE_PREFIX = /(?:^|[\r\n])[ \t]{0,30}(?:[-*<>] |export )?$/;
const MAX_LINE_PREFIX_CHARS = 40;

function isAtLineStart(text: string, { start }: Field): boolean {
  const before = text.slice(Math.max(0, start - MAX_LINE_PREFIX_CHARS), start);
  return before.length < MAX_LINE_PREFIX_CHARS
    ? LINE_PREFIX.test(before)
    : LINE_PREFIX.test(`-${before}`);
}
