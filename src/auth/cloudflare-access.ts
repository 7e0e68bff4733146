/**
 * Sign-in with Cloudflare Access. Access adds a signed token to each request that it admits. A
 * token is valid if the team's key signed it for this application and it has not expired.
 * Source: Cloudflare Zero Trust, "Validate JWTs"; RFC 7519, RFC 8725.
 */
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { limits } from "../core/limits.ts";
import { toOneLine, truncateText } from "../core/truncate.ts";

/** The token's header. Access also sets a cookie, which is ignored: browsers send it cross-site. */
export const ACCESS_HEADER = "cf-access-jwt-assertion";

/** The Access application of the desk. */
interface AccessOptions {
  /** `acme.cloudflareaccess.com`. */
  readonly team: string;
  /** The application's audience tag: 64 hex characters. */
  readonly audience: string;
}

/** The identity in a valid token. */
interface AccessIdentity {
  /**
   * The email address of a person. `service ` and the common name of a service token or a client
   * certificate, which therefore cannot be the name of a person.
   */
  readonly name: string;
  readonly isService: boolean;
  /** When the token expires. */
  readonly expiresMs: number;
}

/**
 * The identity in a token; null for an invalid token. Rejects if the team's keys cannot be fetched.
 */
export type VerifyAccess = (token: string) => Promise<AccessIdentity | null>;

/** A typical token has about 1,000 characters. */
const MAX_TOKEN_CHARS = 8_192;
/** Keys rotate every six weeks; the old one is valid for another week. */
const KEYS_MAX_AGE_MS = 3_600_000;
/** How often an unknown key id may cause a fetch. */
const KEYS_COOLDOWN_MS = 60_000;
const KEYS_TIMEOUT_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 10;

/** Creates a verifier that caches the team's keys. */
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
  return async function verifyAccess(token: string): Promise<AccessIdentity | null> {
    if (token.length > MAX_TOKEN_CHARS) return null;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        // The token's header must not choose the algorithm: an attacker could use "none", or HMAC
        // with the public key.
        algorithms: ["RS256"],
        requiredClaims: ["exp"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return toIdentity(payload);
    } catch (error) {
      if (isKeyFetchError(error)) throw error;
      return null;
    }
  };
}

/** True if the keys could not be fetched, so that the token may still be valid. */
function isKeyFetchError(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error.code === errors.JOSEError.code || error.code === errors.JWKSTimeout.code;
}

function toIdentity({ email, common_name, exp = 0 }: JWTPayload): AccessIdentity | null {
  const isService = email === undefined;
  const name = cleanName(isService ? common_name : email);
  if (name === null) return null;
  return { name: isService ? `service ${name}` : name, isService, expiresMs: exp * 1000 };
}

/** Removes control characters and limits the length; null if there is no name. */
function cleanName(name: unknown): string | null {
  if (typeof name !== "string" || name === "") return null;
  return truncateText(toOneLine(name), limits.maxAccessNameChars);
}
