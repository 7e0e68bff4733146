/**
 * Errata's digest: seven characters of a hash and a check character, designed to be read out on the
 * telephone and typed from a screenshot: `7F3K-Q2M9`. Parsing is tolerant, and if the check
 * character does not match, it lists the single misreadings that would explain this. Alphabet:
 * Crockford's Base 32 (crockford.com/base32.html), without I, L, O and U.
 *
 * The check character is a polynomial in GF(32), evaluated by Horner's rule at β = 7, where x⁵ = x³
 * + x² + x + 1: check = β⁷·d₀ + β⁶·d₁ + … + β·d₆. The order of β is 31, so its powers β⁷ … β¹ and
 * the check character's own weight 1 are all different and none is zero. Therefore it detects every
 * single wrong character and every swap of two different characters at any positions.
 */

import type { Digest } from "../report.ts";
import { fail, ok, type Result } from "../result.ts";
import { confusablePairs } from "./confusable-characters.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const VALUE_OF: ReadonlyMap<string, number> = new Map(
  [...ALPHABET].map((letter, i) => [letter, i]),
);
const DATA_CHARS = 7;
const BETA = 7;
const MODULUS = 0b101111;

/** Letters outside the alphabet, and the characters that they stand for. */
const LETTER_SUBSTITUTES: ReadonlyMap<string, string> = new Map([
  ["O", "0"],
  ["I", "1"],
  ["L", "1"],
  ["U", "V"],
]);

/**
 * An explanation of a wrong check character: at `position` (0 to 7, without the dash) `replacement`
 * was misread as `read`.
 */
export interface DigestCorrection {
  readonly position: number;
  /** One character, or two adjacent ones that were swapped. */
  readonly read: string;
  readonly replacement: string;
  /** True if the characters look or sound alike or were swapped; false for any other error. */
  readonly isConfusable: boolean;
  /** The corrected digest. */
  readonly digest: Digest;
}

/**
 * The reason why a text is not a digest. `read` is how it was understood: `7F3K-Q2N9`.
 * `corrections` is ranked, best first.
 */
type DigestError =
  | { readonly reason: "not-a-digest" }
  | {
      readonly reason: "wrong-check";
      readonly read: string;
      readonly corrections: readonly DigestCorrection[];
    };

/** The digest of the first 35 bits of a SHA-256. A shorter array is padded with zeros. */
export function digestFromHash(sha256: Uint8Array): Digest {
  let data = "";
  for (let index = 0; index < DATA_CHARS; index++)
    data += ALPHABET.charAt(readFiveBits(sha256, index * 5));
  return formatDigest(data + computeCheck(data));
}

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

/** Longer texts are rejected unread. */
const MAX_INPUT_CHARS = 64;
const IGNORED_CHARS = /[\s\p{Pd}\u00AD\u2212\p{Pi}\p{Pf}"'`\u200B-\u200D\uFEFF]/gu;

function normalizeLetters(text: string): string | undefined {
  if (text.length > MAX_INPUT_CHARS) return undefined;
  const stripped = text.normalize("NFKC").replace(IGNORED_CHARS, "").toUpperCase();
  if (!/^[\dA-Z]{8}$/.test(stripped)) return undefined;
  return stripped.replace(/[OILU]/g, (letter) => LETTER_SUBSTITUTES.get(letter) ?? letter);
}

/**
 * Single misreadings by the rank of their pair, then swapped neighbors, then every other single
 * replacement with a valid check character: one per position.
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
  for (const [a, b] of confusablePairs) {
    for (let position = 0; position <= DATA_CHARS; position++) {
      if (letters[position] === a) consider(position, b, true);
      else if (letters[position] === b) consider(position, a, true);
    }
  }
  for (let position = 0; position < DATA_CHARS; position++) {
    consider(position, letters.charAt(position + 1) + letters.charAt(position), true);
  }
  for (let position = 0; position <= DATA_CHARS; position++) {
    for (const letter of ALPHABET) consider(position, letter, false);
  }
  return found;
}

function formatDigest(letters: string): Digest {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

function hasValidCheck(letters: string): boolean {
  return letters.charAt(DATA_CHARS) === computeCheck(letters.slice(0, DATA_CHARS));
}

function computeCheck(data: string): string {
  let check = 0;
  for (const letter of data) check = multiply(check ^ (VALUE_OF.get(letter) ?? 0), BETA);
  return ALPHABET.charAt(check);
}

/** Product of two elements of GF(32), each the five coefficients of a polynomial over GF(2). */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = a;
  for (let rest = b; rest > 0; rest >>= 1) {
    if (rest & 1) product ^= shifted;
    shifted <<= 1;
    if (shifted & 0b100000) shifted ^= MODULUS;
  }
  return product;
}

function readFiveBits(bytes: Uint8Array, firstBit: number): number {
  const byte = firstBit >> 3;
  const twoBytes = ((bytes[byte] ?? 0) << 8) | (bytes[byte + 1] ?? 0);
  return (twoBytes >> (11 - (firstBit & 7))) & 31;
}
