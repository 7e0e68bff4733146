/** `/connect`: how an application is pointed at this desk. It watches for the first report while somebody looks on. */

import { dayOf } from "../core/fold.ts";
import type { Desk } from "../core/ports.ts";
import { present } from "../core/present.ts";
import { projectBase } from "../core/project-path.ts";
import { keysOf } from "../core/registry/keyring.ts";
import { statusOf } from "../core/status.ts";
import type { Arrived } from "../ui/connect/arrivals.tsx";
import { type Address, dsnAt, monitoringUrl } from "../ui/connect/recipe.ts";
import type { SampleStanding } from "../ui/connect/sample.tsx";
import { Layout } from "../ui/layout.tsx";
import { ConnectPage } from "../ui/pages/connect-page.tsx";
import { optional, sendPage, wantsJson, wantsWhole } from "./page.tsx";
import { sampleStanding } from "./sample.ts";
import type { AppContext, Services } from "./services.ts";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

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
    return answerOrUnavailable(c, async () => ({
      address: monitoringUrl(address),
      ...present({ dsn }),
      arrived: await arrivedIn(services),
      sample: (await sample)?.issues ?? null,
    }));
  }
  const isWhole = wantsWhole(c);
  const pausesMs = isWhole ? [] : WATCH_PAUSES_MS;
  return sendPage(c, {
    title: "Connect",
    route: "/connect",
    content: (
      <Layout current="connect" deskOpen>
        <ConnectPage
          address={address}
          arrived={optional(
            watch(
              () => arrivedIn(services),
              (seen) => seen !== null,
              pausesMs,
            ),
          )}
          sample={sample}
          sampleAfter={isWhole ? undefined : whenLeft(services.desk, sample)}
          lookAgainAt={isWhole ? lookAgainAt(c) : undefined}
          nowMs={services.nowMs()}
        />
      </Layout>
    ),
  });
}

/**
 * Where a browser without scripts looks again: here, but at an address that is another one, else it would only scroll. A page that
 * takes another's place must not lead away from what comes after it.
 */
function lookAgainAt(c: AppContext): string | undefined {
  if (c.req.header("errata-swap") !== undefined) return undefined;
  const here = `${projectBase(c.get("project"))}/connect`;
  return c.req.query("again") === undefined ? `${here}?again#sample` : `${here}#sample`;
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

/** How the sample stands when it is gone, or has been waited for; null while nobody knows. */
async function whenLeft(
  desk: Desk,
  sample: Promise<SampleStanding | null>,
): Promise<SampleStanding | null> {
  const standing = await sample;
  if (standing?.isGoing !== true) return standing;
  const look = () => sampleStanding(desk).catch(() => null);
  return watch(look, (seen) => seen?.isGoing !== true, WATCH_PAUSES_MS);
}

/** Looks until it is so or the pauses are used up; what was seen last. */
async function watch<T>(
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
  pausesMs: readonly number[],
): Promise<T> {
  let seen = await look();
  for (const pauseMs of pausesMs) {
    if (isSo(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    seen = await look();
  }
  return seen;
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
