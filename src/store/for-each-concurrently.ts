/** Limits concurrency to the six open connections of a Durable Object. */

const MAX_CONCURRENT = 4;

/** Runs `work` for every item, in order, at most `MAX_CONCURRENT` at a time. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const runWorker = async () => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, runWorker));
}
