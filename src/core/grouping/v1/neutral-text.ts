/**
 * Grouping, version 1: the text of a message without its values, in every script. Names of code and
 * of a schema, codes and unreachable hosts stay.
 */
import { keepParts } from "./kept-parts.ts";
import { replaceVariableParts } from "./variable-parts.ts";

const MAX_TEXT_CHARS = 300;

/** The message with "*" in place of its values; at most 300 characters. Linear in its length. */
export function toNeutralText(message: string): string {
  const normalized = normalizeScript(message)
    .replace(INTERNET_ADDRESS, " *")
    .replace(SQL_PLACEHOLDERS, "*");
  const constraint = CONSTRAINT.exec(normalized)?.[1];
  if (constraint !== undefined) return `constraint ${constraint}`;
  const kept = keepParts(replaceQuotedInAnyScript(normalized));
  const text = kept.text
    .replace(EMAIL, "*")
    .replace(/(?<=[\w$\]])@[\da-f]{5,8}\b|\b0x[\da-f]+/gi, "*")
    .replace(/\b[A-Z]{2,10}(?:-\d+)+\b/g, "*");
  return kept
    .restore(replaceVariableParts(text).replace(AMOUNT, "*").replace(PLURAL, "* $1"))
    .slice(0, MAX_TEXT_CHARS)
    .trim();
}

/**
 * The name of a constraint, by its form: `"orders_email_key"`. It identifies the violation in every
 * language in which a database writes. MySQL 8 adds the table.
 */
const CONSTRAINT =
  /["'`„“”«»‘’](?:[A-Za-z]\w{0,60}\.)?((?:uk|pk|fk|uq|ck|uniq|unique)_\w{1,60}|[A-Za-z]\w{0,60}?_(?:key|fkey|pkey|foreign|unique|uniq|check|excl|constraint))["'`„“”«»‘’]/i;

/** Java writes an address behind a slash: `/10.0.0.7`, `pay.example/10.0.0.7`. */
const INTERNET_ADDRESS =
  /\/(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}\]?)(?=[\s:)]|$)/gi;

/** A list of placeholders in a statement has as many members as the values. */
const SQL_PLACEHOLDERS =
  /(?:\?|%s|\$\d{1,4}|[:@]p?\d{1,4}|%\(\w{1,60}\)s)(?:, ?(?:\?|%s|\$\d{1,4}|[:@]p?\d{1,4}|%\(\w{1,60}\)s)){1,1000}/g;

/** `* line` for `1 line` and for `2 lines`. */
const PLURAL = /\* ([A-Za-z]{3,30})s\b/g;

/** An amount with its currency. */
const AMOUNT =
  /(?:[€$£¥₹₽₺₩₪₴₫฿] ?\*)|\* ?(?:[€$£¥₹₽₺₩₪₴₫฿]|(?:EUR|USD|GBP|CHF|JPY|CNY|INR|PLN|CZK|HUF|SEK|NOK|DKK|RUB|TRY|UAH|BRL|MXN|ARS|CLP|COP|CAD|AUD|NZD|ZAR|NGN|KES|EGP|MAD|AED|SAR|QAR|ILS|KRW|TWD|HKD|SGD|THB|IDR|MYR|PHP|VND|RON|BGN|ISK)\b)/g;

const ASCII = /^[\0-\x7f]*$/;

/** Compatible characters in one form, and the digits of every script as ASCII. */
function normalizeScript(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, (digit) => (digit < "\x80" ? digit : String(getDigitValue(digit))));
}

/** Unicode lists the ten digits of a script one after another. */
function getDigitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

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

/** Replaces values in quotation marks other than ASCII. */
function replaceQuotedInAnyScript(text: string): string {
  if (!QUOTED.test(text)) return text;
  let replaced = "";
  for (let at = 0; at < text.length; at++) {
    const open = text.charAt(at);
    const close = QUOTES[open];
    const end = close === undefined ? -1 : findClose(text, at + 1, close);
    replaced += end === -1 ? open : "*";
    if (end !== -1) at = end;
  }
  return replaced;
}

/** The index of the first closing mark that is near enough. An apostrophe in a word closes nothing. */
function findClose(text: string, from: number, close: string): number {
  const to = Math.min(text.length, from + MAX_QUOTED_CHARS);
  for (let at = from; at < to; at++) {
    if (!close.includes(text.charAt(at))) continue;
    if (text.charAt(at) !== "’" || !/[\p{L}\p{N}]/u.test(text.charAt(at + 1))) return at;
  }
  return -1;
}
