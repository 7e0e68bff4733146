/**
 * `/issues`: the list of issues that a query means, as a page and as JSON; and what is decided about several of them at once.
 */
import {
  type Cursor,
  type FilterKey,
  type IssueQuery,
  readCursor,
  readQuery,
  readSort,
  writeQuery,
} from "../core/issue-query.ts";
import { present } from "../core/present.ts";
import type { Digest } from "../core/report.ts";
import { ok } from "../core/result.ts";
import { DEFAULT_QUERY, listUrl, searchUrl } from "../ui/issues/list-url.ts";
import { Layout } from "../ui/layout.tsx";
import { IssuesPage, type Listed } from "../ui/pages/issues-page.tsx";
import { answerChange } from "./change.ts";
import { doneTo, sendPageAfter } from "./done.ts";
import { here } from "./here.ts";
import { listFields } from "./issue-json.ts";
import { optional, wantsJson } from "./page.tsx";
import { readSelection, type Selection } from "./selection.ts";
import type { AppContext, Services } from "./services.ts";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

/**
 * `/issues?q=…&sort=…&from=…`, by default those that are open, seen last first. Nothing is waited for before the first byte. JSON:
 * `{"query","sort","issues","total","asOfMs","next","previous"}`, the last two addresses, where there are such pages; 503 while
 * the index is away.
 */
export async function issues(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const query = readQuery(c.req.query("q") ?? DEFAULT_QUERY, readSort(c.req.query("sort")));
  const from = readCursor(c.req.query("from"));
  if (wantsJson(c)) return listJson(c, query, from);
  const orNull = <T,>(answer: Promise<T>) => optional(unlessAway(c, answer));
  return sendPageAfter(c, (done) => ({
    title: query.isNoise ? "Noise" : "Issues",
    route: "/issues",
    content: (
      <Layout current="issues" deskOpen done={done}>
        <IssuesPage
          query={query}
          here={listUrl({ query, from })}
          isLive={from === undefined}
          list={orNull(listed(c.get("services"), query, from))}
          facets={orNull(desk.facets(query)).then((facets) => facets ?? [])}
          views={orNull(desk.views()).then((views) => views ?? [])}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  }));
}

/** `/noise`: what is kept apart, at the address that it had. */
export function noise(c: AppContext): Response {
  return c.redirect(searchUrl("is:noise"), 301);
}

/**
 * `POST /issues/state`: decides about the selected issues, or merges them into the first. Leads to the list where the form stood;
 * JSON: `{"digests":[…]}`, those that were changed. 400, 413 or 415 for what is no such selection; otherwise as `answerChange`
 * says.
 */
export function decideSelected(c: AppContext): Promise<Response> {
  const { desk } = c.get("services");
  const act = async () => {
    const selection = await readSelection(c.req.raw);
    if (!selection.ok) return selection;
    const digests = await carryOut(desk, selection.value, c.get("visitor").name);
    const done = doneTo(digests.length, selection.value.choice);
    return ok({ said: { digests }, leadsTo: listIn(selection.value.back), done });
  };
  return answerChange(c, act, { formAt: () => "/issues" });
}

async function carryOut(
  desk: Services["desk"],
  { digests, choice }: Selection,
  by: string | undefined,
): Promise<readonly Digest[]> {
  if (choice !== "merge") return desk.decideAll(digests, { ...choice, by });
  const [into, ...from] = digests;
  if (into === undefined || from.length === 0) return [];
  return (await desk.annotate(into, { change: "merge", from, ...present({ by }) })) === null
    ? []
    : digests;
}

/** The list at an address of this desk; the list as it begins for any other. */
function listIn(back: unknown): string {
  const desk = "http://desk.invalid";
  const url = URL.parse(typeof back === "string" ? back : "", desk);
  const isList = url?.origin === desk && /^(\/p\/\d+)?\/issues$/.test(url.pathname);
  return isList ? `/issues${url.search}` : "/issues";
}

async function listed(
  { desk }: Pick<Services, "desk">,
  query: IssueQuery,
  from: Cursor | undefined,
): Promise<Listed> {
  const page = await desk.list(query, from);
  const isFound = page.total > 0;
  const [missingTags, newest] = await Promise.all([
    tagsOfNone(desk, query, isFound),
    isFound ? undefined : desk.newest(),
  ]);
  const isEmpty = newest !== undefined && newest.total + (newest.noiseTotal ?? 0) === 0;
  return { page, isEmpty, missingTags };
}

/** Tags of a query that are asked for; whoever writes more of them knows their names. */
const MAX_ASKED_TAGS = 3;

/** The tags in a query that no issue has; of what was found those that it must have are there. */
async function tagsOfNone(
  desk: Services["desk"],
  { filters, isNoise }: IssueQuery,
  isFound: boolean,
): Promise<readonly FilterKey[]> {
  const asked = filters
    .filter(({ key, isNot }) => key.startsWith("tag.") && (isNot || !isFound))
    .map(({ key }) => key);
  const keys = [...new Set(asked)].slice(0, MAX_ASKED_TAGS);
  const totals = keys.map(async (key) => {
    const any = { key, value: "", isExact: false, isNot: false };
    const { total } = await desk.list({ ...readQuery(""), isNoise, filters: [any] });
    return total === 0 ? [key] : [];
  });
  return (await Promise.all(totals)).flat();
}

function listJson(c: AppContext, query: IssueQuery, from: Cursor | undefined): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const urlOf = (cursor: Cursor) => here(c, listUrl({ query, from: cursor }, "/issues.json"));
  return answerOrUnavailable(c, async () => {
    const { next, previous, ...list } = listFields(await desk.list(query, from), nowMs());
    return {
      query: writeQuery(query),
      sort: query.sort,
      ...list,
      ...(next && { next: urlOf(next) }),
      ...(previous && { previous: urlOf(previous) }),
    };
  });
}
