// Events a second and CPU an event: each mix on a Worker of its own and the bare Worker beside them, round after round in turn,
// so that whatever else the machine does meets all of them alike.

import { mixes } from "./envelopes.mjs";
import { findable } from "./findable.mjs";
import { startRig } from "./rig.mjs";
import { median, playRound } from "./round.mjs";

const CONNECTIONS = [1, 32];
const ROUNDS = 3;
/** How long each Worker is warmed up, in the length of a round. */
export const WARM_UP_ROUNDS = 3;

/** @typedef {import("./envelopes.mjs").Mix | "bare"} Case */
/**
 * @typedef {object} Line medians over the rounds; `times` is the CPU in multiples of the bare Worker's
 * @property {Case} name
 * @property {number} connections
 * @property {number} perSecond
 * @property {number} cpuUs
 * @property {number} times
 * @property {number} p50Ms
 * @property {number} p99Ms
 */
/** @typedef {{ name: Case, acknowledged: number, found: number, failed: number, wrong: readonly string[] }} Found */
/** @typedef {{ rounds: number, roundMs: number, lines: readonly Line[], found: readonly Found[] }} Throughput */

/**
 * @param {object} options
 * @param {string} options.worker
 * @param {import("./round.mjs").Sender} options.sender
 * @param {number} options.roundMs
 * @param {(text: string) => void} options.progress
 * @returns {Promise<Throughput>}
 */
export async function throughput({ worker, sender, roundMs, progress }) {
  /** @type {Case[]} */
  const names = ["bare", ...mixes];
  const cases = [];
  for (const name of names) {
    const rig = await startRig(name === "bare" ? "bare" : worker);
    const mix = name === "bare" ? "one issue" : name;
    cases.push({ name, mix, rig, nextN: 0, sents: [], rounds: new Map() });
  }
  /** @param {typeof cases[number]} one @param {number} connections @param {number} ms */
  const play = async (one, connections, ms) => {
    const { mix, rig, nextN } = one;
    const { sent, round } = await playRound(sender, rig, { mix, connections, ms, firstN: nextN });
    one.nextN = sent.nextN;
    /** @type {import("./sender.mjs").Sent[]} */ (one.sents).push(sent);
    return round;
  };
  try {
    // The engine compiles what runs often, the more of it the longer: a Worker that has just begun would be measured.
    for (const one of cases) await play(one, 32, WARM_UP_ROUNDS * roundMs);
    for (let nth = 1; nth <= ROUNDS; nth++) {
      for (const connections of CONNECTIONS) {
        for (const one of cases) {
          progress(`round ${nth} of ${ROUNDS}, ${connections} connections: ${one.name}`);
          const round = await play(one, connections, roundMs);
          one.rounds.set(connections, [...(one.rounds.get(connections) ?? []), round]);
        }
      }
    }
    const found = [];
    for (const { name, rig, sents } of cases.slice(1)) {
      progress(`everything is looked for: ${name}`);
      found.push({ name, ...(await findable(rig, sents)) });
    }
    return { rounds: ROUNDS, roundMs, lines: linesOf(cases), found };
  } finally {
    for (const { rig } of cases) await rig.stop();
  }
}

/** @param {readonly { name: Case, rounds: Map<number, import("./round.mjs").Round[]> }[]} cases @returns {Line[]} */
function linesOf(cases) {
  return CONNECTIONS.flatMap((connections) => {
    const lines = cases.map(({ name, rounds }) => {
      const of = (/** @type {keyof import("./round.mjs").Round} */ what) =>
        median((rounds.get(connections) ?? []).map((round) => round[what]));
      const figures = { perSecond: of("perSecond"), p50Ms: of("p50Ms"), p99Ms: of("p99Ms") };
      return { name, connections, cpuUs: of("cpuUs"), ...figures };
    });
    const bareUs = lines[0]?.cpuUs ?? 1;
    return lines.map((line) => ({ ...line, times: line.cpuUs / bareUs }));
  });
}
