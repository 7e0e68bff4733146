/**
 * Grouping, version 1: the text of a message without its values, in every script. Names of code and
 * of a schema, codes and unreachable hosts stay.
 */
import { keepParts } from "./kept-parts.ts";
import { replaceVariableParts } from "./variable-parts.ts";

const MAX_TEXT_CHARS = 300;

/** The message with "*" in place of its values; at most 300 characters. Linear in its length. */
export function toNeutralText(message: string): string {
  const kept = keepParts(replaceQuotedInAnyScript(normalizeScript(message)));
  const text = kept.text
    .replace(EMAIL, "*")
    .replace(/(?<=[\w$\]])@[\da-f]{5,8}\b|\b0x[\da-f]+/gi, "*")
    .replace(/\b[A-Z]{2,10}(?:-\d+)+\b/g, "*");
  return kept.restore(replaceVariableParts(text)).slice(0, MAX_TEXT_CHARS).trim();
}

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
