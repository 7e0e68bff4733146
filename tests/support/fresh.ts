/** Empties the store for the next test, after the index has finished its pending writes to KV. */
import { reset, runInDurableObject } from "cloudflare:test";
import type { ProjectIndex } from "../../src/store/index/project-index.ts";
import { bindings, index } from "./store.ts";

/**
 * Empties every binding. A later put would look like the data of a project whose objects were lost.
 */
export async function fresh(): Promise<void> {
  await waitForSnapshots();
  // The alarm would write while the bindings are emptied.
  await runInDurableObject(index(), (_: ProjectIndex, { storage }) => storage.deleteAlarm()).catch(
    () => undefined,
  );
  await waitForSnapshots();
  // `reset` keeps the values of a namespace that was stopped and not used since.
  await bindings.KV.list({ limit: 1 });
  await reset();
}

async function waitForSnapshots(): Promise<void> {
  await index()
    .waitForSnapshots()
    .catch(() => undefined);
}
