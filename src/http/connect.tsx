/** `/connect`: how an application is pointed at this desk. It watches for the first report while somebody looks on. */

import { dayOf } from "../core/fold.ts";
import type { Desk } from "../core/ports.ts";
import { present } from "../core/present.ts";
import { keysOf } from "../core/registry/keyring.ts";
import { statusOf } from "../core/status.ts";
import type { Arrived } from "../ui/connect/arrivals.tsx";
import { type Address, dsnAt, monitoringUrl } from "../ui/connect/recipe.ts";
import { Layout } from "../ui/layout.tsx";
import { ConnectPage } from "../ui/pages/connect-page.tsx";
import { optional, sendPage, wantsJson, wantsWhole } from "./page.tsx";
import { sampleStanding } from "./sample.ts";
import type { AppContext, Services } from "./services.ts";
import { jsonOrUnavailable, unlessAway } from "./unless-away.ts";

const DAYS = 7;
/** Pauses between looks: whoever has just sent something sees it come. */
const WATCH_PAUSES_MS = [500, 1_000, 1_500, 2_000, 2_000];

/**
 * The page. JSON, without waiting: `{"address","dsn","arrived":{"issues","items","days","latest"},"sample"}`; `dsn` only with a
 * key, `arrived` null while nothing has come, `sample` null while only that cannot be told; 503 while the index is away.
 */
export async function connect(c: AppContext): Promise<Response> {
  const services = c.get("services");
  const address = await askedAt(c);
  const sample = sampleStanding(services.desk).catch(() => null);
  if (wantsJson(c)) {
    const dsn = address.key === undefined ? undefined : dsnAt(address);
    return jsonOrUnavailable(c, async () => ({
      address: monitoringUrl(address),
      ...present({ dsn }),
      arrived: await arrivedIn(services),
      sample: (await sample)?.issues ?? null,
    }));
  }
  const pauses = wantsWhole(c) ? [] : WATCH_PAUSES_MS;
  return sendPage(c, {
    title: "Connect",
    route: "/connect",
    content: (
      <Layout current="connect" deskOpen>
        <ConnectPage
          address={address}
          arrived={optional(watch(services, pauses))}
          sample={sample}
          nowMs={services.nowMs()}
        />
      </Layout>
    ),
  });
}

/** Where this very request came to, and the project's key: that of the configuration, else the newest of its own. */
async function askedAt(c: AppContext): Promise<Address> {
  const { config, registry, nowMs } = c.get("services");
  const { ingestKey, project } = config;
  const { origin } = new URL(c.req.url);
  if (ingestKey !== undefined) return { origin, project, key: ingestKey };
  const known = await unlessAway(c, registry.copy());
  const own = known === null ? [] : keysOf(known, nowMs()).filter((key) => key.project === project);
  return { origin, project, ...present({ key: own.at(-1)?.key }) };
}

/** Looks until something is there or the pauses are used up. */
async function watch(services: Services, pausesMs: readonly number[]): Promise<Arrived | null> {
  let arrived = await arrivedIn(services);
  for (const pauseMs of pausesMs) {
    if (arrived !== null) return arrived;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    arrived = await arrivedIn(services);
  }
  return arrived;
}

/** Null while nothing has come. Sessions alone make no issue, and are something. */
async function arrivedIn({ desk, nowMs }: Services): Promise<Arrived | null> {
  const [{ issues, total, noiseTotal = 0 }, items] = await Promise.all([
    desk.newest(),
    itemsIn(desk, nowMs()),
  ]);
  const found = total + noiseTotal;
  if (found === 0 && items === 0) return null;
  return { issues: found, items, days: DAYS, ...present({ latest: issues[0] }) };
}

/** While the project is made anew nothing is counted; what there is, is still shown. */
async function itemsIn(desk: Desk, nowMs: number): Promise<number> {
  const tallies = await desk.tallies(DAYS).catch(() => []);
  return statusOf(tallies, dayOf(nowMs), DAYS).received.all;
}
