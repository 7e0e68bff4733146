/** `/status`: ingest outcomes and storage health, for operators; also as JSON. */

import { findUnusedUploads } from "../../core/artifacts/unused-uploads.ts";
import { parseIssueQuery } from "../../core/issue/issue-query.ts";
import { SELF_REPORT_QUERY } from "../../core/report/self-reports.ts";
import { type IngestStats, toIngestStats } from "../../core/stats/outcome-totals.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import type { ProjectStore } from "../../store/client/project-store.ts";
import { StatusPage } from "../../ui/status/status-page.tsx";
import type { AppContext } from "../context.ts";
import { definePage } from "../pages/settings-page.tsx";
import { awaitOrNull } from "../unavailable.ts";

const DAYS = 7;

/**
 * Outcomes of the last seven days, the delay of copies in KV, and the running job. There are no
 * outcomes during a rebuild. JSON: 503 while the index is unavailable.
 */
export const statusPage = definePage({
  path: "/status",
  role: "viewer",
  title: "Status",
  current: "status",
  note: () => (
    <>
      Each accepted item is counted once by outcome. Requests rejected before parsing (invalid key,
      rate limit) are not counted. See also <a href="/docs/limits-and-costs">limits and costs</a>.
    </>
  ),
  load(c) {
    const { stats, health, ...facts } = loadStatus(c);
    return {
      ...facts,
      stats: stats.catch(() => undefined),
      health: awaitOrNull(c, health),
      startedJob: c.req.query("startedJob"),
      nowMs: c.get("services").nowMs(),
    };
  },
  view: StatusPage,
  async json(c) {
    const loaded = loadStatus(c);
    const [ingestStats, health, selfReportCount, unusedUploadsMs, alerts, sourceMaps, data] =
      await Promise.all([
        loaded.stats,
        loaded.health,
        loaded.selfReportCount,
        loaded.unusedUploadsMs,
        loaded.alertSettings,
        loaded.sourceMapBacklog,
        loaded.versions,
      ]);
    return {
      ...ingestStats,
      health,
      selfReportCount,
      alerts: alerts?.health ?? null,
      unusedUploadsMs,
      sourceMaps,
      data,
    };
  },
});

function loadStatus(c: AppContext) {
  const { config, projectStore, sourceMaps, alerts, dataVersions, nowMs } = c.get("services");
  const health = projectStore.getHealth();
  const stats = projectStore
    .listCounters(DAYS)
    .then((counters): IngestStats => toIngestStats(counters, toUtcDay(nowMs()), DAYS))
    .catch((cause) => nullDuringRebuild(health, cause));
  const uploads = awaitOrNull(c, sourceMaps.summarize());
  return {
    stats,
    health,
    selfReportCount: countSelfReportIssues(projectStore),
    unusedUploadsMs: uploads.then((summary) =>
      summary === null ? undefined : findUnusedUploads(summary, nowMs()),
    ),
    alertSettings: awaitOrNull(c, alerts.readSettings()),
    versions: dataVersions.read(config.project),
    sourceMapBacklog: uploads.then((summary) => summary?.backlog),
  };
}

async function nullDuringRebuild(
  healthPromise: Promise<StoreHealth>,
  cause: unknown,
): Promise<null> {
  const { work } = await healthPromise;
  if (work?.job === "rebuild") return null;
  throw cause;
}

/** Counts the issues that Errata's own pages caused; null while the index is unavailable. */
async function countSelfReportIssues(projectStore: ProjectStore): Promise<number | null> {
  const query = parseIssueQuery(SELF_REPORT_QUERY);
  return projectStore.listIssues(query).then(
    ({ total }) => total,
    () => null,
  );
}
