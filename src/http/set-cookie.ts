/** Builds `Set-Cookie` headers. The protective attributes of all cookies are set here. */
import { generateCookie } from "hono/cookie";

interface CookieOptions {
  /** The URL that sets it. Over HTTPS, the cookie is `Secure`. */
  readonly url: Pick<URL, "protocol">;
  readonly maxAgeSeconds: number;
  /** Default: "/". */
  readonly path?: string;
  /** Default: `Lax`, so links from other sites send the cookie. */
  readonly sameSite?: "Lax" | "Strict";
  /** True if scripts may read the cookie. */
  readonly isReadableByScripts?: boolean;
  /** True if only this host may set the cookie (`__Host-` over HTTPS, RFC 6265bis § 4.1.3.2). */
  readonly isHostOnly?: boolean;
}

/** The value of the header. `maxAgeSeconds: 0` deletes the cookie. */
export function formatSetCookieHeader(name: string, value: string, options: CookieOptions): string {
  const secure = isHttps(options.url);
  return generateCookie(name, value, {
    // A path may contain the attribute separator.
    path: (options.path ?? "/").replaceAll(";", "%3B"),
    maxAge: options.maxAgeSeconds,
    sameSite: options.sameSite ?? "Lax",
    httpOnly: options.isReadableByScripts !== true,
    secure,
    ...(secure && options.isHostOnly && { prefix: "host" as const }),
  });
}

/** The name of a cookie with `isHostOnly` in requests. */
export function toHostOnlyName(name: string, url: Pick<URL, "protocol">): string {
  return isHttps(url) ? `__Host-${name}` : name;
}

/** True for HTTPS. */
export function isHttps({ protocol }: Pick<URL, "protocol">): boolean {
  return protocol === "https:";
}
