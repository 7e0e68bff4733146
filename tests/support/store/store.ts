/** The real store for tests: KV and the Durable Objects in workerd, with a fixed clock. */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Bindings } from "#src/bindings.ts";
import type { RegistryObject } from "#src/store/accounts/registry-object.ts";
import type { AlertSender } from "#src/store/alerts/alert-sender.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { openStorage } from "#src/store/client/open-storage.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { START_MS } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";

/** The bindings of wrangler.toml, with the classes behind the Durable Object namespaces. */
interface TestBindings extends Bindings {
  readonly REPORT_LOG: DurableObjectNamespace<ReportLog>;
  readonly PROJECT_INDEX: DurableObjectNamespace<ProjectIndex>;
  readonly REGISTRY: DurableObjectNamespace<RegistryObject>;
  readonly SOURCE_MAPS: DurableObjectNamespace<SourceMaps>;
  readonly ALERT_SENDER: DurableObjectNamespace<AlertSender>;
}

export const bindings = env as unknown as TestBindings;

/** A moment in the hour of `createReport`. */
export const NOW_MS = START_MS;

/** The storage of a project, as the Worker opens it. */
export function openTestStorage(project: string) {
  const settings = { project, shards: 1, nowMs: () => NOW_MS, hasArtifacts: async () => true };
  return openStorage(bindings, settings);
}

/** The storage of the first project. */
export const storage = openTestStorage("1");
export const { reportWriter: log, projectStore, projectAdmin: admin } = storage;

/**
 * The project's one shard. A stub is unusable after its object was aborted: take a new one for each
 * call.
 */
export const getShard = () => bindings.REPORT_LOG.getByName("1/0");
/** The project's index. Take a new stub for each call. */
export const getIndex = () => bindings.PROJECT_INDEX.getByName("1");
/** The project's source maps. Take a new stub for each call. */
export const getSourceMaps = () => bindings.SOURCE_MAPS.getByName("1");
/** The project's alert sender. Take a new stub for each call. */
export const getAlertSender = () => bindings.ALERT_SENDER.getByName("1");

/** Runs the shard's alarm: closes and uploads its chunk. False if no alarm is set. */
export function uploadChunk(): Promise<boolean> {
  return runDurableObjectAlarm(getShard());
}

/** Runs the index's jobs until all are done. */
export function finishJobs(): Promise<void> {
  return eventually(async () => {
    if ((await getIndex().getHealth()).work === undefined) return;
    await runDurableObjectAlarm(getIndex());
    await projectStore.listNewestIssues().catch(() => undefined);
    const { work } = await getIndex().getHealth();
    if (work !== undefined) throw new Error(`still in phase ${work.phase} of ${work.job}`);
  });
}

/** Writes every outdated snapshot, as if the intervals between writes had passed. */
export async function writeSnapshots(): Promise<void> {
  await getIndex().waitUntilIdle();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    storage.sql.exec("UPDATE outdated_snapshot SET due_ms = 0");
  });
  await abortAllDurableObjects();
  await getIndex().getHealth();
  await getIndex().waitUntilIdle();
}

/** Replaces the shard's KV until the object restarts. */
export function replaceKv(kv: KVNamespace): Promise<void> {
  return runInDurableObject(getShard(), (instance: ReportLog) => {
    Object.assign(instance, { env: { ...bindings, KV: kv } });
  });
}

/** The keys of the chunks in KV. */
export async function listChunkKeys(): Promise<string[]> {
  const { keys } = await bindings.KV.list({ prefix: "chunk/" });
  return keys.map(({ name }) => name);
}
