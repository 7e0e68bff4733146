// How long each part of the benchmark takes, so that all of it takes about as long as was asked for.

/** Rounds of which the medians are taken. */
export const ROUNDS = 5;
/** Under load, before the first round: the engine compiles what runs often, and behind one second it is still at it. */
export const WARM_UP_MS = 4_000;

/** What a round that writes waits for behind its answers. */
const REST_MS = 2_000;
/** To build and bundle, and to start, seed, look for everything and stop. */
const ONCE_MS = 15_000;
const EACH_TURN_MS = 2_500;
/** Below this a round says nothing. */
const MIN_ROUND_MS = 500;

/**
 * @typedef {object} Plan
 * @property {number} roundMs under load
 * @property {number} writesMs under load, of each mix
 * @property {number} latencyEvents
 */

/** Of the time, for what is written and for how fast it is found: half of it each. */
const BESIDE_SHARE = 0.2;
/** Three mixes; each is warmed up for half of its time, and about as long passes until it has started and come to rest. */
const WRITES_PARTS = 6;
/** From one event of the latency to the next: its distance, and until it is found. */
const LATENCY_EVENT_MS = 150;

/**
 * How long each part may take.
 *
 * @param {object} asked
 * @param {number} asked.seconds
 * @param {number} asked.turns of a round
 * @param {number} asked.writingTurns of them, those that write
 * @param {boolean} asked.isWhole also what is written, and how fast it is found
 * @returns {Plan}
 */
export function planOf({ seconds, turns, writingTurns, isWhole }) {
  const ms = seconds * 1000;
  const besideMs = isWhole ? (ms * BESIDE_SHARE) / 2 : 0;
  const loadMs =
    ms - 2 * besideMs - ONCE_MS - turns * EACH_TURN_MS - writingTurns * ROUNDS * REST_MS;
  return {
    roundMs: Math.max(MIN_ROUND_MS, (loadMs / turns - WARM_UP_MS) / ROUNDS),
    writesMs: besideMs / WRITES_PARTS,
    latencyEvents: Math.floor(besideMs / LATENCY_EVENT_MS),
  };
}
