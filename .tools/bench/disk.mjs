// How long the disk itself takes to keep something: what an acknowledgement waits for, whatever the product does.

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "./quantiles.mjs";

const WRITES = 100;
const APART_MS = 20;
/** Two pages of SQLite, as a commit of one event is. */
const BYTES = 8_192;

/**
 * Writes to a file in `folder`, one `fsync` each, and times them.
 *
 * @param {string} folder
 * @returns {Promise<{ p50Ms: number, p99Ms: number }>}
 */
export async function disk(folder) {
  const file = openSync(join(folder, "disk"), "w");
  const block = new Uint8Array(BYTES);
  /** @type {number[]} */
  const took = [];
  for (let n = 0; n < WRITES; n++) {
    await sleep(APART_MS);
    const beganMs = performance.now();
    writeSync(file, block);
    fsyncSync(file);
    took.push(performance.now() - beganMs);
  }
  closeSync(file);
  return { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}
