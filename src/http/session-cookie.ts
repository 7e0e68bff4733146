/** The cookie of a session. It says who somebody is by a sealed id alone; whether that is good still, the registry says. */
import { getCookie } from "hono/cookie";
import { limits } from "../core/limits.ts";
import { SESSION_MS } from "../core/registry/entering.ts";
import { sealed, unsealed } from "../doors/seal.ts";
import { LOCAL_HOST } from "./local.ts";
import type { AppContext } from "./services.ts";
import { hostOnlyName, isSecure, setCookieHeader } from "./set-cookie.ts";

const NAME = "errata";

/** The sealed id that a request brings; undefined for none, and for one that is too long to be one. */
export function sealedSession(c: AppContext): string | undefined {
  if (!isGuarded(c)) return undefined;
  const value = getCookie(c, hostOnlyName(NAME, new URL(c.req.url)));
  return value !== undefined && value.length <= limits.maxCredentialChars ? value : undefined;
}

/** True over https, and on this machine: elsewhere a cookie would travel in the clear, and anybody on the way could set one. */
export function isGuarded(c: AppContext): boolean {
  const url = new URL(c.req.url);
  return isSecure(url) || LOCAL_HOST.test(url.hostname);
}

/** The id of a session that was sealed with this secret; null for whatever else came. */
export function sessionIdOf(value: string, secret: string): string | null {
  return unsealed("session", value, secret);
}

/** The `Set-Cookie` of a session that has just begun. */
export function sessionCookie(c: AppContext, id: string, secret: string): string {
  return cookie(c, sealed("session", id, secret), SESSION_MS / 1000);
}

/** The `Set-Cookie` that forgets it. */
export function noSessionCookie(c: AppContext): string {
  return cookie(c, "", 0);
}

function cookie(c: AppContext, value: string, seconds: number): string {
  return setCookieHeader(NAME, value, { url: new URL(c.req.url), seconds, isHostOnly: true });
}
