// From a throw to its report on the desk, at low load: an event is posted, and its issue is asked for until the event is in it.
// The clock starts when the post does.

import { setTimeout as sleep } from "node:timers/promises";
import { idOf } from "../torture/bodies.mjs";
import { createClient } from "../torture/client.mjs";
import { openDisk } from "./disk.mjs";
import { envelope } from "./envelopes.mjs";
import { quantile } from "./quantiles.mjs";
import { startRig } from "./rig.mjs";

/** Apart so far: ten a second. */
const APART_MS = 100;
const PATIENCE_MS = 5_000;
const WARM_UP = 20;

/**
 * @typedef {object} Latency
 * @property {number} events
 * @property {number} p50Ms until it is found
 * @property {number} p99Ms
 * @property {number} acknowledgedP50Ms
 * @property {number} acknowledgedP99Ms
 * @property {number} diskP50Ms of a write of the disk alone, behind each event
 * @property {number} diskP99Ms
 * @property {number} lost
 */

/**
 * @param {{ worker: string, events: number }} options
 * @returns {Promise<Latency>}
 */
export async function latency({ worker, events }) {
  const rig = await startRig(worker);
  const client = createClient(() => rig.port);
  /** @type {number[]} */
  const found = [];
  /** @type {number[]} */
  const acknowledged = [];
  /** @type {number[]} */
  const written = [];
  const disk = openDisk(rig.folder);
  let lost = 0;
  for (let n = 0; n < events + WARM_UP; n++) {
    await sleep(APART_MS);
    const id = idOf(2, `latency ${n}`);
    const body = envelope("mixed", n, id);
    const beganMs = performance.now();
    const { outcomes } = await client.post(body);
    const acknowledgedMs = performance.now() - beganMs;
    const digest = outcomes[0]?.digest;
    const isThere = await seen(client, digest ?? "", id, beganMs + PATIENCE_MS);
    const foundMs = performance.now() - beganMs;
    if (n < WARM_UP) continue;
    if (!isThere) lost++;
    found.push(foundMs);
    acknowledged.push(acknowledgedMs);
    written.push(disk.write());
  }
  client.close();
  disk.close();
  await rig.stop();
  return {
    events,
    p50Ms: quantile(found, 0.5),
    p99Ms: quantile(found, 0.99),
    acknowledgedP50Ms: quantile(acknowledged, 0.5),
    acknowledgedP99Ms: quantile(acknowledged, 0.99),
    diskP50Ms: quantile(written, 0.5),
    diskP99Ms: quantile(written, 0.99),
    lost,
  };
}

/** @param {import("../torture/client.mjs").Client} client @param {string} digest @param {string} id @param {number} untilMs */
async function seen(client, digest, id, untilMs) {
  while (performance.now() < untilMs) {
    const issue = await client.json(`/d/${digest}.json`);
    /** @type {readonly { id: string }[]} */
    const latest = issue?.latest ?? [];
    if (latest.some((mark) => mark.id === id)) return true;
  }
  return false;
}
