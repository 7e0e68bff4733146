/**
 * Access tokens of OAuth: a random part and its signature. The signature proves that Errata issued
 * the token, so that its first use, moments later and perhaps in another location, may ask the
 * registry's object at once. The registry decides whether the token is valid, by its hash.
 */
import { signValue, verifySignedValue } from "../../auth/signed-value.ts";
import { TOKEN_PREFIX } from "../../core/scrubbing/own-secrets.ts";
import type { AppContext } from "../context.ts";

/** Two ids of 32 hexadecimal digits. */
const RANDOM_CHARS = 64;

/** A new token. */
export async function createAccessToken(c: AppContext): Promise<string> {
  const { registry, newId } = c.get("services");
  const { secret } = await registry.readCopy();
  const signed = signValue("access-token", newId() + newId(), secret);
  return TOKEN_PREFIX + signed.replace(".", "");
}

/** True for a token that was signed with this secret. */
export function isIssuedAccessToken(token: string, secret: string): boolean {
  const signed = token.slice(TOKEN_PREFIX.length);
  const value = `${signed.slice(0, RANDOM_CHARS)}.${signed.slice(RANDOM_CHARS)}`;
  return verifySignedValue("access-token", value, secret) !== null;
}
