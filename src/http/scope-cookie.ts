/** The scope of a project's pages in this browser: two cookies, one of them for each project. */
import { getCookie } from "hono/cookie";
import { FIRST_PROJECT_ID } from "../core/accounts/project-path.ts";
import {
  DEFAULT_SCOPE,
  type Period,
  parseEnvironment,
  parsePeriod,
  type Scope,
} from "../core/scope.ts";
import type { AppContext } from "./context.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";

const PERIOD_COOKIE = "errata-period";
const COOKIE_SECONDS = 365 * 86_400;

/** The stored scope of the request's project, with `period` until a person chooses one. */
export function readScope(c: AppContext, period: Period = DEFAULT_SCOPE.period): Scope {
  return {
    environment: parseEnvironment(getCookie(c, toEnvironmentCookie(c))),
    period: readChosenPeriod(c) ?? period,
  };
}

/** The stored period; undefined if nobody has chosen one in this browser. */
export function readChosenPeriod(c: AppContext): Period | undefined {
  return parsePeriod(getCookie(c, PERIOD_COOKIE));
}

/** The `Set-Cookie` headers that store an environment for a year, and a period if it is given. */
export function createScopeCookies(
  c: AppContext,
  { environment, period }: Partial<Scope>,
): readonly string[] {
  const url = new URL(c.req.url);
  const format = (name: string, value: string | undefined) =>
    formatSetCookieHeader(name, value ?? "", {
      url,
      maxAgeSeconds: value === undefined ? 0 : COOKIE_SECONDS,
    });
  return [
    format(toEnvironmentCookie(c), environment),
    ...(period === undefined ? [] : [format(PERIOD_COOKIE, period)]),
  ];
}

/** Projects have environments of their own, and the paths of the first contain those of others. */
function toEnvironmentCookie(c: AppContext): string {
  return `errata-environment-${c.get("project") ?? FIRST_PROJECT_ID}`;
}
