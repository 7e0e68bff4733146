/**
 * A bounded cache for pure functions of a text. The reports of one application repeat the same
 * files, functions and fields. The cache never affects results; flooding it only causes
 * recomputation.
 */
import { flattenString } from "./flatten-string.ts";

/** Entries by default. A full cache is cleared. */
const MAX_ENTRIES = 1_000;
/** Longer keys are not cached, which limits a cache to about 1 MB. */
const MAX_KEY_CHARS = 500;

/** Results by key. */
export class MemoCache<T> {
  readonly #results = new Map<string, T>();
  readonly #maxEntries: number;

  constructor(maxEntries = MAX_ENTRIES) {
    this.#maxEntries = maxEntries;
  }

  /** The cached result; undefined for a key that is new, too long, or cleared. */
  get(key: string): T | undefined {
    return this.#results.get(key);
  }

  /** The cached result, otherwise the result of `create`. */
  getOrCreate(key: string, create: (key: string) => T): T {
    const cached = this.#results.get(key);
    if (cached !== undefined) return cached;
    const created = create(key);
    this.set(key, created);
    return created;
  }

  /** Caches a result unless its key is too long. */
  set(key: string, result: T): void {
    if (key.length > MAX_KEY_CHARS) return;
    if (this.#results.size >= this.#maxEntries) this.#results.clear();
    this.#results.set(flattenString(key), result);
  }
}
