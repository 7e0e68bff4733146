/**
 * The session cookie. It contains a signed session id; the registry decides whether the session is
 * valid.
 */
import { getCookie } from "hono/cookie";
import { signValue, verifySignedValue } from "../../auth/signed-value.ts";
import { SESSION_MS } from "../../core/accounts/sign-in-changes.ts";
import { limits } from "../../core/limits.ts";
import { SESSION_COOKIE } from "../../core/scrubbing/own-secrets.ts";
import type { AppContext } from "../context.ts";
import { formatSetCookieHeader, isHttps, toHostOnlyName } from "../set-cookie.ts";
import { LOOPBACK_HOST } from "./loopback.ts";

/** The signed id in a request; undefined if there is none or it is too long. */
export function readSessionCookie(c: AppContext): string | undefined {
  if (!isSecureOrLoopback(c)) return undefined;
  const value = getCookie(c, toHostOnlyName(SESSION_COOKIE, new URL(c.req.url)));
  return value !== undefined && value.length <= limits.maxCredentialChars ? value : undefined;
}

/**
 * True over HTTPS and on this machine. Over HTTP, others on the network could read or set the
 * cookie.
 */
export function isSecureOrLoopback(c: AppContext): boolean {
  const url = new URL(c.req.url);
  return isHttps(url) || LOOPBACK_HOST.test(url.hostname);
}

/** The session id that was signed with this secret; null for any other value. */
export function verifySessionCookie(value: string, secret: string): string | null {
  return verifySignedValue("session", value, secret);
}

/** The `Set-Cookie` header of a new session. */
export function createSessionCookie(c: AppContext, id: string, secret: string): string {
  return createCookie(c, signValue("session", id, secret), SESSION_MS / 1000);
}

/** The `Set-Cookie` header that deletes the cookie. */
export function createExpiredSessionCookie(c: AppContext): string {
  return createCookie(c, "", 0);
}

function createCookie(c: AppContext, value: string, seconds: number): string {
  return formatSetCookieHeader(SESSION_COOKIE, value, {
    url: new URL(c.req.url),
    maxAgeSeconds: seconds,
    isHostOnly: true,
  });
}
