// Chance that comes out the same for the same seed.

/** Draws numbers, choices and ids; each depends on the seed and on how many were drawn before. */
export class Chance {
  /** @param {number} seed a whole number */
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, and without, 1 (Mulberry32). */
  number() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and without, `end`. @param {number} end */
  below(end) {
    return Math.floor(this.number() * end);
  }

  /** One of a list that has some. @template T @param {readonly T[]} list @returns {T} */
  of(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }

  /** 32 lower-case hex characters. */
  id() {
    const part = () => Math.floor(this.number() * 2 ** 32);
    return Array.from({ length: 4 }, () => part().toString(16).padStart(8, "0")).join("");
  }
}
