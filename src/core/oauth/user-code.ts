/**
 * User codes: what a person types to connect a device (RFC 8628 § 6.1). Consonants only, so that no
 * two letters look alike and no code is a word.
 */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/**
 * A new code, `WDJB-MJHT`, of random bytes. Undefined if there are too few: bytes that would make
 * some letters more frequent are skipped.
 */
export function createUserCode(bytes: Uint8Array): string | undefined {
  const limit = 256 - (256 % ALPHABET.length);
  const letters = [...bytes]
    .filter((byte) => byte < limit)
    .slice(0, LENGTH)
    .map((byte) => ALPHABET[byte % ALPHABET.length]);
  if (letters.length < LENGTH) return undefined;
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

/** The code in a typed text, whatever its case and separators; undefined if it is none. */
export function parseUserCode(typed: unknown): string | undefined {
  if (typeof typed !== "string" || typed.length > 40) return undefined;
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const isCode = letters.length === LENGTH && [...letters].every((one) => ALPHABET.includes(one));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}
