/** The color theme of this browser, stored in a cookie. */
import { getCookie } from "hono/cookie";
import { THEMES, type Theme } from "../ui/parts/theme-form.tsx";
import type { AppContext } from "./context.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";

const COOKIE = "errata-theme";
const COOKIE_SECONDS = 365 * 86_400;

/** The stored theme; "system" by default. */
export function readThemeCookie(c: AppContext): Theme {
  const chosen = getCookie(c, COOKIE);
  return THEMES.find((theme) => theme === chosen) ?? "system";
}

/** The `Set-Cookie` header that stores the theme for a year; "system" deletes the cookie. */
export function createThemeCookie(theme: Theme, url: Pick<URL, "protocol">): string {
  const [value, seconds] = theme === "system" ? ["", 0] : [theme, COOKIE_SECONDS];
  return formatSetCookieHeader(COOKIE, value, { url, maxAgeSeconds: seconds });
}
