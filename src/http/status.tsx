/** `/status`: what became of everything that came in, for the operator; as JSON too. */
import { dayOf } from "../core/fold.ts";
import { readQuery } from "../core/issue-query.ts";
import { OWN_FAILURES } from "../core/own-failures.ts";
import type { Desk } from "../core/ports.ts";
import { type Status, statusOf } from "../core/status.ts";
import type { StoreHealth } from "../core/store-health.ts";
import { Layout } from "../ui/layout.tsx";
import { StatusPage } from "../ui/pages/status-page.tsx";
import { sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

const DAYS = 7;

/**
 * The account of the last seven days, how far the copies in KV are behind, and what goes on over the whole project. While the
 * project is made anew there is no account. JSON: 503 while the index is away.
 */
export async function status(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const store = desk.health();
  const account = desk
    .tallies(DAYS)
    .then((tallies): Status => statusOf(tallies, dayOf(nowMs()), DAYS))
    .catch((cause) => nullWhileRebuilt(store, cause));
  const own = ownIssues(desk);
  if (wantsJson(c)) {
    return answerOrUnavailable(c, async () => {
      const [told, health, ownFailures] = await Promise.all([account, store, own]);
      return { ...told, store: health, ownFailures };
    });
  }
  return sendPage(c, {
    title: "Status",
    route: "/status",
    content: (
      <Layout current="status" deskOpen>
        <StatusPage
          account={account.catch(() => undefined)}
          store={unlessAway(c, store)}
          own={own}
          begun={c.req.query("begun")}
        />
      </Layout>
    ),
  });
}

async function nullWhileRebuilt(store: Promise<StoreHealth>, cause: unknown): Promise<null> {
  const { work } = await store;
  if (work?.task === "rebuild") return null;
  throw cause;
}

/** How many issues failed renders of Errata's own pages have caused; null while the index is away. */
async function ownIssues(desk: Desk): Promise<number | null> {
  const query = readQuery(OWN_FAILURES);
  return desk.list(query).then(
    ({ total }) => total,
    () => null,
  );
}
