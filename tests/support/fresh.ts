/** Empties the store for the next test, after its objects finished their pending writes to KV. */
import { listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import type { Bindings } from "../../src/config.ts";
import type { RegistryObject } from "../../src/store/accounts/registry-object.ts";
import type { AlertSender } from "../../src/store/alerts/alert-sender.ts";
import type { SourceMaps } from "../../src/store/artifacts/source-maps.ts";
import { alertSender, bindings, index, sourceMapsObject } from "./store.ts";

/**
 * Empties every binding. A later put would look like the data of a project whose objects were lost,
 * or like the copy of the registry.
 */
export async function fresh(): Promise<void> {
  await waitForSnapshots();
  await wakeObjects();
  await waitForSnapshots();
  await waitForArtifactRecord();
  await waitForAlertRecord();
  await waitForRegistryCopy();
  // `reset` keeps the values of a namespace that was stopped and not used since.
  await bindings.KV.list({ limit: 1 });
  await reset();
}

/**
 * Wakes every object: `reset` keeps the storage of those that the runtime has stopped, as it does
 * after ten seconds without a call. Their alarms would write while the bindings are emptied.
 */
async function wakeObjects(): Promise<void> {
  const { REPORT_LOG, PROJECT_INDEX, SOURCE_MAPS, ALERT_SENDER, REGISTRY }: Bindings = bindings;
  const namespaces = [REPORT_LOG, PROJECT_INDEX, SOURCE_MAPS, ALERT_SENDER, REGISTRY];
  for (const namespace of namespaces) {
    for (const id of await listDurableObjectIds(namespace)) {
      await runInDurableObject(namespace.get(id), (_, { storage }) => storage.deleteAlarm()).catch(
        () => undefined,
      );
    }
  }
}

async function waitForSnapshots(): Promise<void> {
  await index()
    .waitForSnapshots()
    .catch(() => undefined);
}

async function waitForRegistryCopy(): Promise<void> {
  if ((await listDurableObjectIds(bindings.REGISTRY)).length === 0) return;
  const registry = bindings.REGISTRY.getByName("registry");
  await runInDurableObject(registry, async (object: RegistryObject, { storage }) => {
    await storage.deleteAlarm();
    await object.alarm();
  }).catch(() => undefined);
}

/** The settings of alerts are written to KV by the alarm. */
async function waitForAlertRecord(): Promise<void> {
  if ((await listDurableObjectIds(bindings.ALERT_SENDER)).length === 0) return;
  await runInDurableObject(alertSender(), async (object: AlertSender, { storage }) => {
    await storage.deleteAlarm();
    await object.waitUntilIdle();
  }).catch(() => undefined);
}

/** Its alarm would write to KV as well. */
async function waitForArtifactRecord(): Promise<void> {
  if ((await listDurableObjectIds(bindings.SOURCE_MAPS)).length === 0) return;
  await runInDurableObject(sourceMapsObject(), async (object: SourceMaps, { storage }) => {
    await storage.deleteAlarm();
    await object.waitForRecord();
  }).catch(() => undefined);
}
