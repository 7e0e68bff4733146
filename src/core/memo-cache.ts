/**
 * What a pure function made of a text, remembered for the next reports: those of one application name the same files, functions and
 * fields. Bounded, and nothing hangs on it: whoever fills it with other texts makes it forget, and no more.
 */
import { flattenString } from "./flatten-string.ts";

/** When there are so many it begins anew … */
const MAX_ENTRIES = 1_000;
/** … and longer ones are not remembered: a megabyte at most, in each memory. */
const MAX_KEY_CHARS = 500;

/** Results by the text that they were made of. */
export class MemoCache<T> {
  readonly #results = new Map<string, T>();

  /** What was remembered; undefined for a text that is new, long, or forgotten. */
  get(key: string): T | undefined {
    return this.#results.get(key);
  }

  /** What was remembered, else what is made of it now. */
  getOrCreate(key: string, create: (key: string) => T): T {
    const cached = this.#results.get(key);
    if (cached !== undefined) return cached;
    const created = create(key);
    this.set(key, created);
    return created;
  }

  /** Remembers a result, unless its text is too long. */
  set(key: string, result: T): void {
    if (key.length > MAX_KEY_CHARS) return;
    if (this.#results.size >= MAX_ENTRIES) this.#results.clear();
    this.#results.set(flattenString(key), result);
  }
}
