/** `/issues`: searches issues, as a page and as JSON. */
import { findProject } from "../../../core/accounts/registry.ts";
import { type IssueCursor, parseCursor } from "../../../core/issue/issue-list-page.ts";
import {
  type FilterKey,
  formatIssueQuery,
  type IssueQuery,
  parseIssueQuery,
  parseSort,
} from "../../../core/issue/issue-query.ts";
import { type IssueListing, IssuesPage } from "../../../ui/issues/issues-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { DEFAULT_QUERY, toIssueListUrl, toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext, Services } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { toIssueListJson } from "../../issue-json.ts";
import { toProjectUrl } from "../../project-url.ts";
import { ignoreRejection, wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";

/**
 * `/issues?q=…&sort=…&from=…`, by default open issues, last seen first. The page streams before any
 * query completes. JSON: `{"query","sort","issues","total","asOfMs","next","previous"}`, the last
 * two being URLs if those pages exist; 503 while the index is unavailable.
 */
export async function serveIssueList(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const query = parseIssueQuery(c.req.query("q") ?? DEFAULT_QUERY, parseSort(c.req.query("sort")));
  const from = parseCursor(c.req.query("from"));
  if (wantsJson(c)) return respondWithJson(c, query, from);
  const orNull = <T,>(answer: Promise<T>) => ignoreRejection(awaitOrNull(c, answer));
  return sendPageWithFlash(c, (flash) => ({
    title: query.isNoise ? "Noise" : "Issues",
    route: "/issues",
    content: (
      <Layout current="issues" isSignedIn flash={flash}>
        <IssuesPage
          query={query}
          url={toIssueListUrl({ query, from })}
          isLive={from === undefined}
          listing={orNull(loadListing(c.get("services"), query, from))}
          facets={orNull(projectStore.listFacets(query)).then((facets) => facets ?? [])}
          views={orNull(projectStore.listViews()).then((views) => views ?? [])}
          pausedKeys={listPausedKeys(c)}
          nowMs={nowMs()}
        />
      </Layout>
    ),
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

async function loadListing(
  { projectStore }: Pick<Services, "projectStore">,
  query: IssueQuery,
  from: IssueCursor | undefined,
): Promise<IssueListing> {
  const page = await projectStore.listIssues(query, from);
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

function respondWithJson(
  c: AppContext,
  query: IssueQuery,
  from: IssueCursor | undefined,
): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const urlOf = (cursor: IssueCursor) =>
    toProjectUrl(c, toIssueListUrl({ query, from: cursor }, "/issues.json"));
  return respondOrUnavailable(c, async () => {
    const { next, previous, ...list } = toIssueListJson(
      await projectStore.listIssues(query, from),
      nowMs(),
    );
    return {
      query: formatIssueQuery(query),
      sort: query.sort,
      ...list,
      ...(next && { next: urlOf(next) }),
      ...(previous && { previous: urlOf(previous) }),
    };
  });
}
