// KV as seen from one location: a value or a miss is served for up to a minute after it was read
// there, even if the value changes meanwhile.

/** The longest delay that KV documents. */
const STALE_MS = 60_000;

/**
 * A view of the values that stays stale until it is refreshed.
 */
export function createView<T>(values: ReadonlyMap<string, T>) {
  const cache: Map<string, { value: T | undefined; untilMs: number }> = new Map();
  const figures = { all: 0, stale: 0, missesKept: 0 };
  let isStale = true;

  return {
    figures,
    /** The value, or the value that was read before; undefined for a miss. */
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
    /** Makes reads current from now on. */
    refresh() {
      isStale = false;
    },
  };
}
