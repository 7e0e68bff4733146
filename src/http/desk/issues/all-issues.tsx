/** `/all-issues`: the issues of all projects of the person, as a page and as JSON. */
import { parseIssueQuery, parseSort } from "../../../core/issue/issue-query.ts";
import { listAllIssues, mergeListings, toProjectTotals } from "../../../operations/all-projects.ts";
import { ALL_ISSUES_PATH, AllIssuesPage } from "../../../ui/issues/all-issues-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { readQueryParams } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext } from "../../context.ts";
import { serveRead } from "../../operation-call.ts";
import { ignoreRejection, sendPage } from "../../send-page.tsx";

/** `?q=…&sort=…` as of `/issues`. A project that does not answer is in the list as unavailable. */
export function serveAllIssues(c: AppContext): Promise<Response> {
  const text = readQueryParams(c.req.queries("q"));
  const query = parseIssueQuery(text, parseSort(c.req.query("sort")));
  const { nowMs } = c.get("services");
  return serveRead(c, listAllIssues, { query: text, sort: query.sort }, (loading) =>
    sendPage(c, {
      title: "Issues of all projects",
      route: ALL_ISSUES_PATH,
      content: (
        <Layout current="projects" isSignedIn scoped="allIssues">
          <AllIssuesPage
            query={query}
            listing={ignoreRejection(
              loading.then((listings) => ({
                issues: mergeListings(listings, query.sort),
                projects: toProjectTotals(listings),
              })),
            )}
            nowMs={nowMs()}
          />
        </Layout>
      ),
    }),
  );
}
