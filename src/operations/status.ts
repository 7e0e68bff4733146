/** How ingest and storage do, for operators. */
import * as v from "valibot";
import { findUnusedUploads } from "../core/artifacts/unused-uploads.ts";
import { parseIssueQuery } from "../core/issue/issue-query.ts";
import { SELF_REPORT_QUERY } from "../core/report/self-reports.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { type IngestStats, toIngestStats } from "../core/stats/outcome-totals.ts";
import type { StoreHealth } from "../core/stats/store-health.ts";
import { toUtcDay } from "../core/utc-time.ts";
import { alertHealth } from "./alerts.ts";
import { flag, number } from "./issue-output.ts";
import { defineRead, type OperationServices, orNull } from "./operation.ts";
import { byErrata, reportedByAnyone, time } from "./provenance.ts";
import { backlog } from "./source-maps.ts";

const DAYS = 7;

const counts = { today: number, total: number };
const totals = v.strictObject(counts);
const writes = { perDay: number, usedToday: number };

const sessions = v.optional(
  list(
    v.strictObject({
      release: reportedByAnyone(),
      environment: reportedByAnyone(),
      started: number,
      errored: number,
      unhandled: number,
      crashed: number,
      abnormal: number,
      crashFreePercent: v.optional(number),
    }),
  ),
);

/** The outcomes of some days; all absent during a rebuild. */
const ingest = {
  days: v.optional(number),
  received: v.optional(totals),
  outcomes: v.optional(
    list(
      v.strictObject({
        outcome: v.picklist(["accepted", "duplicate", "counted", "dropped", "invalid"]),
        item: reportedByAnyone("The kind of the report, or the sender’s name of another item"),
        reason: v.optional(reportedByAnyone()),
        ...counts,
      }),
    ),
  ),
  sessions,
  publicSessions: sessions,
  discarded: v.optional(
    list(
      v.strictObject({
        category: reportedByAnyone("What SDKs discarded, in their words"),
        reason: reportedByAnyone(),
        ...counts,
      }),
    ),
  ),
  collapsed: v.optional(totals),
  spooled: v.optional(totals),
};

const health = v.strictObject({
  shards: list(
    v.strictObject({
      ...writes,
      shard: byErrata(),
      rows: number,
      lines: number,
      oldestHour: v.optional(byErrata("The hour of the oldest, such as 2026112117")),
      waitMs: number,
      storedBytes: number,
      chunks: number,
      chunkLines: number,
      droppedIdsMs: v.optional(time),
    }),
  ),
  snapshots: v.strictObject({
    ...writes,
    waiting: number,
    hasMore: v.optional(flag),
    ageMs: v.optional(number),
    waitMs: number,
    storedBytes: number,
  }),
  work: v.optional(
    v.strictObject({
      job: byErrata(),
      jobs: number,
      phase: byErrata(),
      done: number,
      total: number,
    }),
  ),
});

/** The versions of the stored data, by object; null while one does not answer. */
const data = list(
  v.strictObject({
    object: byErrata("The class"),
    name: byErrata(),
    version: v.nullable(
      v.strictObject({
        object: byErrata(),
        state: v.strictObject({
          kind: v.picklist(["ready", "newer", "too-old", "failed"]),
          needs: v.optional(number),
          migration: v.optional(number),
          problem: v.optional(byErrata()),
        }),
        code: number,
        data: number,
        oldest: number,
        release: byErrata(),
        atMs: time,
        backfills: list(v.strictObject({ migration: number, visited: number })),
      }),
    ),
  }),
);

/** How far the project is backed up; absent without a bucket. */
const backup = v.optional(
  v.strictObject({
    nextDay: v.optional(byErrata("All days before this one are in the bucket")),
    failedMs: v.optional(time),
    problem: v.optional(byErrata("Why the last run failed")),
  }),
);

export const getStatus = defineRead({
  name: "status.get",
  summary: "Read the outcomes of ingest of the last days, and the health of storage and alerts.",
  role: "viewer",
  rate: "search",
  route: "GET /status",
  input: v.strictObject({}),
  output: v.strictObject({
    ...ingest,
    health,
    selfReportCount: v.nullable(number),
    alerts: v.nullable(alertHealth),
    unusedUploadsMs: v.optional(time),
    sourceMaps: backlog,
    data,
    backup,
  }),
  reasons: [],
  async load(_, { project, services }) {
    const { projectStore, sourceMaps, alerts, dataVersions, readBackup, nowMs } = services;
    const storeHealth = projectStore.getHealth();
    const stats = projectStore
      .listCounters(DAYS)
      .then((counters): IngestStats => toIngestStats(counters, toUtcDay(nowMs()), DAYS))
      .catch((cause) => nullDuringRebuild(storeHealth, cause));
    // A page reads one without the other.
    void Promise.allSettled([storeHealth, stats]);
    const uploads = orNull(services, sourceMaps.summarize());
    return ok({
      stats,
      health: storeHealth,
      selfReportCount: countSelfReportIssues(projectStore),
      unusedUploadsMs: uploads.then((summary) =>
        summary === null ? undefined : findUnusedUploads(summary, nowMs()),
      ),
      alertSettings: orNull(services, alerts.readSettings()),
      versions: dataVersions.read(project),
      backup: readBackup(project),
      sourceMapBacklog: uploads.then((summary) => summary?.backlog),
    });
  },
  toOutput: async (parts) => ({
    ...(await parts.stats),
    health: await parts.health,
    selfReportCount: await parts.selfReportCount,
    alerts: (await parts.alertSettings)?.health ?? null,
    unusedUploadsMs: await parts.unusedUploadsMs,
    sourceMaps: await parts.sourceMapBacklog,
    data: await parts.versions,
    backup: await parts.backup,
  }),
});

async function nullDuringRebuild(
  healthPromise: Promise<StoreHealth>,
  cause: unknown,
): Promise<null> {
  const { work } = await healthPromise;
  if (work?.job === "rebuild") return null;
  throw cause;
}

/** Counts the issues that Errata's own pages caused; null while the index is unavailable. */
async function countSelfReportIssues(
  projectStore: OperationServices["projectStore"],
): Promise<number | null> {
  const query = parseIssueQuery(SELF_REPORT_QUERY);
  return projectStore.listIssues(query).then(
    ({ total }) => total,
    () => null,
  );
}
