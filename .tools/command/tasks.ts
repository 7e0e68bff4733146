import { setTimeout as sleep } from "node:timers/promises";

/** Works on every item, in order, with at most `lanes` at a time. */
export async function runInLanes<T>(
  items: Iterable<T>,
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Checks a condition every `everyMs`. Resolves to true when it holds, to false after `maxMs`. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  { maxMs, everyMs }: { maxMs: number; everyMs: number },
): Promise<boolean> {
  for (const untilMs = performance.now() + maxMs; performance.now() < untilMs; ) {
    if (await isSo()) return true;
    await sleep(everyMs);
  }
  return false;
}
