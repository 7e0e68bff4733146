/** `/connect`: setup instructions for applications. The live socket shows the first report. */

import { getCookie } from "hono/cookie";
import { getProjectBasePath } from "../../../core/accounts/project-path.ts";
import { ok } from "../../../core/result.ts";
import type { DailyCounter } from "../../../core/stats/counters.ts";
import { toIngestStats } from "../../../core/stats/outcome-totals.ts";
import { countReceivedErrors } from "../../../core/stats/received-errors.ts";
import { toUtcDay } from "../../../core/utc-time.ts";
import { applyProjectChange } from "../../../operations/project-changes.ts";
import type { ProjectStore } from "../../../store/client/project-store.ts";
import { ConnectPage, type ConnectPageProps } from "../../../ui/setup/connect-page.tsx";
import type { ReceivedSummary } from "../../../ui/setup/first-report.tsx";
import { toDsn, toMonitoringUrl } from "../../../ui/setup/integration.ts";
import type { SampleStatus } from "../../../ui/setup/sample-data.tsx";
import type { AppContext, Services } from "../../context.ts";
import { rerenderFormOnError } from "../../forms/form-error-page.ts";
import { respondWithSecret } from "../../forms/respond.ts";
import { isOAuthAvailable } from "../../oauth/availability.ts";
import { toCall } from "../../operation-call.ts";
import { definePage } from "../../pages/settings-page.tsx";
import { ignoreRejection, isSwap, wantsNonStreaming } from "../../send-page.tsx";
import { describeKeys } from "./project-keys.ts";
import { getSampleStatus } from "./sample.ts";

const DAYS = 7;
/** Set by `client/tabs.ts`. */
const TABS_COOKIE = "errata-tabs";
/** Delays between polls, so that the page shows the end of a removal. */
const POLL_DELAYS_MS = [500, 1_000, 1_500, 2_000, 2_000];

/**
 * The page. JSON, without waiting:
 * `{"address","dsn","hasServerKey","received":{"issueCount","itemCount","days","errors",
 * "latestIssue"},"sample"}`. `dsn` contains the public key and is absent without one, as `hasServerKey` is while
 * the registry is unavailable; `received` is null before the first report, `sample` null if
 * unknown. 503 while the index is unavailable. A server key is never part of it: it is stored as a
 * hash.
 */
export const connectPage = definePage<ConnectPageProps, { readonly serverKey: string }>({
  path: "/connect",
  role: "viewer",
  title: "Connect",
  current: "connect",
  note: () => (
    <>
      Choose the source of your reports and copy the code. It contains your URL and public key. One
      URL accepts every format and detects it from the body. See also{" "}
      <a href="/docs/ingest-formats">ingest formats</a>.
    </>
  ),
  async load(c, { serverKey }) {
    const services = c.get("services");
    const { address, hasServerKey } = await describeKeys(c);
    const sample = loadSample(services);
    const isNonStreaming = wantsNonStreaming(c);
    return {
      address: { ...address, serverKey },
      hasServerKey,
      hasOAuth: isOAuthAvailable(c),
      chosenTabs: getCookie(c, TABS_COOKIE)?.split(".") ?? [],
      received: ignoreRejection(summarizeReceived(services)),
      sample,
      sampleAfterRemoval: isNonStreaming ? undefined : awaitRemoval(services, sample),
      refreshUrl: isNonStreaming ? createRefreshUrl(c) : undefined,
      nowMs: services.nowMs(),
    };
  },
  view: ConnectPage,
  async json(c) {
    const services = c.get("services");
    const { address, hasServerKey } = await describeKeys(c);
    const sample = loadSample(services);
    return {
      address: toMonitoringUrl(address),
      dsn: address.key === undefined ? undefined : toDsn(address),
      hasServerKey,
      received: await summarizeReceived(services),
      sample: (await sample)?.issueCount ?? null,
    };
  },
});

/**
 * `POST /connect`: creates a server key, and shows the page with the key once, in the code too. JSON:
 * `{"secrets":["<key>"],"createdId":"…"}`. 403 for non-owners, 409 if the project has too many keys.
 */
export async function createServerKey(c: AppContext): Promise<Response> {
  const create = async () => {
    const settings = { kind: "server", name: "Server", origins: [] } as const;
    const change = { do: "add-key", project: c.get("project"), ...settings } as const;
    const created = await applyProjectChange(toCall(c), change);
    if (!created.ok) return created;
    const { secrets = [], createdId } = created.value;
    return ok({ secrets, createdId, redirectTo: "/connect" });
  };
  const response = await respondWithSecret(c, create, ([serverKey]) =>
    connectPage.send(c, { serverKey }),
  );
  return rerenderFormOnError(c, response, (rejected) => connectPage.send(c, { rejected }));
}

/** The status of the sample data; null if unknown. */
function loadSample({ projectStore }: Services): Promise<SampleStatus | null> {
  return getSampleStatus(projectStore).catch(() => null);
}

/**
 * The URL that browsers without scripts refresh to. It differs each time, or browsers would only
 * scroll. Undefined for in-page navigation, which must not be redirected later.
 */
function createRefreshUrl(c: AppContext): string | undefined {
  if (isSwap(c)) return undefined;
  const here = `${getProjectBasePath(c.get("project"))}/connect`;
  return c.req.query("refresh") === undefined ? `${here}?refresh#sample` : `${here}#sample`;
}

/** The sample's status when its removal has finished or the delays are used up; null if unknown. */
async function awaitRemoval(
  services: Services,
  sample: Promise<SampleStatus | null>,
): Promise<SampleStatus | null> {
  let status = await sample;
  for (const pauseMs of POLL_DELAYS_MS) {
    if (status?.isBeingRemoved !== true) return status;
    await scheduler.wait(pauseMs);
    status = await loadSample(services);
  }
  return status;
}

/** Null before the first report. Sessions count, although they create no issue. */
async function summarizeReceived({
  projectStore,
  nowMs,
}: Services): Promise<ReceivedSummary | null> {
  const [{ issues, total, noiseTotal = 0 }, counters] = await Promise.all([
    projectStore.listNewestIssues(),
    listCounters(projectStore),
  ]);
  const issueCount = total + noiseTotal;
  const itemCount = toIngestStats(counters, toUtcDay(nowMs()), DAYS).received.total;
  if (issueCount === 0 && itemCount === 0) return null;
  const errors = countReceivedErrors(counters);
  return { issueCount, itemCount, days: DAYS, errors, latestIssue: issues[0] };
}

/** During a rebuild there are no counters; issues are still shown. */
function listCounters(projectStore: ProjectStore): Promise<readonly DailyCounter[]> {
  return projectStore.listCounters(DAYS).catch(() => []);
}
