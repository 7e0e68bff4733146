/** The share of a release's sessions that did not crash. */
import type { ReleaseSessions } from "../release/release-summary.ts";

/**
 * The percentage of sessions that did not crash, with two decimals, rounded down so that a release
 * with crashes never shows 100. Undefined without sessions.
 */
export function toCrashFreePercent({ started, crashed }: ReleaseSessions): number | undefined {
  if (started <= 0) return undefined;
  const crashFree = Math.max(0, started - crashed);
  return Math.floor((crashFree * 10_000) / started) / 100;
}
