/** `/status`: what became of everything that came in, for the operator; as JSON too. `/noise`: the issues kept apart. */
import { dayOf } from "../core/fold.ts";
import { type Status, statusOf } from "../core/status.ts";
import type { StoreHealth } from "../core/store-health.ts";
import { Layout } from "../ui/layout.tsx";
import { NoisePage } from "../ui/pages/noise-page.tsx";
import { StatusPage } from "../ui/pages/status-page.tsx";
import { listFields } from "./desk.tsx";
import { failureResponse } from "./failures.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";

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
  if (wantsJson(c)) return statusJson(c, account, store);
  return sendPage(c, {
    title: "Status",
    route: "/status",
    content: (
      <Layout current="status" deskOpen>
        <StatusPage
          account={optional(account)}
          store={optional(store)}
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

async function statusJson(
  c: AppContext,
  account: Promise<Status | null>,
  store: Promise<StoreHealth>,
): Promise<Response> {
  try {
    const [told, health] = await Promise.all([account, store]);
    return c.json({ ...told, store: health });
  } catch (cause) {
    c.get("services").logProblem(cause);
    return failureResponse({ reason: "index-unavailable" });
  }
}

/** What breaks in browsers and is no fault of the page. */
export async function noise(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const list = desk.newestNoise();
  if (wantsJson(c)) return c.json(listFields(await list, nowMs()));
  return sendPage(c, {
    title: "Noise",
    route: "/noise",
    content: (
      <Layout deskOpen>
        <NoisePage list={optional(list)} nowMs={nowMs()} />
      </Layout>
    ),
  });
}
