import { setTimeout as sleep } from "node:timers/promises";

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
