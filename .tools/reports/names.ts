// Ids, words and markers of generated reports: the same for the same numbers.

import { createHash } from "node:crypto";

/** 32 lower-case hex characters, the same for a seed and a name. */
export function createId(seed: number, name: string) {
  return createHash("sha256").update(`${seed} ${name}`).digest("hex").slice(0, 32);
}

/** `torture-17` or `torture-17.2`: the marker that identifies a stored body. */
export function createMarker(n: number, part?: number) {
  return part === undefined ? `torture-${n}` : `torture-${n}.${part}`;
}

/** The marker in a stored report's line, null without one. */
export function findMarker(line: string) {
  return /torture-\d+(?:\.\d+)?/.exec(line)?.[0] ?? null;
}

/** `the kolumi order was not found`: without digits, so that grouping keeps two errors apart. */
export function nameFault(n: number) {
  return `the ${createWord(n)} order was not found`;
}

/** `kolumi`: a different word for each number from 0. */
export function createWord(n: number) {
  const consonants = "klmnprstvz";
  const vowels = "oui";
  let word = "";
  for (let rest = n + 30; rest > 0; rest = Math.floor(rest / 30)) {
    word += (consonants[rest % 10] ?? "") + (vowels[Math.floor(rest / 10) % 3] ?? "");
  }
  return word;
}
