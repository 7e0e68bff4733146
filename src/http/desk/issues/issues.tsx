/** `/issues`: searches issues, as a page and as JSON. */
import { getCookie } from "hono/cookie";
import { findProject } from "../../../core/accounts/registry.ts";
import { type IssueListPage, parseCursor } from "../../../core/issue/issue-list-page.ts";
import { formatIssueQuery, parseIssueQuery, parseSort } from "../../../core/issue/issue-query.ts";
import { applyScope, withoutScope } from "../../../core/issue/scoped-query.ts";
import { DEFAULT_SCOPE } from "../../../core/scope.ts";
import { listIssues, listIssueValues } from "../../../operations/issue-reads.ts";
import { toOwnQuery } from "../../../operations/own-query.ts";
import {
  ISSUE_ROWS,
  type IssueListing,
  IssuesPage,
  ONE_LINE_COOKIE,
} from "../../../ui/issues/issues-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { readQueryParams, toIssueListUrl, toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext, Services } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { respondWithOutput, serveRead, toCall } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { readScope } from "../../scope-cookie.ts";
import { ignoreRejection, wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

const SKIP_TO_ISSUES = { id: ISSUE_ROWS, label: "Skip to the issues" };

/**
 * `/issues?q=…&sort=…&from=…`, by default open issues, last seen first. The page streams before any
 * query completes. JSON: `{"query","sort","issues","total","asOfMs","next","previous"}`, the last
 * two being URLs if those pages exist; 503 while the index is unavailable.
 */
export async function serveIssueList(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const params = c.req.queries("q");
  const text = readQueryParams(params);
  const scope = wantsJson(c) ? DEFAULT_SCOPE : readScope(c);
  const query = withoutScope(parseIssueQuery(text, parseSort(c.req.query("sort"))), scope);
  const from = parseCursor(c.req.query("from"));
  if ((params?.length ?? 0) > 1 && !wantsJson(c))
    return c.redirect(toProjectUrl(c, toIssueListUrl({ query, from })));
  const scopedQuery = applyScope(query, scope);
  const input = {
    query: wantsJson(c) ? text : formatIssueQuery(scopedQuery),
    sort: query.sort,
    from: from && c.req.query("from"),
  };
  const urlOf = (cursor: string | undefined) =>
    cursor && toProjectUrl(c, toIssueListUrl({ query, from: parseCursor(cursor) }, "/issues.json"));
  const orNull = <T,>(answer: Promise<T>) => ignoreRejection(awaitOrNull(c, answer));
  const sendListPage = (page: Promise<IssueListPage>) =>
    sendPageWithFlash(c, (flash) => ({
      title: query.isNoise ? "Noise" : "Issues",
      route: "/issues",
      content: (
        <Layout current="issues" isSignedIn flash={flash} skipTo={SKIP_TO_ISSUES} scoped="issues">
          <IssuesPage
            query={query}
            scopedQuery={scopedQuery}
            url={toIssueListUrl({ query, from })}
            isLive={from === undefined}
            listing={orNull(explainListing(projectStore, page))}
            facets={orNull(projectStore.listFacets(toOwnQuery(scopedQuery, toCall(c)))).then(
              (facets) => facets ?? [],
            )}
            views={orNull(projectStore.listViews()).then((views) => views ?? [])}
            pausedKeys={listPausedKeys(c)}
            isOneLine={getCookie(c, ONE_LINE_COOKIE) === "1"}
            nowMs={nowMs()}
          />
        </Layout>
      ),
    }));
  return serveRead(c, listIssues, input, sendListPage, ({ next, previous, ...page }) => ({
    ...page,
    next: urlOf(next),
    previous: urlOf(previous),
  }));
}

/** The ids of the project's paused keys, in the copy that authentication read. */
function listPausedKeys(c: AppContext): readonly string[] {
  const known = c.get("services").registry.getLastCopy();
  return (known && findProject(known, c.get("project")))?.pausedKeys ?? [];
}

/** `/noise`: redirects to the list of noise. */
export function redirectToNoise(c: AppContext): Response {
  return c.redirect(toSearchUrl("is:noise"), 301);
}

/** The page, and whether the project has no issues at all. */
async function explainListing(
  projectStore: Services["projectStore"],
  listed: Promise<IssueListPage>,
): Promise<IssueListing> {
  const page = await listed;
  const hasMatches = page.total > 0 || page.isTotalCapped === true;
  const newest = hasMatches ? undefined : await projectStore.listNewestIssues();
  const isEmpty = newest !== undefined && newest.total + (newest.noiseTotal ?? 0) === 0;
  return { page, isEmpty };
}

/** `/issue-values.json?key=…&text=…&q=…`: the values that complete a filter (`listIssueValues`). */
export function serveIssueValues(c: AppContext): Promise<Response> {
  const { key = "", text = "", q: query = "" } = c.req.query();
  return respondWithOutput(c, listIssueValues, { key, text, query });
}
