/** `/status`: what became of everything that came in, for the operator; as JSON too. */
import { toUtcDay } from "../../core/issue/aggregate-report.ts";
import { parseIssueQuery } from "../../core/issue/issue-query.ts";
import type { ProjectStore } from "../../core/ports/storage-ports.ts";
import { SELF_REPORT_QUERY } from "../../core/report/self-reports.ts";
import { type IngestStats, toIngestStats } from "../../core/stats/outcome-totals.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { StatusPage } from "../../ui/status/status-page.tsx";
import type { AppContext } from "../context.ts";
import { sendPage, wantsJson } from "../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../unavailable.ts";

const DAYS = 7;

/**
 * The account of the last seven days, how far the copies in KV are behind, and what goes on over the whole project. While the
 * project is made anew there is no account. JSON: 503 while the index is away.
 */
export async function serveStatus(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const healthPromise = projectStore.getHealth();
  const stats = projectStore
    .listCounters(DAYS)
    .then((counters): IngestStats => toIngestStats(counters, toUtcDay(nowMs()), DAYS))
    .catch((cause) => nullDuringRebuild(healthPromise, cause));
  const selfReportCount = countSelfReportIssues(projectStore);
  if (wantsJson(c)) {
    return respondOrUnavailable(c, async () => {
      const [ingestStats, health, selfReports] = await Promise.all([
        stats,
        healthPromise,
        selfReportCount,
      ]);
      return { ...ingestStats, health, selfReportCount: selfReports };
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
  if (work?.task === "rebuild") return null;
  throw cause;
}

/** How many issues failed renders of Errata's own pages have caused; null while the index is away. */
async function countSelfReportIssues(projectStore: ProjectStore): Promise<number | null> {
  const query = parseIssueQuery(SELF_REPORT_QUERY);
  return projectStore.listIssues(query).then(
    ({ total }) => total,
    () => null,
  );
}
