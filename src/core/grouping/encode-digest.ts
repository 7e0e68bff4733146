/**
 * The characters of a digest: seven of Crockford's Base 32 (crockford.com/base32.html), without I,
 * L, O and U, and a check character. Small, because browsers load it.
 *
 * The check character is a polynomial in GF(32), evaluated by Horner's rule at β = 7, where x⁵ = x³
 * + x² + x + 1: check = β⁷·d₀ + β⁶·d₁ + … + β·d₆. The order of β is 31, so its powers β⁷ … β¹ and
 * the check character's own weight 1 are all different and none is zero. Therefore it detects every
 * single wrong character and every swap of two different characters at any positions.
 */
import type { Digest } from "../report.ts";

export const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Without the check character. */
export const DATA_CHARS = 7;
const BETA = 7;
const MODULUS = 0b101111;

/** The digest of the first 35 bits of a SHA-256. A shorter array is padded with zeros. */
export function digestFromHash(sha256: Uint8Array): Digest {
  let data = "";
  for (let index = 0; index < DATA_CHARS; index++)
    data += ALPHABET.charAt(readFiveBits(sha256, index * 5));
  return formatDigest(data + computeCheck(data));
}

/** `7F3KQ2M9` as `7F3K-Q2M9`. */
export function formatDigest(letters: string): Digest {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The check character of seven characters of the alphabet. */
export function computeCheck(data: string): string {
  let check = 0;
  for (const letter of data) check = multiply(check ^ ALPHABET.indexOf(letter), BETA);
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
