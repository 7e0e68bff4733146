/** Many calls, a few at a time: an object may have six connections open at once. */

const LANES = 4;

/** Resolves when `work` has been done for every item, at most four at once, in the order in which they stand. */
export async function inLanes<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
