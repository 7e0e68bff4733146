// What the project wants of these figures, and whether it is so.

import { MANY } from "./cases.mjs";
import { mixes } from "./envelopes.mjs";

/** CPU of an event, in multiples of a bare Worker's. */
const TIMES_BARE = 4;
const PER_SECOND = 2_500;
/** Above an empty Worker. */
const START_MS = 30;
const KV_WRITES_PER_MILLION = 8_000;
const FINDABLE_MS = 100;

/** @typedef {{ what: string, wanted: number, is: number, isAtLeast?: boolean }} Goal at most `wanted`, unless at least */

/** Every goal that was measured. @param {import("./table.mjs").Results} results @returns {readonly Goal[]} */
export function goalsOf({ rounds: { lines }, coldStart = [], written = [], latency }) {
  const own = lines.filter(({ of, connections }) => of === "this" && connections === MANY);
  const lineOf = (/** @type {string} */ name) => own.find((line) => line.name === name);
  const rendered = RENDERED.flatMap(([name, wanted]) => {
    const line = lineOf(name);
    if (!line?.plain) return [];
    return [{ what: `${line.what}: CPU × plain react-dom`, wanted, is: line.plain.times }];
  });
  const taken = mixes.flatMap((name) => lineOf(name) ?? []);
  const start = coldStart.find(({ worker, path }) => worker === "built" && path === "report");
  return [
    ...rendered,
    ...taken.flatMap(({ what, bare }) => {
      return bare === null
        ? []
        : [{ what: `${what}: CPU × bare`, wanted: TIMES_BARE, is: bare.times }];
    }),
    ...taken.map(({ what, perSecond }) => {
      return {
        what: `${what}: requests a second`,
        wanted: PER_SECOND,
        is: perSecond,
        isAtLeast: true,
      };
    }),
    ...(start
      ? [{ what: "Worker start, ms above an empty one", wanted: START_MS, is: start.aboveMs }]
      : []),
    ...written.map(({ mix, chunkPuts, snapshotPuts }) => {
      const is = (chunkPuts + snapshotPuts) * 1e6;
      return { what: `KV writes of a million reports, ${mix}`, wanted: KV_WRITES_PER_MILLION, is };
    }),
    ...(latency
      ? [{ what: "throw to findable, p99 ms", wanted: FINDABLE_MS, is: latency.p99Ms }]
      : []),
  ];
}

/** @type {readonly (readonly [name: string, times: number])[]} */
const RENDERED = [
  ["fixture", 0.28],
  ["list-changed", 0.28],
  ["list", 0.18],
];

/** `not reached: 0.60 instead of 0.28`. @param {Goal} goal */
export function verdictOf({ wanted, is, isAtLeast = false }) {
  const isReached = isAtLeast ? is >= wanted : is <= wanted;
  return isReached
    ? `reached: ${figure(is)}`
    : `not reached: ${figure(is)} instead of ${figure(wanted)}`;
}

/** @param {number} value */
function figure(value) {
  if (value < 100 && !Number.isInteger(value)) return value.toFixed(value < 10 ? 2 : 1);
  return Math.round(value).toLocaleString("en-GB");
}
