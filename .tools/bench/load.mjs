// The load: autocannon in a process of its own, whose CPU is not counted. As many connections as it is told, each of which sends
// the next request when the last one was answered. A run is bounded three times: by its number of requests, by a time for all of
// it, and by a time for each answer. The number is what ends it, so that every request is answered before the run is over:
// a time would cut off those that are on their way, and what was stored of them would be found without an acknowledgement.

import autocannon from "autocannon";
import { outcomesOf } from "../outcomes.mjs";
import { requestOf } from "./asks.mjs";
import { quantile } from "./quantiles.mjs";

/**
 * @typedef {object} Order
 * @property {number} port
 * @property {readonly import("./asks.mjs").Ask[]} asks what each connection sends in turn, again and again
 * @property {number} connections
 * @property {number} amount of requests
 * @property {number} maxSeconds
 * @property {number} firstN numbers of bodies begin here
 */
/**
 * @typedef {object} Sent
 * @property {number} answered as it should be
 * @property {number} failed
 * @property {[why: string, count: number][]} failures by the status of the answer, or "no answer"
 * @property {number} tookMs until the last answer
 * @property {number} nextN
 * @property {number} p50Ms from the request to the end of its answer
 * @property {number} p99Ms
 * @property {[digest: string, count: number][]} digests
 * @property {string[]} ids some of those that were acknowledged, evenly spread
 */

const SAMPLE = 200;
const ANSWER_PATIENCE_SECONDS = 30;
/** How often autocannon looks whether all is done. */
const LOOK_MS = 50;

process.on("message", (order) => {
  void send(/** @type {Order} */ (order)).then((sent) => process.send?.(sent));
});

/** @param {Order} order @returns {Promise<Sent>} */
async function send({ port, asks, connections, amount, maxSeconds, firstN }) {
  const heard = createLedger();
  let n = firstN;
  /** @param {import("./asks.mjs").Ask} ask @returns {autocannon.Request} */
  const asAutocannon = (ask) => {
    const { body, ...request } = requestOf(ask);
    /** @type {(status: number, text: string, context: { id?: string }, headers: Headers) => void} */
    const onResponse = (status, text, { id }, headers) => {
      // A page that follows an event has its context: that id was acknowledged with the event.
      if (isGood(ask, status, text)) heard.answer(body === undefined ? undefined : id, headers);
      else heard.fail(String(status));
    };
    if (body === undefined) return /** @type {autocannon.Request} */ ({ ...request, onResponse });
    /** @type {(request: autocannon.Request, context: { id?: string }) => autocannon.Request} */
    const setupRequest = (request, context) => {
      const sent = body(n++);
      context.id = sent.id;
      return { ...request, body: sent.body };
    };
    return /** @type {autocannon.Request} */ ({ ...request, setupRequest, onResponse });
  };
  const beganMs = performance.now();
  let tookMs = 0;
  /** @type {number[]} */
  const times = [];
  await new Promise((resolve, reject) => {
    const options = {
      url: `http://127.0.0.1:${port}`,
      requests: asks.map(asAutocannon),
      connections,
      maxOverallRequests: amount,
      duration: maxSeconds,
      timeout: ANSWER_PATIENCE_SECONDS,
      sampleInt: LOOK_MS,
    };
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on("response", (_client, _status, _bytes, ms) => {
      times.push(ms);
      tookMs = performance.now() - beganMs;
    });
  });
  const { ids, digests, failures } = heard;
  const answered = heard.answered();
  heard.fail("no answer", amount - times.length);
  return {
    answered,
    failed: amount - answered,
    failures: [...failures],
    tookMs,
    nextN: n,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    digests: [...digests],
    ids: ids.filter((_, i) => i % Math.ceil(ids.length / SAMPLE) === 0),
  };
}

/** @param {import("./asks.mjs").Ask} ask @param {number} status @param {string} text */
function isGood(ask, status, text) {
  // A browser's reports are answered with 204.
  if (ask.kind !== "page") return status === 200 || status === 204;
  return status === (ask.status ?? 200) && (ask.end === undefined || text.includes(ask.end));
}

/** @typedef {Readonly<Record<string, string>>} Headers by their names as the Worker writes them */

/** What was acknowledged. */
function createLedger() {
  /** @type {Map<string, number>} */
  const digests = new Map();
  /** @type {string[]} */
  const ids = [];
  /** @type {Map<string, number>} */
  const failures = new Map();
  let answered = 0;
  return {
    digests,
    ids,
    failures,
    answered: () => answered,
    /** @param {string} why @param {number} [count] */
    fail(why, count = 1) {
      if (count > 0) failures.set(why, (failures.get(why) ?? 0) + count);
    },
    /** @param {string | undefined} id @param {Headers} headers */
    answer(id, headers) {
      answered++;
      if (id) ids.push(id);
      for (const { digest } of outcomesOf(headers["Errata-Outcome"] ?? "")) {
        if (digest) digests.set(digest, (digests.get(digest) ?? 0) + 1);
      }
    },
  };
}
