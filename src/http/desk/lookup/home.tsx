/** The start page and the lookup. */

import { summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { parseCodes } from "../../../core/lookup/parse-codes.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { DAY_MS } from "../../../core/utc-time.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { HomePage } from "../../../ui/lookup/home-page.tsx";
import { MatchesPage } from "../../../ui/lookup/matches-page.tsx";
import { OVERVIEW_DAYS, OVERVIEW_ISSUES, type OverviewData } from "../../../ui/lookup/overview.tsx";
import { pluralize } from "../../../ui/parts/number.tsx";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { toIssueListJson, toMatchJson, toOtherProjectsJson } from "../../issue-json.ts";
import { toProjectUrl } from "../../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";
import { findInOtherProjects, lookUpInOtherProjects } from "./find-in-other-projects.ts";
import { findArrived, listLikelyDigests, lookUp } from "./look-up.ts";
import { sendUnknownCodePage } from "./unknown-code.tsx";

/**
 * `/`: the lookup box and the newest open issues. JSON: the newest issues in any state; 503 while
 * the index is unavailable.
 */
export async function serveHome(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  if (wantsJson(c))
    return respondOrUnavailable(c, async () =>
      toIssueListJson(await projectStore.listNewestIssues(), nowMs()),
    );
  return sendPage(c, {
    title: "Home",
    route: "/",
    content: (
      <Layout current="lookup" isSignedIn>
        <HomePage
          list={ignoreRejection(projectStore.listNewestIssues())}
          overview={awaitOrNull(c, loadOverview(c))}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
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
  return wantsJson(c) ? respondOrUnavailable(c, () => respondToLookup(c)) : respondToLookup(c);
}

/** The JSON of a lookup that only asks whether the reports of the codes have arrived. */
async function findArrivedMatches(c: AppContext, query: string, isEverywhere: boolean) {
  const codes = parseCodes(query);
  const matches = await findArrived(c.get("services").projectStore, codes);
  const hits = matches.map(({ issue, path }) => toMatchJson(issue, toProjectUrl(c, path)));
  const others =
    isEverywhere && hits.length === 0 ? (await lookUpInOtherProjects(c, codes)).found : [];
  return { hits, ...(others.length > 0 && { otherProjects: toOtherProjectsJson(others) }) };
}

async function respondToLookup(c: AppContext): Promise<Response> {
  const query = (c.req.query("q") ?? "").trim();
  if (query === "" && !wantsJson(c)) return c.redirect("/", 303);
  const scope = c.req.query("codes");
  if (wantsJson(c) && scope !== undefined)
    return c.json(await findArrivedMatches(c, query, scope === "all"));
  const result = await lookUp(c.get("services").projectStore, query);
  if (wantsJson(c)) {
    const hits = result.matches.map(({ issue, path }) => toMatchJson(issue, toProjectUrl(c, path)));
    const likely = listLikelyDigests(result);
    const others = likely || hits.length > 0 ? [] : await findInOtherProjects(c, result);
    const list = result.listPath ?? result.limit?.listPath;
    return c.json({
      hits,
      ...omitUndefined({ list: list && toProjectUrl(c, list) }),
      ...(hits.length === 0 && likely && { likely }),
      ...(others.length > 0 && { otherProjects: toOtherProjectsJson(others) }),
    });
  }
  if (result.listPath !== undefined) return c.redirect(result.listPath, 303);
  const [match, ...others] = result.matches;
  if (match === undefined)
    return sendUnknownCodePage(c, { query, lookup: result, route: "/lookup" });
  if (others.length === 0) return c.redirect(match.path, 303);
  const hits = result.matches.map(({ issue }) => summarizeIssue(issue));
  return sendPageWithFlash(c, (flash) => ({
    title: pluralize(hits.length, "issue"),
    route: "/lookup",
    content: (
      <Layout current="lookup" isSignedIn flash={flash}>
        <MatchesPage
          query={query}
          matches={hits}
          limit={result.limit}
          otherProjects={
            result.searchText === undefined
              ? undefined
              : lookUpInOtherProjects(c, result.codes, result.searchText)
          }
          nowMs={c.get("services").nowMs()}
          state={parseIssueQuery(`is:${c.req.query("state")}`).states[0]}
        />
      </Layout>
    ),
  }));
}
