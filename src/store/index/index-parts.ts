/** The parts of ProjectIndex, which its class composes. */
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { toAlertedFacts } from "../../core/alerts/alerted-facts.ts";
import { limits } from "../../core/limits.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { connectProject } from "../objects.ts";
import { RowMeter } from "../row-meter.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import type { Database } from "../sqlite/database.ts";
import { AlertDispatcher } from "./alerts/alert-dispatcher.ts";
import { ExpirySweep } from "./expiry-sweep.ts";
import { ProjectJobs } from "./jobs/project-jobs.ts";
import { IssueComparer } from "./lists/issue-comparer.ts";
import { IssueLists } from "./lists/issue-lists.ts";
import { LiveSockets } from "./live-sockets.ts";
import { PlaceResolver } from "./places/place-resolver.ts";
import { readAlertedIssues } from "./read-alerted-issues.ts";
import { ReadBarrier } from "./read-barrier.ts";
import { DeployReader } from "./releases/deploy-reader.ts";
import { RowReceiver } from "./row-receiver.ts";
import { SnapshotScheduler } from "./snapshot-scheduler.ts";
import type { DirtyKeys } from "./state/dirty-keys.ts";
import { IndexTables } from "./state/index-tables.ts";
import { TOP_LISTS } from "./tables/index-schema.ts";
import { OwnerAssigner } from "./triage/owner-assigner.ts";

/** `onDirty` writes outdated snapshots to KV later. */
export function createParts(
  ctx: DurableObjectState,
  getEnv: () => Bindings,
  database: Database,
  onDirty: (dirtyKeys: DirtyKeys) => void,
) {
  const meter = new RowMeter(ctx.storage);
  const { storage } = meter;
  const project = ctx.id.name ?? "";
  const settings = readStoreSettings(getEnv());
  const objects = connectProject(getEnv, { ...settings, project });
  const nowMs = Date.now;
  const alarm = new SharedAlarm(storage, nowMs);
  const tables = new IndexTables(storage, meter, settings.rowScale, database);
  const shared = { project, storage, alarm, tables, kv: () => getEnv().KV, nowMs };
  const configuredShards = Array.from({ length: settings.shards }, (_, n) => String(n));
  /** The configured shards, and those that sent rows before the setting was reduced. */
  const listShards = (): readonly string[] => [
    ...new Set([...configuredShards, ...tables.shardProgress.listShards()]),
  ];
  const listLogs = () => listShards().map((shard) => objects.log(shard));

  const budget = new WriteBudget(storage, settings.indexWritesPerDay);
  const rowReceiver = new RowReceiver(tables);
  const { startId } = rowReceiver;
  const hasTops = () => database.isFinished(TOP_LISTS);
  const lists = new IssueLists(storage.sql, tables.issues, limits, tables.floods, hasTops);
  const places: PlaceResolver = new PlaceResolver({
    ...shared,
    sourceMaps: objects.sourceMaps,
    listNewest: (count) => lists.listNewest(count),
    isPaused: () => jobs.hasJobs,
  });
  const owners: OwnerAssigner = new OwnerAssigner({
    ...shared,
    objects,
    onDirty,
    isPaused: () => jobs.hasJobs,
  });
  const snapshots: SnapshotScheduler = new SnapshotScheduler({
    ...shared,
    lists,
    budget,
    retentionDays: settings.retentionDays,
    complete: async (digests) => {
      await places.resolve(digests);
      await owners.run(digests);
      // An owner is told about the assignment.
      if (tables.alerts.isEmpty()) return;
      await dispatcher.prepare();
      void dispatcher.run();
    },
    isPaused: () => jobs.blocksSnapshots,
  });
  const jobs = new ProjectJobs({
    ...shared,
    objects,
    listShards,
    startId,
    onDirty,
    onNewestUpload: (newest) => places.setNewestUpload(newest),
    waitForSnapshots: () => snapshots.writer.waitForWrite(),
    onIdle: async () => {
      await Promise.all([snapshots.writer.resume(), places.resume()]);
    },
  });
  const dispatcher: AlertDispatcher = new AlertDispatcher({
    ...shared,
    sender: objects.alerts,
    readFacts: async (digests) => {
      jobs.throwIfRebuilding();
      const issues = await readAlertedIssues(tables, places, digests);
      return issues.flatMap((issue) => (issue === null ? [] : toAlertedFacts(issue)));
    },
    readFloods: (now) => {
      tables.writeForQuery(now);
      return lists.readFloods(now);
    },
  });
  return {
    project,
    alarm,
    tables,
    budget,
    rowReceiver,
    comparer: new IssueComparer((count) => lists.listNewest(count)),
    deploys: new DeployReader({ releases: tables.releases, sourceMaps: objects.sourceMaps, nowMs }),
    lists,
    places,
    snapshots,
    jobs,
    listShards,
    listLogs,
    settings,
    liveSockets: new LiveSockets(ctx),
    expirySweep: new ExpirySweep(storage, tables, settings.retentionDays),
    barrier: new ReadBarrier(jobs, listLogs, startId),
    dispatcher,
  };
}
