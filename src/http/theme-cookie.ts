/** Which colours this browser has chosen, kept in a cookie. */
import { getCookie } from "hono/cookie";
import { THEMES, type Theme } from "../ui/layout/theme-form.tsx";
import type { AppContext } from "./context.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";

const COOKIE = "errata-theme";
const COOKIE_SECONDS = 365 * 86_400;

/** What was chosen; the system's colours when nothing was. */
export function readThemeCookie(c: AppContext): Theme {
  const chosen = getCookie(c, COOKIE);
  return THEMES.find((theme) => theme === chosen) ?? "system";
}

/** The `Set-Cookie` that remembers the choice for a year; the system's colours need no memory. */
export function createThemeCookie(theme: Theme, url: Pick<URL, "protocol">): string {
  const [value, seconds] = theme === "system" ? ["", 0] : [theme, COOKIE_SECONDS];
  return formatSetCookieHeader(COOKIE, value, { url, maxAgeSeconds: seconds });
}
