/** The scope of a project's pages in this browser: two cookies, one of them for each project. */
import { getCookie } from "hono/cookie";
import { FIRST_PROJECT_ID } from "../core/accounts/project-path.ts";
import { DEFAULT_SCOPE, parseEnvironment, parsePeriod, type Scope } from "../core/scope.ts";
import type { AppContext } from "./context.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";

const PERIOD_COOKIE = "errata-period";
const COOKIE_SECONDS = 365 * 86_400;

/** The stored scope of the request's project. */
export function readScope(c: AppContext): Scope {
  return {
    environment: parseEnvironment(getCookie(c, toEnvironmentCookie(c))),
    period: parsePeriod(getCookie(c, PERIOD_COOKIE)) ?? DEFAULT_SCOPE.period,
  };
}

/** The `Set-Cookie` headers that store a scope for a year. The default needs no cookie. */
export function createScopeCookies(c: AppContext, { environment, period }: Scope) {
  const url = new URL(c.req.url);
  const format = (name: string, value: string | undefined) =>
    formatSetCookieHeader(name, value ?? "", {
      url,
      maxAgeSeconds: value === undefined ? 0 : COOKIE_SECONDS,
    });
  return [
    format(toEnvironmentCookie(c), environment),
    format(PERIOD_COOKIE, period === DEFAULT_SCOPE.period ? undefined : period),
  ];
}

/** Projects have environments of their own, and the paths of the first contain those of others. */
function toEnvironmentCookie(c: AppContext): string {
  return `errata-environment-${c.get("project") ?? FIRST_PROJECT_ID}`;
}
