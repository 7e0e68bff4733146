/** The page to which a form about issues returns: the one that has the form. */
import type { Digest } from "../../../core/report.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";

/** Pages with issues, with or without the prefix of a project. */
const PAGE_PATH = /^(?:\/p\/\d+)?(\/(?:issues|lookup|d\/[0-9A-Z-]{9}))$/;
const ANY_ORIGIN = "http://desk.invalid";

/** The path within the project and the query of a page with issues; `/issues` for other values. */
export function toReturnPath(returnTo: unknown): string {
  const url = URL.parse(typeof returnTo === "string" ? returnTo : "", ANY_ORIGIN);
  const [, path] = (url?.origin === ANY_ORIGIN && PAGE_PATH.exec(url.pathname)) || [];
  return url === null || path === undefined ? "/issues" : path + url.search;
}

/** The URL of an issue, in the list in which the form was sent (`?list=…`). */
export function toIssueUrlInList(c: AppContext, digest: Digest): string {
  const referrer = URL.parse(c.req.header("referer") ?? "");
  const isOwn = referrer?.origin === new URL(c.req.url).origin;
  const list = isOwn ? referrer.searchParams.get("list") : null;
  const sort = isOwn ? referrer.searchParams.get("sort") : null;
  const query = new URLSearchParams({ ...(list && { list }), ...(list && sort && { sort }) });
  return query.size === 0 ? toIssueUrl(digest) : `${toIssueUrl(digest)}?${query}`;
}
