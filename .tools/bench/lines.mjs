// From rounds to figures: medians, and the ratios of each round, in which both sides met the same machine.

import { median } from "./quantiles.mjs";

/**
 * @typedef {object} Line medians over the rounds; null where there is nothing to compare with
 * @property {string} name the case
 * @property {string} what
 * @property {"this" | "other"} of
 * @property {number} connections
 * @property {boolean} isDerived its CPU is what is left of a sequence: times are not told apart
 * @property {number} cpuUs
 * @property {Ratio | null} bare the CPU in multiples of the bare Worker's
 * @property {Ratio | null} plain in multiples of the same markup's by plain `react-dom/server`
 * @property {Ratio | null} other in multiples of the other revision's
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} failed
 * @property {readonly string[]} failures how, round by round
 */
/** @typedef {{ times: number, spread: number }} Ratio `spread` from the smallest to the largest, as a share of the median */
/** @typedef {import("./contestants.mjs").Contestant} Contestant */
/** @typedef {import("./round.mjs").Round} Round */

/** @param {readonly Contestant[]} contestants @returns {Line[]} */
export function linesOf(contestants) {
  /** A case's rounds. @param {string | undefined} name @param {string} of @param {number} connections @returns {readonly Round[]} */
  const roundsOf = (name, of, connections) => {
    const one = contestants.find((other) => other.case.name === name && other.of === of);
    const rounds = one?.rounds.get(connections) ?? [];
    const less = one?.case.less;
    if (one === undefined || less === undefined) return rounds;
    return without(rounds, one.case.asks.length, roundsOf(less, of, connections));
  };
  return contestants.flatMap(({ case: { name, what, connections: all, bare, plain, less }, of }) =>
    all.map((connections) => {
      const rounds = roundsOf(name, of, connections);
      const good = rounds.filter(({ answered }) => answered > 0);
      /** @param {Exclude<keyof Round, "failures">} figure */
      const medianOf = (figure) => median(good.map((round) => round[figure]));
      return {
        ...{ name, what, of, connections, isDerived: less !== undefined },
        cpuUs: medianOf("cpuUs"),
        // What is the same in every revision is this one's.
        bare: ratioOf(rounds, roundsOf(bare, "this", connections)),
        plain: ratioOf(rounds, roundsOf(plain, "this", connections)),
        other: of === "this" ? ratioOf(rounds, roundsOf(name, "other", connections)) : null,
        perSecond: medianOf("perSecond"),
        p50Ms: medianOf("p50Ms"),
        p99Ms: medianOf("p99Ms"),
        failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
        failures: rounds.flatMap(({ failures }) => failures.map((one) => one.join(" ×"))),
      };
    }),
  );
}

/**
 * The rounds of what is asked last of `asks`, when all that goes before costs what the `others` cost: the CPU of all without
 * theirs.
 *
 * @param {readonly Round[]} rounds
 * @param {number} asks
 * @param {readonly Round[]} others
 */
function without(rounds, asks, others) {
  return rounds.map((round, i) => {
    const otherUs = others[i]?.cpuUs ?? Number.NaN;
    return { ...round, cpuUs: asks * round.cpuUs - (asks - 1) * otherUs };
  });
}

/** @param {readonly Round[]} rounds @param {readonly Round[]} others @returns {Ratio | null} */
function ratioOf(rounds, others) {
  if (rounds.length === 0 || rounds.length !== others.length) return null;
  // A round in which nothing was answered has no CPU for an answer.
  const ratios = rounds
    .map(({ cpuUs }, i) => cpuUs / (others[i]?.cpuUs ?? Number.NaN))
    .filter((times) => times > 0 && Number.isFinite(times));
  if (ratios.length === 0) return null;
  const times = median(ratios);
  return { times, spread: (Math.max(...ratios) - Math.min(...ratios)) / times };
}
