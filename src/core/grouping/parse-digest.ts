/**
 * Errata's digest: seven characters of a hash and a check character (`encode-digest.ts`),
 * designed to be read out on the telephone and typed from a screenshot: `7F3K-Q2M9`. Parsing is
 * tolerant. If the check character does not match, the parser lists the single misreadings that
 * would explain it.
 */

import type { Digest } from "../report.ts";
import { fail, ok, type Result } from "../result.ts";
import { confusablePairs } from "./confusable-characters.ts";
import { ALPHABET, computeCheck, DATA_CHARS, formatDigest } from "./encode-digest.ts";

/** Letters outside the alphabet, and the characters that they mean. */
const LETTER_SUBSTITUTES: ReadonlyMap<string, string> = new Map([
  ["O", "0"],
  ["I", "1"],
  ["L", "1"],
  ["U", "V"],
]);

/** Two characters that look like one, as `LETTER_SUBSTITUTES` leaves them. */
const LIGATURES: readonly (readonly [one: string, two: string])[] = [
  ["W", "VV"],
  ["D", "C1"],
  ["M", "RN"],
  ["M", "NN"],
  ["B", "13"],
  ["K", "1C"],
  ["H", "11"],
];

/**
 * An explanation of a wrong check character: at `position` (0 to 7, without the dash) `replacement`
 * was misread as `read`.
 */
export interface DigestCorrection {
  readonly position: number;
  /**
   * One character; two adjacent ones that were swapped, or that look like one; or those from the
   * first to the last of several equal misreadings. Empty if a character is missing.
   */
  readonly read: string;
  /** Empty if a character is too many. */
  readonly replacement: string;
  /** True if the characters look or sound alike or were swapped; false for any other error. */
  readonly isConfusable: boolean;
  /** The corrected digest. */
  readonly digest: Digest;
}

/**
 * The reason why a text is not a digest. `read` is the interpreted text: `7F3K-Q2N9`. `corrections`
 * is ranked, best first.
 */
type DigestError =
  | { readonly reason: "not-a-digest" }
  | {
      readonly reason: "wrong-check";
      readonly read: string;
      readonly corrections: readonly DigestCorrection[];
    };

/** True for the canonical form only: upper case, one dash, the right check character. */
export function isDigest(text: string): text is Digest {
  return (
    /^[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/.test(text) && hasValidCheck(text.replace("-", ""))
  );
}

/**
 * Parses a digest in any form that people write: any case, O for 0, I and L for 1, U for V,
 * full-width characters, with or without dashes of any kind, surrounded by spaces or quotation
 * marks. `not-a-digest` without eight letters and digits; `wrong-check` if the check character does
 * not match.
 */
export function parseDigest(text: string): Result<Digest, DigestError> {
  const letters = normalizeLetters(text);
  if (letters === undefined) return fail({ reason: "not-a-digest" });
  if (hasValidCheck(letters)) return ok(formatDigest(letters));
  return fail({
    reason: "wrong-check",
    read: formatDigest(letters),
    corrections: findCorrections(letters),
  });
}

/**
 * The digest in a text of eight letters and digits; undefined if there is none. Unlike
 * `parseDigest`, it lists no corrections, which take a thousand times as long.
 */
export function readDigest(text: string): Digest | undefined {
  if (!/^[\dA-Za-z]{8}$/.test(text)) return undefined;
  const letters = text.toUpperCase().replace(/[OILU]/g, toSubstitute);
  return hasValidCheck(letters) ? formatDigest(letters) : undefined;
}

/**
 * The digests that a text of seven or nine letters and digits may have been, with one character
 * missing or too many; undefined for any other text.
 */
export function correctLength(
  text: string,
): { readonly read: string; readonly corrections: readonly DigestCorrection[] } | undefined {
  const letters = normalizeLetters(text, /^[\dA-Z]{7}$|^[\dA-Z]{9}$/);
  if (letters === undefined) return undefined;
  const isShort = letters.length <= DATA_CHARS;
  const found = new Map<string, DigestCorrection>();
  const consider = (position: number, read: string, replacement: string): void => {
    const end = position + read.length;
    const candidate = letters.slice(0, position) + replacement + letters.slice(end);
    if (!hasValidCheck(candidate) || found.has(candidate)) return;
    const digest = formatDigest(candidate);
    found.set(candidate, { position, read, replacement, isConfusable: true, digest });
  };
  for (const [one, two] of LIGATURES) {
    const [read, replacement] = isShort ? [one, two] : [two, one];
    for (let at = letters.indexOf(read); at >= 0; at = letters.indexOf(read, at + 1))
      consider(at, read, replacement);
  }
  for (let position = 0; position <= DATA_CHARS + (isShort ? 0 : 1); position++) {
    for (const replacement of isShort ? ALPHABET : [""])
      consider(position, isShort ? "" : letters.charAt(position), replacement);
  }
  return { read: formatDigest(letters), corrections: [...found.values()] };
}

/** Longer texts are rejected without parsing. */
const MAX_INPUT_CHARS = 64;
const IGNORED_CHARS = /[\s\p{Pd}\u00AD\u2212\p{Pi}\p{Pf}"'`\u200B-\u200D\uFEFF]/gu;

function normalizeLetters(text: string, form = /^[\dA-Z]{8}$/): string | undefined {
  if (text.length > MAX_INPUT_CHARS) return undefined;
  const stripped = text.normalize("NFKC").replace(IGNORED_CHARS, "").toUpperCase();
  if (!form.test(stripped)) return undefined;
  return stripped.replace(/[OILU]/g, toSubstitute);
}

function toSubstitute(letter: string): string {
  return LETTER_SUBSTITUTES.get(letter) ?? letter;
}

/**
 * Single misreadings by the rank of their pair, then swapped neighbors, then several misreadings of
 * the same pair, then every other single replacement with a valid check character: one per position.
 */
function findCorrections(letters: string): readonly DigestCorrection[] {
  const found: DigestCorrection[] = [];
  const consider = (position: number, replacement: string, isConfusable: boolean): void => {
    const end = position + replacement.length;
    const candidate = letters.slice(0, position) + replacement + letters.slice(end);
    if (!hasValidCheck(candidate) || found.some(({ digest }) => digest === formatDigest(candidate)))
      return;
    found.push({
      position,
      read: letters.slice(position, end),
      replacement,
      isConfusable,
      digest: formatDigest(candidate),
    });
  };
  // What was misread once is misread everywhere: `HWBA-JFFB`.
  const considerEach = (read: string, replacement: string): void => {
    const [first, last] = [letters.indexOf(read), letters.lastIndexOf(read)];
    const replaced = letters.slice(first, last + 1).replaceAll(read, replacement);
    if (first < last) consider(first, replaced, true);
  };
  for (const [a, b] of confusablePairs) {
    for (let position = 0; position <= DATA_CHARS; position++) {
      if (letters[position] === a) consider(position, b, true);
      else if (letters[position] === b) consider(position, a, true);
    }
  }
  for (let position = 0; position < DATA_CHARS; position++)
    consider(position, letters.charAt(position + 1) + letters.charAt(position), true);
  for (const [a, b] of confusablePairs) {
    considerEach(a, b);
    considerEach(b, a);
  }
  for (let position = 0; position <= DATA_CHARS; position++) {
    for (const letter of ALPHABET) consider(position, letter, false);
  }
  return found;
}

function hasValidCheck(letters: string): boolean {
  return letters.charAt(DATA_CHARS) === computeCheck(letters.slice(0, DATA_CHARS));
}
