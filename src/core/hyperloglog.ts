/**
 * Estimates how many users an issue affects without storing who they are: a HyperLogLog of 256
 * registers. For each user it stores only a register and a rank, which thousands of users share.
 * The standard error is 6.5 %; counts below ten are almost exact. Source: Flajolet et al.,
 * HyperLogLog (2007) § 4, with linear counting for small counts.
 */

const REGISTERS = 256;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);
/** Ranks are base 36: one character each. */
const RANK_BITS = 32;

/**
 * The sketch of one user: a register as two hex characters, and a rank. `hash` has at least five
 * bytes.
 */
export function createUserSketch(hash: Uint8Array): string {
  const [register = 0] = hash;
  let bits = 0;
  for (let at = 1; at <= RANK_BITS / 8; at++) bits = ((bits << 8) | (hash[at] ?? 0)) >>> 0;
  const rank = Math.min(Math.clz32(bits) + 1, 35);
  return register.toString(16).padStart(2, "0") + rank.toString(36);
}

/**
 * The union of a sketch with another sketch or with the sketch of one user. A full sketch has one
 * character per register.
 */
export function mergeUserSketches(sketch: string | undefined, other: string): string {
  const registers = sketch ?? "0".repeat(REGISTERS);
  if (other.length === REGISTERS)
    return Array.from(registers, (rank, at) => maxRank(rank, other.charAt(at))).join("");
  const at = Number.parseInt(other.slice(0, 2), 16);
  const rank = other.charAt(2);
  if (!(at >= 0) || maxRank(registers.charAt(at), rank) === registers.charAt(at)) return registers;
  return registers.slice(0, at) + rank + registers.slice(at + 1);
}

/** The estimated number of distinct users in a sketch; 0 without a sketch. */
export function estimateUserCount(sketch: string | undefined): number {
  if (sketch === undefined) return 0;
  let sum = 0;
  let empty = 0;
  // Runs for every counted report, so it builds no array of ranks.
  for (let at = 0; at < sketch.length; at++) {
    const rank = parseRank(sketch.charCodeAt(at));
    sum += 2 ** -rank;
    if (rank === 0) empty += 1;
  }
  const estimate = (ALPHA * REGISTERS ** 2) / sum;
  const isSmall = estimate <= 2.5 * REGISTERS && empty > 0;
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate);
}

/** The rank that a base 36 character encodes. */
function parseRank(charCode: number): number {
  return charCode < 58 ? charCode - 48 : charCode - 87;
}

function maxRank(a: string, b: string): string {
  return Number.parseInt(b, 36) > Number.parseInt(a, 36) ? b : a;
}
