/** The `Set-Cookie` header of Errata's own cookies. The attributes that protect a cookie are decided here. */
import { generateCookie } from "hono/cookie";

/** What differs between Errata's cookies. */
export interface CookieOptions {
  /** The address that sets it: over https the cookie is `Secure`. */
  readonly url: Pick<URL, "protocol">;
  readonly maxAgeSeconds: number;
  /** By default the whole host. */
  readonly path?: string;
  /** By default `Lax`: links from other sites send the cookie. */
  readonly sameSite?: "Lax" | "Strict";
  /** True for a cookie that a page's script reads. */
  readonly isReadableByScripts?: boolean;
  /** True for a cookie that over https only this host can set (`__Host-`, RFC 6265bis § 4.1.3.2). */
  readonly isHostOnly?: boolean;
}

/** The header's value. Zero seconds delete the cookie. */
export function formatSetCookieHeader(name: string, value: string, options: CookieOptions): string {
  const secure = isHttps(options.url);
  return generateCookie(name, value, {
    // A path may contain the separator of attributes.
    path: (options.path ?? "/").replaceAll(";", "%3B"),
    maxAge: options.maxAgeSeconds,
    sameSite: options.sameSite ?? "Lax",
    httpOnly: options.isReadableByScripts !== true,
    secure,
    ...(secure && options.isHostOnly && { prefix: "host" as const }),
  });
}

/** The name under which a browser sends a cookie with `isHostOnly`. */
export function toHostOnlyName(name: string, url: Pick<URL, "protocol">): string {
  return isHttps(url) ? `__Host-${name}` : name;
}

/** True over https. */
export function isHttps({ protocol }: Pick<URL, "protocol">): boolean {
  return protocol === "https:";
}
