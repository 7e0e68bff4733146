/**
 * Finds every code in pasted text that can lead to an error. The text may be a notice, a chat
 * message, a URL, the error page of a framework, or JSON from a log. Ordinary words are not codes.
 * Linear in the length of the text.
 */

import { controlFlowNames } from "../control-flow/control-flow.ts";
import { isDigest, parseDigest, readDigest } from "../grouping/parse-digest.ts";
import { limits } from "../limits.ts";
import { normalizePerson } from "../report/report-codes.ts";
import { normalizeAlias } from "./alias.ts";
import { findErrorNames } from "./error-names.ts";
import { findForeignCodes } from "./foreign-formats.ts";
import { guessCodes } from "./guess-codes.ts";
import { formatCodeKey, isCodeLike, isNextDigest, type LookupCode } from "./lookup-code.ts";
import { readPastedText } from "./pasted-text.ts";

/**
 * The codes in `pasted`, best first, each once, at most `limits.maxCodesPerQuery`. Reads the first
 * `limits.maxQueryChars` characters. A digest without a dash is recognized if it is the whole text,
 * follows a word such as "digest" or "error", or is in an Errata URL. Empty if the text contains no
 * code.
 */
export function parseCodes(pasted: string): readonly LookupCode[] {
  return findCodes(listTexts(pasted));
}

/** What pasted text may mean. */
export interface PastedCodes {
  readonly codes: readonly LookupCode[];
  /** Codes that the text contains only if an issue has them (`guess-codes.ts`). */
  readonly guesses: readonly LookupCode[];
}

/** As `parseCodes`, with the guesses. */
export function parsePasted(pasted: string): PastedCodes {
  const texts = listTexts(pasted);
  const codes = findCodes(texts);
  // A digest as it is written is nothing else.
  if (isDigest(pasted.trim())) return { codes, guesses: [] };
  const isCode = codes.some(({ kind }) => kind !== "alias");
  const keys = new Set(codes.map(formatCodeKey));
  const guesses = [...texts.flatMap(guessCodes), ...findPersons(pasted, isCode)].filter(
    (code) => !keys.has(formatCodeKey(code)),
  );
  return { codes, guesses: guesses.slice(0, limits.maxGuessesPerQuery) };
}

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}(?![\w@])/gu;
const MAX_PERSONS = 2;
/** A single word with a digit may be the id of a user. */
const USER_ID = /^[^\s"'<>]*\d[^\s"'<>]*$/;
const MAX_USER_ID_CHARS = 100;

/** The email addresses in a text, and the text if it may be the id of a user but no other code. */
function findPersons(pasted: string, isCode: boolean): readonly LookupCode[] {
  const text = pasted.slice(0, limits.maxQueryChars).trim();
  const isId = !isCode && text.length <= MAX_USER_ID_CHARS && USER_ID.test(text);
  const emails = Array.from(text.matchAll(EMAIL), ([email]) => email);
  return [...emails, ...(isId ? [text] : [])].slice(0, MAX_PERSONS).flatMap((one) => {
    const person = normalizePerson(one);
    return person === undefined ? [] : [{ kind: "person" as const, person }];
  });
}

/** The text in one spelling, and the texts that are encoded in it. */
function listTexts(pasted: string): readonly string[] {
  const sent = pasted.slice(0, limits.maxQueryChars);
  const text = readPastedText(sent);
  const decoded = isQuotedPrintable(sent) ? [readPastedText(decodeQuotedPrintable(sent))] : [];
  return [...decoded, text, ...findQueryValues(sent).map(readPastedText)];
}

function findCodes(texts: readonly string[]): readonly LookupCode[] {
  let found = CODE_FINDERS.flatMap((find) => texts.flatMap(find));
  if (found.length === 0) found = texts.flatMap(findLongDecimals);
  const hasOnlyMisreads = found.every((code) => code.kind === "misread");
  found.push(
    ...texts.flatMap(findWholeToken).filter((code) => hasOnlyMisreads || isDecimal(code.alias)),
  );
  const seen = new Set<string>();
  const isNew = (code: LookupCode): boolean => seen.size < seen.add(formatCodeKey(code)).size;
  return found.filter(isNew).slice(0, limits.maxCodesPerQuery);
}

/** Functions that find codes, the most certain kind first. */
const CODE_FINDERS: readonly ((text: string) => readonly LookupCode[])[] = [
  findDigests,
  (text) => findHexIds(text).map((id) => ({ kind: "report-id", id })),
  (text) => findAliases(text, FOREIGN_ALIAS_PATTERNS),
  findMisreads,
  (text) => findAliases(text, [APPLICATION_ALIAS_PATTERN]),
  findControlFlow,
  (text) => findHexIds(text).map((alias) => ({ kind: "alias", alias })),
  (text) => findForeignCodes(text).map((foreign) => ({ kind: "request", foreign })),
  (text) => findErrorNames(text).map((error) => ({ kind: "error-name", error })),
];

const DASH = "-";
const FOUR_CHARS = "[\\dA-Za-z]{4}";
/**
 * The text between a label and its code: `Digest: `, `"digest":"`, `ERROR `, `data-dgst="`, `code
 * is `.
 */
const LABEL_SEPARATOR = "(?: is| was)?[\"'\\\\\\s:=#>(]{1,8}";
/**
 * The end of a code: no word character follows, and the code is not part of a file name such as
 * `main-4f3a.js`.
 */
const TOKEN_END = "(?![\\w-]|\\.\\w)";

/** The label of a digest in a notice. A digest after it may be all lower-case letters. */
const DIGEST_LABEL = /(?:digest|dgst)["'\\]{0,2}\s?[:=]/i;

/**
 * Patterns of a digest in a longer text. In an Errata URL (`isUrl`) a digest need not look like a
 * code.
 */
const DIGEST_PATTERNS: readonly { pattern: RegExp; isUrl?: true }[] = [
  {
    pattern: new RegExp(`/[de]/(${FOUR_CHARS}${DASH}?${FOUR_CHARS})(?![\\w-])`, "g"),
    isUrl: true,
  },
  // After a word.
  {
    pattern: new RegExp(
      `\\b(?:digest|dgst|error|code|id)${LABEL_SEPARATOR}(${FOUR_CHARS}(?: ?${DASH} ?)?${FOUR_CHARS})${TOKEN_END}`,
      "gi",
    ),
  },
  // With a space for its dash.
  {
    pattern: new RegExp(
      `\\bdigest${LABEL_SEPARATOR}(${FOUR_CHARS} ${FOUR_CHARS})${TOKEN_END}`,
      "gi",
    ),
  },
  // With its dash.
  { pattern: new RegExp(`(?<![\\w./-])(${FOUR_CHARS}${DASH}${FOUR_CHARS})${TOKEN_END}`, "g") },
];

/** Codes of other systems, recognized by the word before them or by their format. */
const FOREIGN_ALIAS_PATTERNS: readonly RegExp[] = [
  // A decimal number after a word, or with the code of Next.js, and a Ray ID.
  new RegExp(
    `\\b(?:digest|dgst|error(?:[ _-]?(?:id|code))?)${LABEL_SEPARATOR}(\\d{4,10}(?:[@;]E\\d{1,8})?)${TOKEN_END}`,
    "gi",
  ),
  /(?<![\w.-])(\d{1,10}[@;]E\d{1,8})(?!\w)/g,
  new RegExp(`(?:cf|ray)[ _-]?(?:ray|id)${LABEL_SEPARATOR}([\\da-f]{16})(?![\\dA-Za-z])`, "gi"),
  /(?<![\dA-Za-z])([\da-f]{16})-[A-Z]{3}(?![\dA-Za-z])/gi,
];

/** `Digest: MY-DIGEST-1`: frameworks show a digest set by the application unchanged. */
const APPLICATION_ALIAS_PATTERN =
  /\bdigest["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}([\w@:;/+~.-]{1,100})(?![\w@:;/+~.-])/gi;

/** A range of years has the format of a digest, and 1 in 32 has a valid check character. */
const YEAR_RANGE = /^(?:19|20)\d\d\D(?:19|20)\d\d$/;

/**
 * A text that is a digest and nothing else: two groups of four, with a dash, a space or nothing
 * between them, or eight characters apart. With other marks it is a path, a version or a date
 * that only may be a digest (`guess-codes.ts`).
 */
const SINGLE_TOKEN =
  /^["'`]?(?:[\dA-Za-z]{4}\s{0,3}-?\s{0,3}[\dA-Za-z]{4}|(?:[\dA-Za-z]\s){7}[\dA-Za-z])["'`]?$/;

/** The digests in a text. */
function findDigests(text: string): readonly LookupCode[] {
  const digests = new Set(listDigestTexts(text).flatMap((one) => readDigest(strip(one)) ?? []));
  return Array.from(digests, (digest) => ({ kind: "digest", digest }));
}

/** Texts like a digest whose check character does not match. Words are not misread digests. */
function findMisreads(text: string): readonly LookupCode[] {
  const read = new Set(listDigestTexts(text).filter(isCodeLike).map(strip));
  const wrong = [...read].filter((one) => readDigest(one) === undefined);
  return wrong.slice(0, limits.maxCodesPerQuery).flatMap((one) => {
    const parsed = parseDigest(one);
    return parsed.ok || parsed.reason === "not-a-digest"
      ? []
      : [{ kind: "misread" as const, read: parsed.read, corrections: parsed.corrections }];
  });
}

/** The texts in the place or with the form of a digest. */
function listDigestTexts(text: string): readonly string[] {
  const trimmed = text.trim();
  const found = SINGLE_TOKEN.test(trimmed) ? [trimmed] : [];
  for (const { pattern, isUrl } of DIGEST_PATTERNS) {
    for (const [match, matched = ""] of text.matchAll(pattern)) {
      const isNumber = isDecimal(strip(matched)) && !YEAR_RANGE.test(matched);
      const looksLikeCode = isCodeLike(matched) || isNumber;
      if (isUrl === true || looksLikeCode || DIGEST_LABEL.test(match)) found.push(matched);
    }
  }
  return found;
}

function strip(text: string): string {
  return text.length > MAX_DIGEST_CHARS ? "" : text.replace(/[^\dA-Za-z]/g, "");
}

/** A digest with quotation marks around it, letter by letter. */
const MAX_DIGEST_CHARS = 32;

function findAliases(text: string, patterns: readonly RegExp[]): readonly LookupCode[] {
  return patterns
    .flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ([, matched = ""]) => matched.replace(/[.:;/]{1,9}$/, "")),
    )
    .map(normalizeAlias)
    .filter((alias) => alias !== null)
    .filter((alias) => (isDecimal(alias) ? isNextDigest(alias) : /\d/.test(alias)))
    .filter(isForeignAlias)
    .map((alias) => ({ kind: "alias", alias }));
}

function findControlFlow(text: string): readonly LookupCode[] {
  return controlFlowNames
    .filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text))
    .map((name) => ({ kind: "control-flow", name }));
}

function findHexIds(text: string): readonly string[] {
  const pattern =
    /(?<![\da-z])[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}(?![\da-z])/gi;
  return Array.from(text.matchAll(pattern), ([id]) => id.replaceAll("-", "").toLowerCase());
}

/** Long numbers without a label, used only if no other code was found. */
function findLongDecimals(text: string): readonly LookupCode[] {
  return Array.from(text.matchAll(/(?<![\w.:/-])\d{7,10}(?![\w:-]|\.\d)/g), ([alias]) => alias)
    .filter(isNextDigest)
    .map((alias) => ({ kind: "alias", alias }));
}

/** The whole text if it is one word: an application may use digests of any format. */
function findWholeToken(text: string): readonly { kind: "alias"; alias: string }[] {
  const alias = text.includes("://") ? null : normalizeAlias(text);
  return alias === null || !isForeignAlias(alias) ? [] : [{ kind: "alias", alias }];
}

/** A digest of Errata is not an alias; eight decimal digits may be either. */
function isForeignAlias(alias: string): boolean {
  return isDecimal(alias) || !parseDigest(alias).ok;
}

/** The source of a mail: a line that ends in `=`, or an escape that is no part of a code. */
function isQuotedPrintable(text: string): boolean {
  return /=\r?\n|=(?:3D|E2=80|C2=A0)/.test(text);
}

/** The bytes of RFC 2045 section 6.7 as percent escapes, which `readPastedText` decodes. */
function decodeQuotedPrintable(text: string): string {
  return text.replace(/=\r?\n/g, "").replace(/=([\dA-F]{2})/g, "%$1");
}

/** The decoded values of `?q=` in URLs. */
function findQueryValues(text: string): readonly string[] {
  return Array.from(text.matchAll(/[?&]q=([^&#\s]{1,1000})/g), ([, value = ""]) => {
    try {
      return decodeURIComponent(value.replaceAll("+", " "));
    } catch {
      return value;
    }
  });
}

function isDecimal(text: string): boolean {
  return /^\d+$/.test(text);
}
