/** Recovery codes: for signing in without a passkey. People write them down and type them. */
import type { RegistryChangeDeps } from "./define-change.ts";

/** Number of codes. */
const CODE_COUNT = 8;
const LETTERS_PER_CODE = 16;
/** Crockford's Base32 in lower case, which avoids similar letters. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** New codes, `k3m9-q7tx-…`: 80 bits each, in four groups. */
export function createRecoveryCodes(
  deps: Pick<RegistryChangeDeps, "newSecret" | "hash">,
): readonly string[] {
  return Array.from({ length: CODE_COUNT }, () => {
    const hex = deps.hash(deps.newSecret());
    const letters = Array.from({ length: LETTERS_PER_CODE }, (_, n) => {
      return ALPHABET[Number.parseInt(hex.slice(n * 2, n * 2 + 2), 16) % ALPHABET.length];
    });
    return (letters.join("").match(/.{4}/g) ?? []).join("-");
  });
}

/**
 * The form of a code that is hashed. In recovery codes, `O` becomes `0`, and `I` and `L` become
 * `1`; other codes stay unchanged.
 */
export function normalizeCode(code: string): string {
  const typed = code.trim();
  if (!/^\w{4}([-\s]?\w{4}){3}$/.test(typed)) return typed;
  return typed.toLowerCase().replace(/[-\s]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
}
