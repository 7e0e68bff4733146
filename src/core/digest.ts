/**
 * Errata's digest: seven characters of a hash and one that checks them, made to be read out on the telephone and
 * typed from a photograph: `7F3K-Q2M9`. Reading one back is forgiving, and where the check character does not fit it
 * says which single misreading would explain that. Alphabet: Crockford's Base 32 (crockford.com/base32.html), which
 * has no I, L, O and U.
 *
 * The check character is a polynomial in GF(32), evaluated by Horner's rule at β = 7, where x⁵ = x³ + x² + x + 1:
 * check = β⁷·d₀ + β⁶·d₁ + … + β·d₆. The order of β is 31, so its powers β⁷ … β¹ and the check character's own weight
 * 1 are all different and none is zero: every single wrong character and every swap of two different characters is
 * noticed, wherever they stand.
 */
import { confusablePairs } from "./confusable-pairs.ts";
import type { Digest } from "./report.ts";
import { fail, ok, type Result } from "./result.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const VALUE_OF: ReadonlyMap<string, number> = new Map(
  [...ALPHABET].map((letter, i) => [letter, i]),
);
const DATA_CHARS = 7;
const BETA = 7;
const MODULUS = 0b101111;

/** Letters that the alphabet leaves out, and what they were meant to be. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ["O", "0"],
  ["I", "1"],
  ["L", "1"],
  ["U", "V"],
]);

/**
 * A plausible explanation of a wrong check character: at `position` (0 to 7, without the dash) `read` stands for
 * `likely`.
 */
export interface Misreading {
  readonly position: number;
  /** One character, or two neighbours that changed places. */
  readonly read: string;
  readonly likely: string;
  /** True where the characters look or sound alike, or changed places; false for any other slip. */
  readonly plausible: boolean;
  /** The digest that it would be. */
  readonly digest: Digest;
}

/** Why a text is no digest. `read` is how it was understood: `7F3K-Q2N9`. `likely` is ranked, best first. */
export type NoDigest =
  | { readonly reason: "not-a-digest" }
  | {
      readonly reason: "wrong-check";
      readonly read: string;
      readonly likely: readonly Misreading[];
    };

/** The digest of the first 35 bits of a SHA-256. A shorter array counts as filled with zeros. */
export function digestFromHash(sha256: Uint8Array): Digest {
  let data = "";
  for (let index = 0; index < DATA_CHARS; index++)
    data += ALPHABET.charAt(fiveBits(sha256, index * 5));
  return written(data + checkOf(data));
}

/** The 40 bits that a digest's eight characters stand for: another number for every digest. */
export function digestNumber(digest: Digest): number {
  let number = 0;
  for (const letter of digest.replace("-", "")) {
    number = number * ALPHABET.length + (VALUE_OF.get(letter) ?? 0);
  }
  return number;
}

/** True for the canonical form alone: upper case, one dash, the right check character. */
export function isDigest(text: string): text is Digest {
  return /^[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/.test(text) && fits(text.replace("-", ""));
}

/**
 * Reads a digest as people write it: any case, O for 0, I and L for 1, U for V, full-width characters, with or without
 * dashes of any kind, and with spaces or quotation marks around it. `not-a-digest` when these are not eight letters and
 * digits, `wrong-check` when they are but do not fit together.
 */
export function readDigest(text: string): Result<Digest, NoDigest> {
  const letters = lettersOf(text);
  if (letters === undefined) return fail({ reason: "not-a-digest" });
  if (fits(letters)) return ok(written(letters));
  return fail({ reason: "wrong-check", read: written(letters), likely: misreadingsOf(letters) });
}

/** Longer texts are no digest whatever they contain; they are not even looked at. */
const MAX_WRITTEN_CHARS = 64;
const AROUND = /[\s\p{Pd}\u00AD\u2212\p{Pi}\p{Pf}"'`\u200B-\u200D\uFEFF]/gu;

function lettersOf(text: string): string | undefined {
  if (text.length > MAX_WRITTEN_CHARS) return undefined;
  const bare = text.normalize("NFKC").replace(AROUND, "").toUpperCase();
  if (!/^[\dA-Z]{8}$/.test(bare)) return undefined;
  return bare.replace(/[OILU]/g, (letter) => FOLDED.get(letter) ?? letter);
}

/**
 * Single misreadings by the rank of their pair, then neighbours that changed places, then every other single character that
 * would make it fit: one at each position.
 */
function misreadingsOf(letters: string): readonly Misreading[] {
  const found: Misreading[] = [];
  const consider = (position: number, likely: string, plausible: boolean): void => {
    const end = position + likely.length;
    const candidate = letters.slice(0, position) + likely + letters.slice(end);
    if (!fits(candidate) || found.some(({ digest }) => digest === written(candidate))) return;
    found.push({
      position,
      read: letters.slice(position, end),
      likely,
      plausible,
      digest: written(candidate),
    });
  };
  for (const [one, other] of confusablePairs) {
    for (let position = 0; position <= DATA_CHARS; position++) {
      if (letters[position] === one) consider(position, other, true);
      else if (letters[position] === other) consider(position, one, true);
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

function written(letters: string): Digest {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

function fits(letters: string): boolean {
  return letters.charAt(DATA_CHARS) === checkOf(letters.slice(0, DATA_CHARS));
}

function checkOf(data: string): string {
  let check = 0;
  for (const letter of data) check = multiply(check ^ (VALUE_OF.get(letter) ?? 0), BETA);
  return ALPHABET.charAt(check);
}

/** Product of two elements of GF(32), each the five coefficients of a polynomial over GF(2). */
function multiply(one: number, other: number): number {
  let product = 0;
  let shifted = one;
  for (let rest = other; rest > 0; rest >>= 1) {
    if (rest & 1) product ^= shifted;
    shifted <<= 1;
    if (shifted & 0b100000) shifted ^= MODULUS;
  }
  return product;
}

function fiveBits(bytes: Uint8Array, firstBit: number): number {
  const byte = firstBit >> 3;
  const twoBytes = ((bytes[byte] ?? 0) << 8) | (bytes[byte + 1] ?? 0);
  return (twoBytes >> (11 - (firstBit & 7))) & 31;
}
