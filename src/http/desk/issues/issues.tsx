/** `/issues`: searches issues, as a page and as JSON. */
import { getCookie } from "hono/cookie";
import { findProject } from "../../../core/accounts/registry.ts";
import { type IssueListPage, parseCursor } from "../../../core/issue/issue-list-page.ts";
import {
  DEFAULT_QUERY,
  type FilterKey,
  type IssueQuery,
  parseIssueQuery,
  parseSort,
} from "../../../core/issue/issue-query.ts";
import { listIssues } from "../../../operations/issue-reads.ts";
import {
  ISSUE_ROWS,
  type IssueListing,
  IssuesPage,
  ONE_LINE_COOKIE,
} from "../../../ui/issues/issues-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { toIssueListUrl, toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext, Services } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { serveRead } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { ignoreRejection } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

const SKIP_TO_ISSUES = { id: ISSUE_ROWS, label: "Skip to the issues" };

/**
 * `/issues?q=…&sort=…&from=…`, by default open issues, last seen first. The page streams before any
 * query completes. JSON: `{"query","sort","issues","total","asOfMs","next","previous"}`, the last
 * two being URLs if those pages exist; 503 while the index is unavailable.
 */
export async function serveIssueList(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const text = c.req.query("q") ?? DEFAULT_QUERY;
  const query = parseIssueQuery(text, parseSort(c.req.query("sort")));
  const from = parseCursor(c.req.query("from"));
  const input = { query: text, sort: query.sort, from: from && c.req.query("from") };
  const urlOf = (cursor: string | undefined) =>
    cursor && toProjectUrl(c, toIssueListUrl({ query, from: parseCursor(cursor) }, "/issues.json"));
  const orNull = <T,>(answer: Promise<T>) => ignoreRejection(awaitOrNull(c, answer));
  const sendListPage = (page: Promise<IssueListPage>) =>
    sendPageWithFlash(c, (flash) => ({
      title: query.isNoise ? "Noise" : "Issues",
      route: "/issues",
      content: (
        <Layout current="issues" isSignedIn flash={flash} skipTo={SKIP_TO_ISSUES}>
          <IssuesPage
            query={query}
            url={toIssueListUrl({ query, from })}
            isLive={from === undefined}
            listing={orNull(explainListing(projectStore, query, page))}
            facets={orNull(projectStore.listFacets(query)).then((facets) => facets ?? [])}
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

/** The page, and why it may be empty. */
async function explainListing(
  projectStore: Services["projectStore"],
  query: IssueQuery,
  listed: Promise<IssueListPage>,
): Promise<IssueListing> {
  const page = await listed;
  const hasMatches = page.total > 0 || page.isTotalCapped === true;
  const [missingTags, newest] = await Promise.all([
    findMissingTags(projectStore, query, hasMatches),
    hasMatches ? undefined : projectStore.listNewestIssues(),
  ]);
  const isEmpty = newest !== undefined && newest.total + (newest.noiseTotal ?? 0) === 0;
  return { page, isEmpty, missingTags };
}

/** Tags of a query that are checked for existence. */
const MAX_CHECKED_TAGS = 3;

/** The tags in a query that no issue has. If there are matches, only negated tags need checking. */
async function findMissingTags(
  projectStore: Services["projectStore"],
  { filters, isNoise }: IssueQuery,
  hasMatches: boolean,
): Promise<readonly FilterKey[]> {
  const tagKeys = filters
    .filter(({ key, isNegated }) => key.startsWith("tag.") && (isNegated || !hasMatches))
    .map(({ key }) => key);
  const keys = [...new Set(tagKeys)].slice(0, MAX_CHECKED_TAGS);
  const totals = keys.map(async (key) => {
    const any = { key, value: "", isExact: false, isNegated: false };
    const query = { ...parseIssueQuery(""), isNoise, filters: [any] };
    const { total, isTotalCapped } = await projectStore.listIssues(query);
    return total === 0 && !isTotalCapped ? [key] : [];
  });
  return (await Promise.all(totals)).flat();
}
