/**
 * Finds every code in pasted text that can lead to an error. The text may be a notice, a chat
 * message, a URL, the error page of a framework, or JSON from a log. Ordinary words are not codes.
 * Linear in the length of the text.
 */

import { controlFlowNames } from "../control-flow/control-flow.ts";
import { type DigestCorrection, parseDigest } from "../grouping/parse-digest.ts";
import { removeZeroWidth } from "../issue/issue-query.ts";
import { limits } from "../limits.ts";
import type { Digest, ReportId } from "../report.ts";
import { normalizeAlias } from "./alias.ts";

/** A code that leads, or would lead, to an error. */
export type LookupCode =
  | { readonly kind: "digest"; readonly digest: Digest }
  /**
   * Looks like a digest, but its check character does not match. `corrections` is ranked and may be
   * empty.
   */
  | {
      readonly kind: "misread";
      readonly read: string;
      readonly corrections: readonly DigestCorrection[];
    }
  /**
   * A Sentry event id or any UUID. It may also be a trace id, so an alias with the same characters
   * follows.
   */
  | { readonly kind: "report-id"; readonly id: ReportId }
  /** A foreign code in the spelling of `normalizeAlias`. */
  | { readonly kind: "alias"; readonly alias: string }
  /** A framework signal that is not a failure: `NEXT_REDIRECT`. */
  | { readonly kind: "control-flow"; readonly name: string };

/**
 * The codes in `pasted`, best first, each once, at most `limits.maxCodesPerQuery`. Reads the first
 * `limits.maxQueryChars` characters. A digest without a dash is recognized if it is the whole text,
 * follows a word such as "digest" or "error", or is in an Errata URL. Empty if the text contains no
 * code.
 */
export function parseCodes(pasted: string): readonly LookupCode[] {
  const text = removeZeroWidth(pasted.slice(0, limits.maxQueryChars));
  const texts = [text, ...findQueryValues(text)];
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
  (text) => findDigests(text).filter((code) => code.kind === "digest"),
  (text) => findHexIds(text).map((id) => ({ kind: "report-id", id })),
  (text) => findAliases(text, FOREIGN_ALIAS_PATTERNS),
  (text) => findDigests(text).filter((code) => code.kind === "misread"),
  (text) => findAliases(text, [APPLICATION_ALIAS_PATTERN]),
  findControlFlow,
  (text) => findHexIds(text).map((alias) => ({ kind: "alias", alias })),
];

const DASH = "[-\\u00AD\\u2010-\\u2015\\u2212]";
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
  new RegExp(`\\bray[ -]?id${LABEL_SEPARATOR}([\\da-f]{16})(?!\\w)`, "gi"),
];

/** `Digest: MY-DIGEST-1`: frameworks show a digest set by the application unchanged. */
const APPLICATION_ALIAS_PATTERN =
  /\bdigest["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}([\w@:;/+~.-]{1,100})(?![\w@:;/+~.-])/gi;

/** A range of years has the format of a digest, and 1 in 32 has a valid check character. */
const YEAR_RANGE = /^(?:19|20)\d\d\D(?:19|20)\d\d$/;

/** A text that has only eight characters: one word, two words, or eight letters with spaces. */
const SINGLE_TOKEN = /^(?:\S+|\S{4}\s{0,3}\S?\s{0,3}\S{4}|(?:\S\s){7}\S)$/;

function findDigests(text: string): readonly LookupCode[] {
  const trimmed = text.trim();
  const codes = SINGLE_TOKEN.test(trimmed) ? parseDigestCode(trimmed) : [];
  for (const { pattern, isUrl } of DIGEST_PATTERNS) {
    for (const [match, matched = ""] of text.matchAll(pattern)) {
      const isNumber = isDecimal(matched.replace(/[^\dA-Za-z]/g, "")) && !YEAR_RANGE.test(matched);
      const looksLikeCode = isCodeLike(matched) || isNumber;
      if (isUrl === true || looksLikeCode || DIGEST_LABEL.test(match))
        codes.push(...parseDigestCode(matched));
    }
  }
  return codes;
}

/**
 * Words are accepted as a digest only with a valid check character. A misread digest must look like
 * a code.
 */
function parseDigestCode(matched: string): LookupCode[] {
  const parsed = parseDigest(matched);
  if (parsed.ok) return [{ kind: "digest", digest: parsed.value }];
  if (parsed.reason === "not-a-digest" || !isCodeLike(matched)) return [];
  return [{ kind: "misread", read: parsed.read, corrections: parsed.corrections }];
}

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

function formatCodeKey(code: LookupCode): string {
  switch (code.kind) {
    case "digest":
      return `digest ${code.digest}`;
    case "misread":
      return `misread ${code.read}`;
    case "report-id":
      return `report-id ${code.id}`;
    case "alias":
      return `alias ${code.alias}`;
    case "control-flow":
      return `control-flow ${code.name}`;
  }
}

/**
 * True for letters mixed with digits and for capitals only, which distinguish a code from a word.
 */
function isCodeLike(text: string): boolean {
  return /[A-Za-z]/.test(text) && (/\d/.test(text) || text === text.toUpperCase());
}

function isDecimal(text: string): boolean {
  return /^\d+$/.test(text);
}

/** 32 bits in decimal, as Next.js creates them with `string-hash`. */
function isNextDigest(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= 0xffffffff;
}
