/** Many calls, a few at a time: an object may have six connections open at once. */

const MAX_CONCURRENT = 4;

/** Resolves when `work` has been done for every item, at most four at once, in the order in which they stand. */
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
