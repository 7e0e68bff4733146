// One round: a mix is sent to a Worker for a while, and what that cost is counted until the Worker has come to rest: copies and
// counting behind the answers belong to the price of an event.

import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A chunk is closed a second after its first report. */
const QUIET_MS = 1_300;
const MAX_REST_MS = 8_000;

/**
 * @typedef {object} Round
 * @property {number} events acknowledged
 * @property {number} failed
 * @property {number} perSecond
 * @property {number} cpuUs for each event, everything behind its answer included
 * @property {number} p50Ms
 * @property {number} p99Ms
 */
/** @typedef {import("./sender.mjs").Sent} Sent */
/** @typedef {ReturnType<typeof startSender>} Sender */

/** Starts the sender's process. */
export function startSender() {
  const child = fork(fileURLToPath(new URL("sender.mjs", import.meta.url)));
  return {
    /** @param {import("./sender.mjs").Order} order @returns {Promise<Sent>} */
    async send(order) {
      child.send(order);
      const [sent] = await once(child, "message");
      return sent;
    },
    stop() {
      child.kill();
    },
  };
}

/**
 * @param {Sender} sender
 * @param {import("./rig.mjs").Rig} rig
 * @param {Omit<import("./sender.mjs").Order, "port">} order
 * @returns {Promise<{ sent: Sent, round: Round }>}
 */
export async function playRound(sender, rig, order) {
  const sent = await sender.send({ ...order, port: rig.port });
  await rest(rig);
  const { answered, failed, tookMs, p50Ms, p99Ms } = sent;
  const cpuUs = rig.cpuUs() / answered;
  const perSecond = (answered * 1000) / tookMs;
  return { sent, round: { events: answered, failed, perSecond, cpuUs, p50Ms, p99Ms } };
}

/** Resolves when nothing has been put into KV for a while. @param {import("./rig.mjs").Rig} rig */
export async function rest({ kv }) {
  const untilMs = performance.now() + MAX_REST_MS;
  let before = -1;
  while (before !== kv.figures.puts && performance.now() < untilMs) {
    before = kv.figures.puts;
    await sleep(QUIET_MS);
  }
}

/** The middle one. @param {readonly number[]} numbers */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
