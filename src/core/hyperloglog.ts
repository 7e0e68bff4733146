/**
 * How many people an issue has met, without keeping who: a HyperLogLog of 256 registers. Of each visitor two numbers stay that
 * thousands share, a register and a rank; what a visitor is called is hashed and forgotten. The standard error is 6.5 %, and for a
 * handful next to nothing.
 * Source: Flajolet et al., HyperLogLog (2007) § 4, with linear counting for small numbers.
 */

const REGISTERS = 256;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);
/** Ranks are base 36: one character each. */
const RANK_BITS = 32;

/** What is kept of a visitor: a register as two hex characters, and a rank. `hash` has at least five bytes. */
export function createUserSketch(hash: Uint8Array): string {
  const [register = 0] = hash;
  let bits = 0;
  for (let at = 1; at <= RANK_BITS / 8; at++) bits = ((bits << 8) | (hash[at] ?? 0)) >>> 0;
  const rank = Math.min(Math.clz32(bits) + 1, 35);
  return register.toString(16).padStart(2, "0") + rank.toString(36);
}

/** A sketch with these visitors added: one as above, or a whole sketch. A sketch has one character for each register. */
export function mergeUserSketches(sketch: string | undefined, other: string): string {
  const registers = sketch ?? "0".repeat(REGISTERS);
  if (other.length === REGISTERS) {
    return Array.from(registers, (rank, at) => maxRank(rank, other.charAt(at))).join("");
  }
  const at = Number.parseInt(other.slice(0, 2), 16);
  const rank = other.charAt(2);
  if (!(at >= 0) || maxRank(registers.charAt(at), rank) === registers.charAt(at)) return registers;
  return registers.slice(0, at) + rank + registers.slice(at + 1);
}

/** About how many different visitors a sketch has seen; 0 for none. */
export function estimateUserCount(sketch: string | undefined): number {
  if (sketch === undefined) return 0;
  let sum = 0;
  let empty = 0;
  // Done whenever an issue is counted: a list of ranks made it a twentieth of what the index does.
  for (let at = 0; at < sketch.length; at++) {
    const rank = parseRank(sketch.charCodeAt(at));
    sum += 2 ** -rank;
    if (rank === 0) empty += 1;
  }
  const estimate = (ALPHA * REGISTERS ** 2) / sum;
  const isSmall = estimate <= 2.5 * REGISTERS && empty > 0;
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate);
}

/** The rank of a character in base 36. */
function parseRank(charCode: number): number {
  return charCode < 58 ? charCode - 48 : charCode - 87;
}

function maxRank(a: string, b: string): string {
  return Number.parseInt(b, 36) > Number.parseInt(a, 36) ? b : a;
}
