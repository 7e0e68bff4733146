// The sender, a process of its own whose CPU is not counted: as many connections as it is told, each of which sends the next
// event when the last one was answered.

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { outcomesOf } from "../outcomes.mjs";
import { idOf } from "../torture/bodies.mjs";
import { envelope, headers } from "./envelopes.mjs";
import { ENVELOPES } from "./rig.mjs";

/**
 * @typedef {object} Order
 * @property {number} port
 * @property {import("./envelopes.mjs").Mix} mix
 * @property {number} connections
 * @property {number} ms
 * @property {number} firstN numbers of events begin here
 * @property {number} [perSecond] not faster than this
 */
/**
 * @typedef {object} Sent
 * @property {number} answered with 200
 * @property {number} failed
 * @property {number} tookMs
 * @property {number} nextN
 * @property {number} p50Ms from the request to the end of its answer
 * @property {number} p99Ms
 * @property {[digest: string, count: number][]} digests
 * @property {string[]} ids some of those that were acknowledged, evenly spread
 */

const SAMPLE = 200;

process.on("message", (order) => {
  void send(/** @type {Order} */ (order)).then((sent) => process.send?.(sent));
});

/** @param {Order} order @returns {Promise<Sent>} */
async function send({ port, mix, connections, ms, firstN, perSecond }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const to = { host: "127.0.0.1", port, path: ENVELOPES, method: "POST" };
  const options = { ...to, headers: { ...headers, "cf-connecting-ip": "203.0.113.7" }, agent };
  /** @type {Map<string, number>} */
  const digests = new Map();
  /** @type {string[]} */
  const ids = [];
  /** @type {number[]} */
  const times = [];
  let failed = 0;
  let n = firstN;
  const beganMs = performance.now();
  const lane = async () => {
    for (;;) {
      const sentMs = performance.now();
      if (sentMs - beganMs >= ms) return;
      const earlyMs = perSecond ? beganMs + ((n - firstN) * 1000) / perSecond - sentMs : 0;
      const id = idOf(1, `${mix} ${n}`);
      const body = envelope(mix, n++, id);
      if (earlyMs > 0) await sleep(earlyMs);
      const answer = await exchange(options, body);
      if (answer?.statusCode !== 200) {
        failed++;
        continue;
      }
      times.push(performance.now() - sentMs);
      ids.push(id);
      const [outcome] = outcomesOf(String(answer.headers["errata-outcome"] ?? ""));
      if (outcome) digests.set(outcome.digest, (digests.get(outcome.digest) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const tookMs = performance.now() - beganMs;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    answered: ids.length,
    failed,
    tookMs,
    nextN: n,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    digests: [...digests],
    ids: ids.filter((_, i) => i % Math.ceil(ids.length / SAMPLE) === 0),
  };
}

/** The answer when all of it has come; null without one. @param {import("node:http").RequestOptions} options
 * @param {string} body @returns {Promise<import("node:http").IncomingMessage | null>} */
function exchange(options, body) {
  return new Promise((resolve) => {
    const sent = request(options, (response) => {
      response.on("end", () => resolve(response));
      response.on("error", () => resolve(null));
      response.resume();
    });
    sent.on("error", () => resolve(null));
    sent.end(body);
  });
}
