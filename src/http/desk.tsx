/** The start page and the lookup. */
import { summaryOf } from "../core/fold.ts";
import { present } from "../core/present.ts";
import { counted } from "../ui/figure.tsx";
import { Layout } from "../ui/layout.tsx";
import { HitsPage } from "../ui/pages/hits-page.tsx";
import { HomePage } from "../ui/pages/home-page.tsx";
import { find, likelyDigests } from "./find.ts";
import { here } from "./here.ts";
import { hitFields, listFields } from "./issue-json.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { sendUnknown } from "./unknown.tsx";
import { answerOrUnavailable } from "./unless-away.ts";

/** `/`: the lookup box, and under it the newest issues that are open. JSON: the newest issues, whatever their state; 503 while the index is away. */
export async function home(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  if (wantsJson(c))
    return answerOrUnavailable(c, async () => listFields(await desk.newest(), nowMs()));
  return sendPage(c, {
    title: "Errata",
    route: "/",
    content: (
      <Layout current="lookup" deskOpen>
        <HomePage list={optional(desk.newest())} nowMs={nowMs()} />
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
export function lookup(c: AppContext): Promise<Response> {
  return wantsJson(c) ? answerOrUnavailable(c, () => lookUp(c)) : lookUp(c);
}

async function lookUp(c: AppContext): Promise<Response> {
  const query = (c.req.query("q") ?? "").trim();
  if (query === "" && !wantsJson(c)) return c.redirect("/", 303);
  const found = await find(c.get("services").desk, query);
  if (wantsJson(c)) {
    const hits = found.hits.map(({ issue, url }) => hitFields(issue, here(c, url)));
    const likely = likelyDigests(found);
    const list = found.list ?? found.cut?.list;
    return c.json({
      hits,
      ...present({ list: list && here(c, list) }),
      ...(hits.length === 0 && likely && { likely }),
    });
  }
  if (found.list !== undefined) return c.redirect(found.list, 303);
  const [only, ...others] = found.hits;
  if (only === undefined) return sendUnknown(c, { query, found, route: "/lookup" });
  if (others.length === 0) return c.redirect(only.url, 303);
  const hits = found.hits.map(({ issue }) => summaryOf(issue));
  return sendPage(c, {
    title: counted(hits.length, "issue"),
    route: "/lookup",
    content: (
      <Layout current="lookup" deskOpen>
        <HitsPage query={query} hits={hits} cut={found.cut} nowMs={c.get("services").nowMs()} />
      </Layout>
    ),
  });
}
