/**
 * Secrets that a text names: parameters of an address, assignments, members of JSON, header lines. Walks from left to
 * right past what it has read, so that it is linear on any text.
 */
import { isCredentialName, isSecretName, isSecretParameter } from "./secret-names.ts";
import { quotedEnd } from "./secret-quotes.ts";
import { REMOVED } from "./secrets.ts";

/** `?token=abc`, `&code=abc`, `#access_token=abc` of an address. */
const PARAMETER = /(?<=[?&#;])([\w.[\]-]{1,100})=/g;

/**
 * A name, its own closing quote, what stands between and the quote that opens its value, with the backslashes of JSON in
 * a string of JSON. What ends behind a "?" is the condition of `show ? "password" : "text"`.
 */
const FIELD =
  /(?<![\w.-]|\?\s{0,4}\\{0,7}["'])((?:(?:api|access|private|secret) )?[a-z_][\w.-]{0,99})(\\{0,7}["'])?(\s{0,20}(?::|=>?)\s{0,20})(?:(\\{0,7})(["']))?/gi;

interface Field {
  readonly name: string;
  /** The name stands in quotes, as in data. */
  readonly quoteOfName: string | undefined;
  /** Where the name begins, and where what follows the sign and its opening quote begins. */
  readonly start: number;
  readonly end: number;
  readonly between: string;
  readonly quote: { readonly sign: string; readonly escapes: number } | undefined;
}

/** Something that is taken out, from one place of the text up to another, and what stands there then. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/**
 * The text without the values of secret names. In a text of `code` a value that is a secret is a literal: `password:
 * user.password` stays.
 */
export function withoutNamed(text: string, code = false): string {
  if (!/[:=]/.test(text)) return text;
  const inAddresses = cutEach(text, PARAMETER, (match) => cutOfParameter(text, match));
  return cutEach(inAddresses, FIELD, (match) => {
    const field = fieldOf(match);
    return isSecretName(field.name) ? cutOf(inAddresses, field, code) : undefined;
  });
}

function cutEach(text: string, names: RegExp, cut: (match: RegExpExecArray) => Cut | undefined) {
  const parts: string[] = [];
  let kept = 0;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const found = cut(match);
    if (found === undefined) continue;
    parts.push(text.slice(kept, found.from), found.put);
    kept = found.to;
    names.lastIndex = found.to;
  }
  return parts.join("") + text.slice(kept);
}

function cutOfParameter(text: string, { index, 0: all, 1: name = "" }: RegExpExecArray) {
  if (!isSecretParameter(name)) return undefined;
  const from = index + all.length;
  const value = matchAt(/[^&#\s"'<>;,)]+/y, text, from);
  return value === "" ? undefined : { from, to: from + value.length, put: REMOVED };
}

function fieldOf(match: RegExpExecArray): Field {
  const [all, name = "", quoteOfName, between = "", escapes = "", sign] = match;
  const quote = sign === undefined ? undefined : { sign, escapes: escapes.length };
  return { name, quoteOfName, start: match.index, end: match.index + all.length, between, quote };
}

function cutOf(text: string, field: Field, code: boolean): Cut | undefined {
  if (field.quote !== undefined) return cutOfQuoted(text, field, field.quote);
  if (/[\r\n>]/.test(field.between)) return undefined;
  if (field.quoteOfName !== undefined) return cutOfNumber(text, field, field.quoteOfName);
  const line = code ? undefined : cutOfLine(text, field);
  return (
    line ?? (field.between === "=" ? cutOfWord(text, field) : cutInSentence(text, field, code))
  );
}

/** What follows a quote that ended something: `"password=" + encode(password)`. */
const BEHIND_CLOSING = /[\s,;)}\]+&.]/y;

function cutOfQuoted(
  text: string,
  field: Field,
  { sign, escapes }: { readonly sign: string; readonly escapes: number },
): Cut | undefined {
  const { name, end, between, quoteOfName } = field;
  BEHIND_CLOSING.lastIndex = end;
  const mayClose = quoteOfName === undefined && /[:=]$/.test(between) && !beginsLine(text, field);
  if (mayClose && BEHIND_CLOSING.test(text)) return undefined;
  const to = quotedEnd(text, end, sign, escapes);
  const value = text.slice(end, to);
  const isField = quoteOfName !== undefined || between.includes("=") || isCredentialName(name);
  // What stays is looked at again for names within. A quote of its kind ends it, so that this happens a few times at most.
  if (value === "" || !(isField || looksLikeCredential(value))) return undefined;
  return { from: end, to, put: withoutValue(name, value) };
}

/** `"pin":1234`: it becomes a string, so that JSON stays JSON. */
function cutOfNumber(text: string, { end }: Field, quote: string): Cut | undefined {
  const number = matchAt(/-?\d[\d.eE+-]{0,100}/y, text, end);
  if (number === "") return undefined;
  return { from: end, to: end + number.length, put: `${quote}${REMOVED}${quote}` };
}

/** More pairs on the same line: `password=a&user=b`, `password=a user=b`. */
const NEXT_PAIR = /[&?#,;\s]\s{0,4}[\w.-]{1,100}=/;

/** A bracket alone, a comparison: the value is on other lines, or this is no field. */
const BEGINS_MORE = /^(?:[{[(<|>][-+]?$|=)/;

/** A header, a line of YAML or of an environment file: its value ends with the line. */
function cutOfLine(text: string, field: Field): Cut | undefined {
  const { name, end, between } = field;
  if (!beginsLine(text, field) || isPosition(text, field)) return undefined;
  const value = matchAt(/[^\r\n]+/y, text, end).trimEnd();
  const from = end;
  const to = end + value.length;
  if (!isCredentialName(name.slice(name.lastIndexOf(".") + 1))) {
    const isSecret = between.includes(":") && looksLikeCredential(value);
    return isSecret ? { from, to, put: withoutValue(name, value) } : undefined;
  }
  const isOneOfMany = between.includes("=") && name !== name.toUpperCase() && NEXT_PAIR.test(value);
  if (value === "" || isOneOfMany || BEGINS_MORE.test(value)) return undefined;
  return { from, to, put: withoutValue(name, value) };
}

/** `password=hunter2` wherever it stands; `token=getToken()` calls something. */
function cutOfWord(text: string, { name, end }: Field): Cut | undefined {
  const value = matchAt(/[^\s"'\\&,;<>()}]+/y, text, end);
  // Behind what was removed something else may begin: `a=[removed]#id_token=b`.
  if (value === "" || value.startsWith(REMOVED)) return undefined;
  const to = end + value.length;
  return { from: end, to, put: text[to] === "(" ? value : withoutValue(name, value) };
}

/** Within a sentence a value must look like one: "Invalid token: expired" says what is wrong with it. */
function cutInSentence(text: string, field: Field, code: boolean): Cut | undefined {
  const { name, end, between } = field;
  if (code || !between.includes(":") || isPosition(text, field)) return undefined;
  const scheme = matchAt(SCHEME, text, end);
  const from = end + scheme.length;
  const value = matchAt(/[^\s"'\\,;<>()}&]{1,4000}/y, text, from);
  const isSecret = isCredentialName(name)
    ? looksLikeCredential(value)
    : /^(?=.{0,200}\d)(?=.{0,200}[A-Za-z])[\w+=-]{16,}$/.test(value);
  return isSecret ? { from, to: from + value.length, put: withoutValue(name, value) } : undefined;
}

/** "password.ts:10:5", "secret::name", "secret://host". */
function isPosition(text: string, { end, between }: Field): boolean {
  return between === ":" && matchAt(/:|\/\/|\d{1,6}(?:$|\D)/y, text, end) !== "";
}

/** What may stand before a name on its line: an indent, a sign of YAML, of a quotation or of curl, a shell's word. */
const BEFORE_NAME = /(?:^|[\r\n])[ \t]{0,30}(?:[-*<>] |export )?$/;
const MAX_BEFORE_CHARS = 40;

function beginsLine(text: string, { start }: Field): boolean {
  const before = text.slice(Math.max(0, start - MAX_BEFORE_CHARS), start);
  return before.length < MAX_BEFORE_CHARS
    ? BEFORE_NAME.test(before)
    : BEFORE_NAME.test(`-${before}`);
}

/** A digit or a capital inside, and nothing that a sentence, an address or a call has. */
function looksLikeCredential(value: string): boolean {
  return (
    /^[^\s()<>]{6,}$/.test(value) && /\d|[a-z][A-Z]/.test(value) && !/^[a-z]+:\/\//.test(value)
  );
}

/** Words before a credential that are none (RFC 9110 § 11, and what is in use). */
const SCHEME = /(?:basic|bearer|digest|token|apikey|negotiate|aws4-hmac-sha256)[ \t]{1,4}/iy;
/** There was no value, or somebody has removed it before. */
const NOTHING =
  /^(?:null|undefined|true|false|none|nil|\*+|[[<](?:removed|redacted|filtered|object Object)[\]>])[,;]?$/i;

function withoutValue(name: string, value: string): string {
  if (NOTHING.test(value)) return value;
  const scheme = matchAt(SCHEME, value, 0);
  const isScheme = value.slice(scheme.length) === REMOVED || /authorization$/i.test(name);
  return isScheme ? `${scheme}${REMOVED}` : REMOVED;
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? "";
}
