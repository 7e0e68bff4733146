/**
 * The challenge of a passkey ceremony, in a signed cookie for five minutes. It is valid once: the
 * registry stores the hash of a consumed challenge.
 */
import { getCookie } from "hono/cookie";
import { type SignaturePurpose, signValue, verifySignedValue } from "../../auth/signed-value.ts";
import type { ConsumedChallenge } from "../../core/accounts/profile-changes.ts";
import { toHex } from "../../core/hex.ts";
import { CHALLENGE_COOKIE } from "../../core/scrubbing/own-secrets.ts";
import type { AppContext } from "../context.ts";
import { formatSetCookieHeader, toHostOnlyName } from "../set-cookie.ts";

const MAX_AGE_MS = 300_000;
const MAX_CHARS = 300;

/** The `Set-Cookie` header of a new challenge. */
export function createChallengeCookie(
  c: AppContext,
  purpose: SignaturePurpose,
  { challenge, secret }: { challenge: string; secret: string },
): string {
  const untilMs = c.get("services").nowMs() + MAX_AGE_MS;
  const value = signValue(purpose, `${challenge}.${untilMs}`, secret);
  return formatSetCookieHeader(CHALLENGE_COOKIE, value, {
    url: new URL(c.req.url),
    maxAgeSeconds: MAX_AGE_MS / 1000,
    sameSite: "Strict",
    isHostOnly: true,
  });
}

/**
 * The challenge that a request answers, and its record for the registry; null if this browser was
 * not given one or it has expired.
 */
export function readChallengeCookie(
  c: AppContext,
  purpose: SignaturePurpose,
  secret: string,
): { readonly challenge: string; readonly consumed: ConsumedChallenge } | null {
  const { nowMs, sha256 } = c.get("services");
  const value = getCookie(c, toHostOnlyName(CHALLENGE_COOKIE, new URL(c.req.url)));
  const text =
    value && value.length <= MAX_CHARS ? verifySignedValue(purpose, value, secret) : null;
  const [challenge = "", until] = text?.split(".") ?? [];
  const untilMs = Number(until);
  if (challenge === "" || !(untilMs > nowMs())) return null;
  return { challenge, consumed: { challenge: toHex(sha256(challenge)), expiresMs: untilMs } };
}
