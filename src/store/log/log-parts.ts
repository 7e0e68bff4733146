/** Creates the parts of one shard's log and connects them. */
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { createStubs } from "../rpc/stubs.ts";
import type { Database } from "../sqlite/database.ts";
import { CatalogSweep } from "./catalog/catalog-sweep.ts";
import { ChunkRetention } from "./chunk-retention.ts";
import { ChunkUploader } from "./chunk-uploader.ts";
import { CommitTimer } from "./commit-timer.ts";
import { SeenIds } from "./dedupe/seen-ids.ts";
import { LogAlarm } from "./log-alarm.ts";
import { LogMaintenance } from "./log-maintenance.ts";
import { LogTable } from "./log-table.ts";
import { LogWriter } from "./log-writer.ts";
import { IndexOutbox } from "./outbox.ts";
import { PublicRowBudget } from "./public-row-budget.ts";
import { ReportBatcher } from "./report-batcher.ts";

/** The parts of an object. `getEnv` returns its bindings, `commit` writes the pending batch. */
export function createLogParts(
  ctx: DurableObjectState,
  getEnv: () => Bindings,
  commit: () => void,
  database: Database,
) {
  const { storage } = ctx;
  const [project = "", shard = ""] = (ctx.id.name ?? "").split("/");
  const settings = readStoreSettings(getEnv());
  const { shards, shardWritesPerDay, retentionDays, location, rowScale } = settings;
  const nowMs = Date.now;
  const index = () => createStubs(getEnv(), { project, ...omitUndefined({ location }) }).index();
  const table = new LogTable(storage, shard, nowMs(), database);
  const budget = new WriteBudget(storage, shardWritesPerDay);
  const retention = new ChunkRetention(retentionDays);
  const shared = { project, shard, table, budget, kv: () => getEnv().KV, nowMs };
  const seenIds = new SeenIds(table, nowMs());
  const batcher = new ReportBatcher(table, seenIds);
  const uploader = new ChunkUploader({ ...shared, retention });
  return {
    ...{ project, shard, index, table, budget, seenIds, batcher, uploader },
    commitTimer: new CommitTimer(commit),
    writer: new LogWriter(shard, table, seenIds, batcher, new PublicRowBudget(shards, rowScale)),
    outbox: new IndexOutbox({
      log: table,
      apply: (items, startId) => index().applyRows(shard, items, startId),
      ...{ retention, nowMs },
    }),
    maintenance: new LogMaintenance({ ...shared, uploader }),
    sweep: new CatalogSweep(table, () => storage.sql.databaseSize),
    alarm: new LogAlarm({ storage, table, budget, nowMs }),
  };
}
