/** Chance that comes out the same every time: what is made of one seed is always the same. */
import { fnv1a } from "../fnv1a.ts";

/** Numbers, choices and ids, each depending on the seed and on how many were drawn before. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = fnv1a(seed);
  }

  /** From 0 up to, and without, 1. Mulberry32: 32 bits of state, enough for a few thousand draws. */
  nextFloat(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and without, `end`. */
  nextInt(end: number): number {
    return Math.floor(this.nextFloat() * end);
  }

  /** One of the list. Throws on an empty one. */
  pick<T>(list: readonly T[]): T {
    const [first] = list;
    if (first === undefined) throw new RangeError("A choice needs something to choose from.");
    return list[this.nextInt(list.length)] ?? first;
  }

  /** 32 lower-case hex characters: an event's id. */
  nextHexId(): string {
    const part = () => Math.floor(this.nextFloat() * 2 ** 32);
    return Array.from({ length: 4 }, () => part().toString(16).padStart(8, "0")).join("");
  }
}
