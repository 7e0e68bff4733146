/** Creates the parts of one project's index and connects them. */
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { RowMeter } from "../row-meter.ts";
import { createAlertSenderStub, createSourceMapsStub, createStubs } from "../rpc/stubs.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import type { Database } from "../sqlite/database.ts";
import { AlertDispatcher } from "./alerts/alert-dispatcher.ts";
import { DeskOperations } from "./desk-operations.ts";
import { ExpirySweep } from "./expiry-sweep.ts";
import { IndexAccess } from "./index-access.ts";
import { ProjectJobs } from "./jobs/project-jobs.ts";
import { IssueLists } from "./lists/issue-lists.ts";
import { LiveSockets } from "./live-sockets.ts";
import { PlaceResolver } from "./places/place-resolver.ts";
import { ReadBarrier } from "./read-barrier.ts";
import { readStoreHealth } from "./read-store-health.ts";
import { RowReceiver } from "./row-receiver.ts";
import { SnapshotScheduler } from "./snapshots/snapshot-scheduler.ts";
import { IndexTables } from "./state/index-tables.ts";

/** The parts of an object. `getEnv` returns its bindings. */
export function createIndexParts(
  ctx: DurableObjectState,
  getEnv: () => Bindings,
  database: Database,
) {
  const meter = new RowMeter(ctx.storage);
  const { storage } = meter;
  const project = ctx.id.name ?? "";
  const settings = readStoreSettings(getEnv());
  const { retentionDays, location } = settings;
  const nowMs = Date.now;
  const alarm = new SharedAlarm(storage, nowMs);
  const tables = new IndexTables(storage, meter, settings.rowScale, database);
  const shared = { project, storage, alarm, tables, kv: () => getEnv().KV, nowMs };

  const stubOptions = { project, ...omitUndefined({ location }) };
  const getStubs = () => createStubs(getEnv(), stubOptions);
  const sourceMaps = () => createSourceMapsStub(getEnv(), stubOptions);
  const alertSender = () => createAlertSenderStub(getEnv(), stubOptions);
  const configuredShards = Array.from({ length: settings.shards }, (_, n) => String(n));
  /** The configured shards, and those that sent rows before the setting was reduced. */
  const listShards = (): readonly string[] => [
    ...new Set([...configuredShards, ...tables.shardProgress.listShards()]),
  ];
  const listLogs = () => listShards().map((shard) => getStubs().log(shard));

  const budget = new WriteBudget(storage, settings.indexWritesPerDay);
  const rowReceiver = new RowReceiver(tables);
  const { startId } = rowReceiver;
  const lists = new IssueLists(storage.sql, tables.issues, limits, tables.floods);
  const liveSockets = new LiveSockets(ctx);
  const expirySweep = new ExpirySweep(storage, tables, retentionDays);
  const dispatcher = new AlertDispatcher({
    ...{ tables, alarm, sender: alertSender, nowMs },
    readFloods: (now) => {
      tables.writeForQuery(now);
      return lists.readFloods(now);
    },
  });
  const places: PlaceResolver = new PlaceResolver({
    ...{ ...shared, sourceMaps },
    listNewest: (count) => lists.listNewest(count),
    isPaused: () => jobs.hasJobs,
  });
  const snapshots: SnapshotScheduler = new SnapshotScheduler({
    ...{ ...shared, lists, budget, retentionDays },
    resolvePlaces: (digests) => places.resolve(digests),
    isPaused: () => jobs.blocksSnapshots,
  });
  const jobs = new ProjectJobs({
    ...{ ...shared, getStubs, sourceMaps, alertSender, listShards, startId },
    onNewestUpload: (newest) => places.setNewestUpload(newest),
    onDirty: (dirtyKeys) => access.saveSnapshots(dirtyKeys),
    waitForSnapshots: () => snapshots.waitForWrite(),
    onIdle: async () => {
      await Promise.all([snapshots.resume(), places.resume()]);
    },
  });
  const access = new IndexAccess({
    ...{ tables, snapshots, places, jobs, dispatcher, nowMs },
    barrier: new ReadBarrier(jobs, listLogs, startId),
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const readHealth = () =>
    readStoreHealth(listLogs(), {
      backlog: snapshots.getBacklog(),
      budget,
      storedBytes: storage.sql.databaseSize,
      getProgress: () => jobs.getProgress(),
    });
  const operations = new DeskOperations({ access, lists, readHealth, nowMs });
  return {
    ...{
      alarm,
      tables,
      rowReceiver,
      lists,
      liveSockets,
      expirySweep,
      dispatcher,
      places,
      snapshots,
    },
    ...{
      jobs,
      access,
      operations,
      listShards,
      listLogs,
      spoolWritesPerDay: settings.spoolWritesPerDay,
    },
  };
}
