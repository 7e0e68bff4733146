// KV as one place of the world sees it: what was read there is served for up to a minute, whatever has been written since, and so
// is the knowledge that there was nothing.

/** Longer than KV promises to need, for a place that has just read. */
const STALE_MS = 60_000;

/**
 * A view of the values. It is never right about what was read before and has changed since, until it is refreshed.
 */
export function viewOf<T>(values: ReadonlyMap<string, T>) {
  const cache: Map<string, { value: T | undefined; untilMs: number }> = new Map();
  const figures = { all: 0, stale: 0, missesKept: 0 };
  let isStale = true;

  return {
    figures,
    /** The value, or undefined when there is or was none. */
    read(key: string) {
      figures.all++;
      const now = performance.now();
      const kept = cache.get(key);
      if (!isStale || kept === undefined || kept.untilMs <= now) {
        cache.set(key, { value: values.get(key), untilMs: now + STALE_MS });
        return values.get(key);
      }
      if (kept.value !== values.get(key)) figures[kept.value ? "stale" : "missesKept"]++;
      return kept.value;
    },
    /** From now on it sees what stands there. */
    refresh() {
      isStale = false;
    },
  };
}
