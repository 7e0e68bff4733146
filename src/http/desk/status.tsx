/** `/status`: ingest outcomes and storage health, for operators; also as JSON. */

import { findUnusedUploads } from "../../core/artifacts/unused-uploads.ts";
import { parseIssueQuery } from "../../core/issue/issue-query.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { ProjectStore } from "../../core/ports/storage-ports.ts";
import { SELF_REPORT_QUERY } from "../../core/report/self-reports.ts";
import { type IngestStats, toIngestStats } from "../../core/stats/outcome-totals.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { StatusPage } from "../../ui/status/status-page.tsx";
import type { AppContext } from "../context.ts";
import { sendPage, wantsJson } from "../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../unavailable.ts";

const DAYS = 7;

/**
 * Outcomes of the last seven days, the delay of copies in KV, and the running job. There are no
 * outcomes during a rebuild. JSON: 503 while the index is unavailable.
 */
export async function serveStatus(c: AppContext): Promise<Response> {
  const { projectStore, sourceMaps, alerts, nowMs } = c.get("services");
  const healthPromise = projectStore.getHealth();
  const stats = projectStore
    .listCounters(DAYS)
    .then((counters): IngestStats => toIngestStats(counters, toUtcDay(nowMs()), DAYS))
    .catch((cause) => nullDuringRebuild(healthPromise, cause));
  const selfReportCount = countSelfReportIssues(projectStore);
  const uploads = awaitOrNull(c, sourceMaps.summarize());
  const unusedUploadsMs = uploads.then((summary) =>
    summary === null ? undefined : findUnusedUploads(summary, nowMs()),
  );
  const alertSettings = awaitOrNull(c, alerts.readSettings());
  const sourceMapBacklog = uploads.then((summary) => summary?.backlog);
  if (wantsJson(c)) {
    return respondOrUnavailable(c, async () => {
      const [ingestStats, health, selfReports, unusedMs, alertState, backlog] = await Promise.all([
        stats,
        healthPromise,
        selfReportCount,
        unusedUploadsMs,
        alertSettings,
        sourceMapBacklog,
      ]);
      return {
        ...ingestStats,
        health,
        selfReportCount: selfReports,
        alerts: alertState?.health ?? null,
        ...omitUndefined({ unusedUploadsMs: unusedMs, sourceMaps: backlog }),
      };
    });
  }
  return sendPage(c, {
    title: "Status",
    route: "/status",
    content: (
      <Layout current="status" isSignedIn>
        <StatusPage
          stats={stats.catch(() => undefined)}
          health={awaitOrNull(c, healthPromise)}
          selfReportCount={selfReportCount}
          startedJob={c.req.query("startedJob")}
          unusedUploadsMs={unusedUploadsMs}
          alertSettings={alertSettings}
          sourceMapBacklog={sourceMapBacklog}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
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
