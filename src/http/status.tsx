/** `/status`: what became of everything that came in, for the operator; as JSON too. `/noise`: the issues kept apart. */
import { dayOf } from "../core/fold.ts";
import { type Status, statusOf } from "../core/status.ts";
import { Layout } from "../ui/layout.tsx";
import { NoisePage } from "../ui/pages/noise-page.tsx";
import { StatusPage } from "../ui/pages/status-page.tsx";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";

const DAYS = 7;

/** The account of the last seven days, and how far the copies in KV are behind. */
export async function status(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const account = desk.tallies(DAYS).then((tallies): Status => {
    return statusOf(tallies, dayOf(nowMs()), DAYS);
  });
  const store = desk.health();
  if (wantsJson(c)) return c.json({ ...(await account), store: await store });
  return sendPage(c, {
    title: "Status",
    route: "/status",
    content: (
      <Layout current="status" deskOpen>
        <StatusPage account={optional(account)} store={optional(store)} />
      </Layout>
    ),
  });
}

/** What breaks in browsers and is no fault of the page. */
export async function noise(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const list = desk.newestNoise();
  if (wantsJson(c)) return c.json(await list);
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
