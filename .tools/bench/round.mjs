// One round: a case is played for a while, and what that cost is counted until the Worker has come to rest: copies and counting
// behind the answers belong to the price of an event.

import { setTimeout as sleep } from "node:timers/promises";

/** A chunk is closed a second after its first report. */
const QUIET_MS = 1_300;
const LOOK_MS = 100;
const MAX_REST_MS = 8_000;

/**
 * @typedef {object} Round
 * @property {number} answered
 * @property {number} failed
 * @property {readonly (readonly [why: string, count: number])[]} failures
 * @property {number} perSecond
 * @property {number} cpuUs for each request, everything behind its answer included
 * @property {number} p50Ms
 * @property {number} p99Ms
 */

/**
 * @param {import("./player.mjs").Player} player
 * @param {import("./rig.mjs").Rig} rig
 * @param {{ connections: number, ms: number, amount: number, isWriting: boolean }} how
 * @returns {Promise<Round>}
 */
export async function playRound(player, rig, how) {
  const { connections, ms, amount, isWriting } = how;
  // Snapshots that still take turns while others play are no part of this round: there they would be as many as it is long.
  rig.cpuUs();
  const sent = await player.play(connections, ms, amount);
  if (isWriting) await rest(rig);
  const { answered, failed, failures, tookMs, p50Ms, p99Ms } = sent;
  const cpuUs = rig.cpuUs() / answered;
  const perSecond = (answered * 1000) / tookMs;
  return { answered, failed, failures, perSecond, cpuUs, p50Ms, p99Ms };
}

/**
 * Resolves when no chunk has been put into KV for a while. Snapshots are not waited for: they take turns, one a second, whatever
 * the rate is.
 *
 * @param {import("./rig.mjs").Rig} rig
 */
export async function rest({ kv }) {
  const chunks = () => [...kv.values.keys()].filter((key) => key.startsWith("c/")).length;
  const untilMs = performance.now() + MAX_REST_MS;
  let before = chunks();
  for (let quietMs = 0; quietMs < QUIET_MS && performance.now() < untilMs; quietMs += LOOK_MS) {
    await sleep(LOOK_MS);
    const now = chunks();
    if (now !== before) quietMs = 0;
    before = now;
  }
}
