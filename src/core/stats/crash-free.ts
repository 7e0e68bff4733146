/** How many of a release's sessions went well, as a share that says no more than it knows. */
import type { ReleaseSessions } from "../release/release-summary.ts";

/**
 * The percentage of sessions that did not crash, with two decimals, rounded down: 100 is said of nothing that crashed. Undefined
 * where no session began.
 */
export function toCrashFreePercent({ started, crashed }: ReleaseSessions): number | undefined {
  if (started <= 0) return undefined;
  const crashFree = Math.max(0, started - crashed);
  return Math.floor((crashFree * 10_000) / started) / 100;
}
