/** Empties the store for the next test, after the index has finished its pending writes to KV. */
import { reset } from "cloudflare:test";
import { index } from "./store.ts";

/**
 * Empties every binding. A later put would look like the data of a project whose objects were lost.
 */
export async function fresh(): Promise<void> {
  await index()
    .waitForSnapshots()
    .catch(() => undefined);
  await reset();
}
