/**
 * Cloudflare Access as the door of the desk. Access puts a signed token into each request that it lets through; whoever reaches the
 * Worker by another way has none, or a forged one. It is believed when the team's own key has signed it, for this application,
 * and its time has not passed.
 * Source: Cloudflare Zero Trust, "Validate JWTs"; RFC 7519, RFC 8725.
 */
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { limits } from "../core/limits.ts";
import { truncateText } from "../core/truncate.ts";

/** The header of the token. The cookie of the same name is not looked at: a browser sends that by itself. */
export const ACCESS_HEADER = "cf-access-jwt-assertion";

/** Which application behind which team's Access the desk is. */
export interface AccessOptions {
  /** `acme.cloudflareaccess.com`. */
  readonly team: string;
  /** The application's audience tag: 64 hex characters. */
  readonly audience: string;
}

/** Whom a token names, a person's address or a service token's name; null for one that is not to be believed. Rejects when the team's keys cannot be had. */
export type VerifyAccess = (token: string) => Promise<string | null>;

/** A token is about 1,000 characters long. */
const MAX_TOKEN_CHARS = 8_192;
/** Keys change every six weeks, and the old one is good for a week more. */
const KEYS_MAX_AGE_MS = 3_600_000;
/** An unknown key is asked for again, but not for everybody who makes one up. */
const KEYS_COOLDOWN_MS = 60_000;
const KEYS_TIMEOUT_MS = 5_000;
/** Two clocks differ. */
const CLOCK_TOLERANCE_SECONDS = 10;

/** Verifies tokens of one application. It keeps the team's keys; `fetchKeys` is how they are fetched. */
export function createAccessVerifier(
  { team, audience }: AccessOptions,
  fetchKeys: typeof fetch = fetch,
): VerifyAccess {
  const issuer = `https://${team}`;
  const keys = createRemoteJWKSet(new URL("/cdn-cgi/access/certs", issuer), {
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: KEYS_TIMEOUT_MS,
    [customFetch]: (url, options) => fetchKeys(url, options),
  });
  return async function verifyAccess(token: string): Promise<string | null> {
    if (token.length > MAX_TOKEN_CHARS) return null;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        // Whatever the token says of itself: no "none", and no secret in the place of a key.
        algorithms: ["RS256"],
        requiredClaims: ["exp"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return cleanName(payload.email ?? payload.common_name);
    } catch (error) {
      if (isKeyFetchError(error)) throw error;
      return null;
    }
  };
}

/** The team's keys could not be had: that is no reason to call anybody a stranger. */
function isKeyFetchError(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error.code === errors.JOSEError.code || error.code === errors.JWKSTimeout.code;
}

/** A person has an address, a service token a common name. */
function cleanName(name: unknown): string | null {
  if (typeof name !== "string" || name === "") return null;
  return truncateText(name.replace(/\p{Cc}/gu, " "), limits.maxAccessNameChars);
}
