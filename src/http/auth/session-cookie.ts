/**
 * The cookie of a session. It says who somebody is by a sealed id alone; whether that is good
 * still, the registry says.
 */
import { getCookie } from "hono/cookie";
import { signValue, verifySignedValue } from "../../auth/signed-value.ts";
import { SESSION_MS } from "../../core/accounts/apply-sign-in.ts";
import { limits } from "../../core/limits.ts";
import type { AppContext } from "../context.ts";
import { formatSetCookieHeader, isHttps, toHostOnlyName } from "../set-cookie.ts";
import { LOOPBACK_HOST } from "./loopback.ts";

const COOKIE_NAME = "errata-session";

/**
 * The sealed id that a request brings; undefined for none, and for one that is too long to be one.
 */
export function readSessionCookie(c: AppContext): string | undefined {
  if (!isSecureOrLoopback(c)) return undefined;
  const value = getCookie(c, toHostOnlyName(COOKIE_NAME, new URL(c.req.url)));
  return value !== undefined && value.length <= limits.maxCredentialChars ? value : undefined;
}

/**
 * True over https, and on this machine: elsewhere a cookie would travel in the clear, and anybody
 * on the way could set one.
 */
export function isSecureOrLoopback(c: AppContext): boolean {
  const url = new URL(c.req.url);
  return isHttps(url) || LOOPBACK_HOST.test(url.hostname);
}

/** The id of a session that was sealed with this secret; null for whatever else came. */
export function verifySessionCookie(value: string, secret: string): string | null {
  return verifySignedValue("session", value, secret);
}

/** The `Set-Cookie` of a session that has just begun. */
export function createSessionCookie(c: AppContext, id: string, secret: string): string {
  return createCookie(c, signValue("session", id, secret), SESSION_MS / 1000);
}

/** The `Set-Cookie` that forgets it. */
export function createExpiredSessionCookie(c: AppContext): string {
  return createCookie(c, "", 0);
}

function createCookie(c: AppContext, value: string, seconds: number): string {
  return formatSetCookieHeader(COOKIE_NAME, value, {
    url: new URL(c.req.url),
    maxAgeSeconds: seconds,
    isHostOnly: true,
  });
}
