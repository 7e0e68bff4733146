/** The start page and the lookup. */

import { summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import type { ProjectOverview } from "../../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { parsePeriod } from "../../../core/scope.ts";
import { listNewestIssues } from "../../../operations/issue-reads.ts";
import {
  type LookupResult,
  lookUpInOtherProjects,
  lookUpIssues,
} from "../../../operations/lookup.ts";
import { describeMorning, getOverview } from "../../../operations/overview.ts";
import { type HomeData, HomePage } from "../../../ui/home/home-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { MatchesPage } from "../../../ui/lookup/matches-page.tsx";
import { pluralize } from "../../../ui/parts/number.tsx";
import { PasskeyReminder } from "../../../ui/parts/passkey-reminder.tsx";
import { SPAN_FIELD } from "../../../ui/urls/home-urls.ts";
import { toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { addLookupUrls, addProjectUrls, toFoundPath } from "../../issue-urls.ts";
import {
  respondWithOutput,
  serveRead,
  toCall,
  toReadFailureResponse,
} from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { createScopeCookies, readChosenPeriod, readScope } from "../../scope-cookie.ts";
import { sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";
import { sendUnknownCodePage } from "./unknown-code.tsx";

/**
 * `/`: what needs attention, with the parameters `period` and `span` of the chart. JSON: the newest
 * issues in any state; 503 while the index is unavailable.
 */
export async function serveHome(c: AppContext): Promise<Response> {
  if (wantsJson(c)) return respondWithOutput(c, listNewestIssues, {});
  const { projectStore, nowMs } = c.get("services");
  const asked = parsePeriod(c.req.query("period"));
  const stored = readScope(c);
  const scope = asked === undefined ? stored : { ...stored, period: asked };
  const { period } = scope;
  const given = getOverview.admit({ period, span: c.req.query(SPAN_FIELD) }, toCall(c));
  // A span that was mistyped is none.
  const span = given.ok ? given.value.span : undefined;
  const input = { period, ...(span && { span: c.req.query(SPAN_FIELD) }) };
  const loaded = await getOverview.load(input, toCall(c));
  if (!loaded.ok) return toReadFailureResponse(loaded);
  const data = awaitOrNull(c, loadHome(loaded.value, nowMs()));
  const newest = data.then((found) =>
    found === null ? awaitOrNull(c, projectStore.listNewestIssues()) : null,
  );
  const response = await sendPage(c, {
    title: "Home",
    route: "/",
    scope,
    content: (
      <Layout current="home" isSignedIn>
        <PasskeyReminder />
        <HomePage data={data} newest={newest} period={period} span={span} nowMs={nowMs()} />
      </Layout>
    ),
  });
  // The switch of the chart is the setting of all pages.
  if (asked !== undefined && asked !== readChosenPeriod(c))
    for (const cookie of createScopeCookies(c, scope))
      response.headers.append("Set-Cookie", cookie);
  return response;
}

async function loadHome(
  loaded: { overview: Promise<ProjectOverview>; deploys: Promise<readonly DeployMoment[]> },
  nowMs: number,
): Promise<HomeData> {
  const [overview, deploys] = await Promise.all([loaded.overview, loaded.deploys]);
  return { overview, deploys, sentence: describeMorning(overview, nowMs) };
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
  // The frames of .NET are known by their indentation.
  const text = (c.req.query("q") ?? "").replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
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
