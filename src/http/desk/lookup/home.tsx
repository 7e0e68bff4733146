/** The start page and the lookup. */
import { summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { HomePage } from "../../../ui/lookup/home-page.tsx";
import { MatchesPage } from "../../../ui/lookup/matches-page.tsx";
import { pluralize } from "../../../ui/parts/number.tsx";
import type { AppContext } from "../../context.ts";
import { toIssueListJson, toMatchJson } from "../../issue-json.ts";
import { toProjectUrl } from "../../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { respondOrUnavailable } from "../../unavailable.ts";
import { listLikelyDigests, lookUp } from "./look-up.ts";
import { sendUnknownCodePage } from "./unknown-code.tsx";

/** `/`: the lookup box, and under it the newest issues that are open. JSON: the newest issues, whatever their state; 503 while the index is away. */
export async function serveHome(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  if (wantsJson(c))
    return respondOrUnavailable(c, async () =>
      toIssueListJson(await projectStore.listNewestIssues(), nowMs()),
    );
  return sendPage(c, {
    title: "Errata",
    route: "/",
    content: (
      <Layout current="lookup" isSignedIn>
        <HomePage list={ignoreRejection(projectStore.listNewestIssues())} nowMs={nowMs()} />
      </Layout>
    ),
  });
}

/**
 * `/lookup?q=…`: where whatever was pasted leads. One hit: its page. Several: all of them, or so many that it says so. An address:
 * the list of what broke there. None: why not, with status 404. Nothing pasted: `/`, where the lookup is. JSON:
 * `{"hits":[{"digest","title","count","firstSeen","lastSeen","url"}]}`, empty when there are none; `list` is the address of a list
 * that has more, and 503 while the index is away.
 */
export function serveLookup(c: AppContext): Promise<Response> {
  return wantsJson(c) ? respondOrUnavailable(c, () => respondToLookup(c)) : respondToLookup(c);
}

async function respondToLookup(c: AppContext): Promise<Response> {
  const query = (c.req.query("q") ?? "").trim();
  if (query === "" && !wantsJson(c)) return c.redirect("/", 303);
  const result = await lookUp(c.get("services").projectStore, query);
  if (wantsJson(c)) {
    const hits = result.matches.map(({ issue, path }) => toMatchJson(issue, toProjectUrl(c, path)));
    const likely = listLikelyDigests(result);
    const list = result.listPath ?? result.limit?.listPath;
    return c.json({
      hits,
      ...omitUndefined({ list: list && toProjectUrl(c, list) }),
      ...(hits.length === 0 && likely && { likely }),
    });
  }
  if (result.listPath !== undefined) return c.redirect(result.listPath, 303);
  const [match, ...others] = result.matches;
  if (match === undefined)
    return sendUnknownCodePage(c, { query, lookup: result, route: "/lookup" });
  if (others.length === 0) return c.redirect(match.path, 303);
  const hits = result.matches.map(({ issue }) => summarizeIssue(issue));
  return sendPage(c, {
    title: pluralize(hits.length, "issue"),
    route: "/lookup",
    content: (
      <Layout current="lookup" isSignedIn>
        <MatchesPage
          query={query}
          matches={hits}
          limit={result.limit}
          nowMs={c.get("services").nowMs()}
        />
      </Layout>
    ),
  });
}
