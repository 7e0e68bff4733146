/** Empties the store for the next test, after its objects finished their pending writes to KV. */
import { listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import type { RegistryObject } from "../../src/store/accounts/registry-object.ts";
import type { SourceMaps } from "../../src/store/artifacts/source-maps.ts";
import type { ProjectIndex } from "../../src/store/index/project-index.ts";
import { bindings, index, sourceMapsObject } from "./store.ts";

/**
 * Empties every binding. A later put would look like the data of a project whose objects were lost,
 * or like the copy of the registry.
 */
export async function fresh(): Promise<void> {
  await waitForSnapshots();
  // The alarms would write while the bindings are emptied.
  await runInDurableObject(index(), (_: ProjectIndex, { storage }) => storage.deleteAlarm()).catch(
    () => undefined,
  );
  await waitForSnapshots();
  await waitForArtifactRecord();
  await waitForRegistryCopy();
  // `reset` keeps the values of a namespace that was stopped and not used since.
  await bindings.KV.list({ limit: 1 });
  await reset();
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

/** Its alarm would write to KV as well. */
async function waitForArtifactRecord(): Promise<void> {
  if ((await listDurableObjectIds(bindings.SOURCE_MAPS)).length === 0) return;
  await runInDurableObject(sourceMapsObject(), async (object: SourceMaps, { storage }) => {
    await storage.deleteAlarm();
    await object.waitForRecord();
  }).catch(() => undefined);
}
