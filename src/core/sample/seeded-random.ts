/** Reproducible random numbers: the same seed gives the same sequence. */
import { fnv1a } from "../fnv1a.ts";

/** Random numbers, choices and ids from a seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = fnv1a(seed);
  }

  /** A number in [0, 1). Mulberry32: 32 bits of state, enough for a few thousand draws. */
  nextFloat(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `end` - 1. */
  nextInt(end: number): number {
    return Math.floor(this.nextFloat() * end);
  }

  /** A random member of the list. Throws on an empty list. */
  pick<T>(list: readonly T[]): T {
    const [first] = list;
    if (first === undefined) throw new RangeError("A choice needs something to choose from.");
    return list[this.nextInt(list.length)] ?? first;
  }

  /** 32 lower-case hex characters, as an event id. */
  nextHexId(): string {
    const part = () => Math.floor(this.nextFloat() * 2 ** 32);
    return Array.from({ length: 4 }, () => part().toString(16).padStart(8, "0")).join("");
  }
}
