/** The start page and the lookup. */

import { summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { DAY_MS } from "../../../core/utc-time.ts";
import { listNewestIssues } from "../../../operations/issue-reads.ts";
import {
  type LookupResult,
  lookUpInOtherProjects,
  lookUpIssues,
} from "../../../operations/lookup.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { HomePage } from "../../../ui/lookup/home-page.tsx";
import { MatchesPage } from "../../../ui/lookup/matches-page.tsx";
import { OVERVIEW_DAYS, OVERVIEW_ISSUES, type OverviewData } from "../../../ui/lookup/overview.tsx";
import { pluralize } from "../../../ui/parts/number.tsx";
import { toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { addLookupUrls, addProjectUrls, toFoundPath } from "../../issue-urls.ts";
import { serveRead, toCall } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";
import { sendUnknownCodePage } from "./unknown-code.tsx";

/**
 * `/`: the lookup box and the newest open issues. JSON: the newest issues in any state; 503 while
 * the index is unavailable.
 */
export function serveHome(c: AppContext): Promise<Response> {
  return serveRead(c, listNewestIssues, {}, (newest) =>
    sendPage(c, {
      title: "Home",
      route: "/",
      content: (
        <Layout current="lookup" isSignedIn>
          <HomePage
            list={ignoreRejection(newest)}
            overview={awaitOrNull(c, loadOverview(c))}
            nowMs={c.get("services").nowMs()}
          />
        </Layout>
      ),
    }),
  );
}

async function loadOverview(c: AppContext): Promise<OverviewData> {
  const { projectStore, sourceMaps, nowMs } = c.get("services");
  const [overview, deploys] = await Promise.all([
    projectStore.readOverview(nowMs() - DAY_MS, OVERVIEW_DAYS, OVERVIEW_ISSUES),
    awaitOrNull(c, sourceMaps.listDeploys(nowMs() - OVERVIEW_DAYS * DAY_MS)),
  ]);
  return { ...overview, deploys: deploys ?? [] };
}

/**
 * `/lookup?q=…`: finds the issues for pasted text. One match redirects to its page, several are
 * listed, a URL redirects to the list of issues at that path; no match: 404 with the reason.
 * Without `q`: redirects to `/`. JSON:
 * `{"hits":[{"digest","title","count","firstSeen","lastSeen","url"}]}`; `list` is the URL of a list
 * with more matches; without hits, `otherProjects` has those of the person's other projects, as
 * `[{"project","hits"}]`; 503 while the index is unavailable. A page that waits for a code asks
 * with `codes=here`, which looks up nothing but the codes in this project, or with `codes=all`,
 * which also asks the other projects.
 */
export function serveLookup(c: AppContext): Promise<Response> {
  const text = (c.req.query("q") ?? "").trim();
  if (text === "" && !wantsJson(c)) return Promise.resolve(c.redirect("/", 303));
  const scope = c.req.query("codes");
  const codes = scope === undefined || scope === "all" ? scope : "here";
  const input = wantsJson(c) ? ({ text, codes } as const) : { text };
  return serveRead(
    c,
    lookUpIssues,
    input,
    (found) => sendMatches(c, text, found),
    ({ query, ...found }) => ({
      ...addLookupUrls(c, found),
      list: query && toProjectUrl(c, toSearchUrl(query)),
    }),
  );
}

async function sendMatches(c: AppContext, text: string, found: LookupResult): Promise<Response> {
  const { query, matches, corrected = [], limit, searchText, person } = found;
  if (query !== undefined) return c.redirect(toSearchUrl(query), 303);
  const [match] = matches;
  if (match === undefined)
    return sendUnknownCodePage(c, { query: text, lookup: found, route: "/lookup" });
  const isUncertain = searchText !== undefined;
  const otherProjects = isUncertain ? lookUpInOtherProjects(toCall(c), found) : undefined;
  if (matches.length + corrected.length === 1 && person === undefined) {
    const others = (await otherProjects)?.found ?? [];
    if (others.length === 0) return c.redirect(toFoundPath(match), 303);
  }
  const issues = [...matches.map(({ issue }) => summarizeIssue(issue)), ...corrected];
  return sendPageWithFlash(c, (flash) => ({
    title: pluralize(issues.length, "issue"),
    route: "/lookup",
    content: (
      <Layout current="lookup" isSignedIn flash={flash}>
        <MatchesPage
          query={text}
          matches={issues}
          person={person}
          limit={limit && { ...limit, listPath: limit.query && toSearchUrl(limit.query) }}
          otherProjects={otherProjects?.then(addProjectUrls)}
          nowMs={c.get("services").nowMs()}
          state={parseIssueQuery(`is:${c.req.query("state")}`).states[0]}
        />
      </Layout>
    ),
  }));
}
