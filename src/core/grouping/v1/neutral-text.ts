/**
 * Grouping, version 1: the text of a message without its values, in every script. Names of code and
 * of a schema, codes and unreachable hosts stay.
 */
import { keepParts } from "./kept-parts.ts";
import { replaceVariableParts } from "./variable-parts.ts";

const MAX_TEXT_CHARS = 300;

/** The start of the text of every violated constraint. */
export const CONSTRAINT_PREFIX = "constraint ";

/** The text of a message without its values. */
export interface NeutralText {
  readonly text: string;
  /** The services that it could not reach, `tax.example, *:6379`. Absent if it names none. */
  readonly services?: string;
}

/** The message with "*" in place of its values; at most 300 characters. Linear in its length. */
export function toNeutralText(message: string): string {
  return describeText(message).text;
}

/** The message without its values, and the services that it names. */
export function describeText(message: string): NeutralText {
  const normalized = normalizeScript(message)
    .replace(INTERNET_ADDRESS, " *")
    .replace(SQL_PLACEHOLDERS, "*")
    .replace(DATABASE_DETAIL, "");
  const constraint = findConstraint(normalized);
  if (constraint !== undefined) return { text: constraint };
  const kept = keepParts(replaceQuotedInAnyScript(normalized));
  const text = kept.text
    .replace(MEASUREMENTS, (list) => (kept.isIn(list) ? list : ""))
    .replace(EMAIL, "*")
    .replace(/(?<=[\w$\]])@[\da-f]{5,8}\b|\b0x[\da-f]+/gi, "*")
    .replace(/\b[A-Z]{2,10}(?:-\d+)+\b/g, "*");
  const replaced = replaceVariableParts(text).replace(AMOUNT, "*").replace(PLURAL, "* $1");
  const services = [...new Set(kept.services)].sort().join(", ");
  return {
    text: kept.restore(replaced).slice(0, MAX_TEXT_CHARS).replace(FINAL_PUNCTUATION, ""),
    ...(services !== "" && isUnreachable(normalized) && { services }),
  };
}

/** Texts of a connection that was not made. Every library and version words them in its own way. */
const UNREACHABLE =
  /\bE(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH)\b|connection (?:was )?(?:refused|reset|timed out)|no such host|getaddrinfo|name or service not known|name resolution|(?:failed|could not|cannot|can't|unable|error) (?:to )?connect|error connecting|connect timed out|i\/o timeout|dial tcp|deadline exceeded|max retries exceeded|host is? ?unreachable|connection attempt failed/i;

function isUnreachable(message: string): boolean {
  return UNREACHABLE.test(message);
}

/**
 * The name of a constraint, by its form: `"orders_email_key"`. It identifies the violation in every
 * language in which a database writes. MySQL 8 adds the table.
 */
const CONSTRAINT =
  /["'`„“”«»‘’[](?:[A-Za-z]\w{0,60}\.)?((?:uk|pk|fk|uq|ck|uniq|unique)_\w{1,60}|[A-Za-z]\w{0,60}?_(?:key|fkey|pkey|foreign|unique|uniq|check|excl|constraint))["'`„“”«»‘’\]]/i;
/** Its name after a word that announces it, or of an index that was violated. */
const NAMED_CONSTRAINT =
  /\bconstraint:? ?[[("'`]{0,2}(?:[A-Za-z]\w{0,60}\.)?([A-Za-z]\w{0,60}_\w{1,60})\b/i;
const VIOLATED_INDEX =
  /["'`](?:[A-Za-z]\w{0,60}\.)?((?:ix|idx)_\w{1,60}|[A-Za-z]\w{0,60}?_(?:index|idx|ix))["'`]/i;
const VIOLATION = /constraint|unique|duplicate|violat/i;

/** `constraint orders_email_key` if the message names one that was violated. */
function findConstraint(message: string): string | undefined {
  if (!message.includes("_")) return undefined;
  const name =
    CONSTRAINT.exec(message)?.[1] ??
    NAMED_CONSTRAINT.exec(message)?.[1] ??
    (VIOLATION.test(message) ? VIOLATED_INDEX.exec(message)?.[1] : undefined);
  return name === undefined ? undefined : `${CONSTRAINT_PREFIX}${name.toLowerCase()}`;
}

/** Java writes an address behind a slash: `/10.0.0.7`, `pay.example/10.0.0.7`. */
const INTERNET_ADDRESS =
  /\/(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}\]?)(?=[\s:)]|$)/gi;

/** What PostgreSQL adds about the values. */
const DATABASE_DETAIL = /\s(?:DETAIL|HINT|CONTEXT): [\s\S]*$/;

/** Counters in brackets: `(total=10, active=10, idle=0)`. */
const MEASUREMENTS = /\s?[([]\w{1,40}=[^,()[\]=]{0,60}(?:, ?\w{1,40}=[^,()[\]=]{0,60}){1,20}[)\]]/g;

/** A list of placeholders in a statement has as many members as the values. */
const SQL_PLACEHOLDERS =
  /(?:\?|%s|\$\d{1,4}|[:@]p?\d{1,4}|%\(\w{1,60}\)s)(?:, ?(?:\?|%s|\$\d{1,4}|[:@]p?\d{1,4}|%\(\w{1,60}\)s)){1,1000}/g;

/** `* line` for `1 line` and for `2 lines`. */
const PLURAL = /\* ([A-Za-z]{3,30})s\b/g;

/** An amount with its currency. */
const AMOUNT =
  /(?:[€$£¥₹₽₺₩₪₴₫฿] ?\*)|\* ?(?:[€$£¥₹₽₺₩₪₴₫฿]|(?:EUR|USD|GBP|CHF|JPY|CNY|INR|PLN|CZK|HUF|SEK|NOK|DKK|RUB|TRY|UAH|BRL|MXN|ARS|CLP|COP|CAD|AUD|NZD|ZAR|NGN|KES|EGP|MAD|AED|SAR|QAR|ILS|KRW|TWD|HKD|SGD|THB|IDR|MYR|PHP|VND|RON|BGN|ISK)\b)/g;

/** One character may become eighteen. */
const MAX_NORMALIZED_CHARS = 8_000;
const ASCII = /^[\0-\x7f]*$/;

/** Compatible characters in one form, and the digits of every script as ASCII. */
function normalizeScript(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(/(\p{M}{30})\p{M}+/gu, "$1")
    .normalize("NFKC")
    .slice(0, MAX_NORMALIZED_CHARS)
    .replace(/\p{Nd}/gu, (digit) => (digit < "\x80" ? digit : String(getDigitValue(digit))));
}

/** Unicode lists the ten digits of a script one after another. */
function getDigitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

const FINAL_PUNCTUATION = /[\s.:;,!]{1,10}$/;

/** An address with letters of any script. */
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;

/** Quotation marks of the languages in CLDR, by their opening mark. */
const QUOTES: Readonly<Record<string, string>> = {
  "„": "”“",
  "”": "”",
  "»": "«",
  "«": "»",
  "›": "‹",
  "‹": "›",
  "『": "』",
  "「": "」",
  "【": "】",
  "《": "》",
  "〈": "〉",
  "‚": "‘’",
  "‘": "’",
  "“": "”“",
};
const QUOTED = /[„”»«›‹『「【《〈‚‘“]/;
const MAX_QUOTED_CHARS = 400;

/** Replaces values in quotation marks other than ASCII. Each closing mark is searched once. */
function replaceQuotedInAnyScript(text: string): string {
  if (!QUOTED.test(text)) return text;
  const nextClose = new Map<string, number>();
  let replaced = "";
  for (let at = 0; at < text.length; at++) {
    const open = text.charAt(at);
    const end = findClose(text, at + 1, QUOTES[open] ?? "", nextClose);
    replaced += end === undefined ? open : "*";
    at = end ?? at;
  }
  return replaced;
}

/** The index of the nearest of the closing marks; undefined if none is near enough. */
function findClose(
  text: string,
  from: number,
  marks: string,
  nextClose: Map<string, number>,
): number | undefined {
  let nearest = from + MAX_QUOTED_CHARS;
  for (const mark of marks) {
    let at = nextClose.get(mark) ?? -1;
    if (at < from) at = findMark(text, mark, from);
    nextClose.set(mark, at);
    nearest = Math.min(nearest, at);
  }
  return nearest < from + MAX_QUOTED_CHARS ? nearest : undefined;
}

/** The next index of a mark, or infinity. An apostrophe inside a word closes nothing. */
function findMark(text: string, mark: string, from: number): number {
  let at = text.indexOf(mark, from);
  while (at !== -1 && mark === "’" && /[\p{L}\p{N}]/u.test(text.charAt(at + 1)))
    at = text.indexOf(mark, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
