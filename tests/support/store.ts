/** The real store of a test: KV and both objects in workerd, the clock standing still. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Bindings } from "../../src/config.ts";
import { createProjectAdmin } from "../../src/store/client/project-admin.ts";
import { createProjectStore } from "../../src/store/client/project-store.ts";
import { createReportWriter } from "../../src/store/client/report-writer.ts";
import type { ProjectIndex } from "../../src/store/index/project-index.ts";
import type { ReportLog } from "../../src/store/log/report-log.ts";

/** The bindings of wrangler.toml, as the Worker has them. */
export const bindings = env as unknown as Bindings;

/** A moment in the hour of `aReport`. */
export const NOW_MS = Date.UTC(2026, 10, 21, 17, 30, 0);

const settings = { project: "1", shards: 1, nowMs: () => NOW_MS };

/** The log, the desk and the keeping of the project, as the Worker opens them. */
export const log = createReportWriter(bindings, settings);
export const desk = createProjectStore(bindings, settings);
export const keeping = createProjectAdmin(bindings, { ...settings, drainSpool: async () => 0 });

/** A binding names what an object answers to; tests look into the object itself. */
const logs = bindings.REPORT_LOG as unknown as DurableObjectNamespace<ReportLog>;
const indexes = bindings.PROJECT_INDEX as unknown as DurableObjectNamespace<ProjectIndex>;

/** The one shard of the project. A stub is dead after its object was aborted, so each use takes a new one. */
export const shard = () => logs.getByName("1/0");
/** The index of the project; a new stub each time, as above. */
export const index = () => indexes.getByName("1");

/** Has the shard seal and copy what it holds, as its alarm would. True when there was an alarm to run. */
export function sealNow(): Promise<boolean> {
  return runDurableObjectAlarm(shard());
}

/** Takes the steps of what is under way in the index until it is done. */
export async function workDone(): Promise<void> {
  for (let step = 0; step < 20 && (await index().getHealth()).work !== undefined; step++) {
    await runDurableObjectAlarm(index());
    await desk.listNewestIssues().catch(() => undefined);
  }
}

/** Puts another KV in place of the shard's. It stays until the object restarts. */
export function replaceKv(kv: KVNamespace): Promise<void> {
  return runInDurableObject(shard(), (instance: ReportLog) => {
    Object.assign(instance, { env: { ...bindings, KV: kv } });
  });
}

/** The keys of the record, without their snapshots. */
export async function chunkKeys(): Promise<string[]> {
  const { keys } = await bindings.KV.list({ prefix: "chunk/" });
  return keys.map(({ name }) => name);
}
