/** A store with nothing in it, for the next test: what the index of this one still has on its way into KV ends first. */
import { reset } from "cloudflare:test";
import { index } from "./store.ts";

/** Empties every binding. A put that came after it would look like the record of a project that has lost its memory. */
export async function fresh(): Promise<void> {
  await index()
    .waitForSnapshots()
    .catch(() => undefined);
  await reset();
}
