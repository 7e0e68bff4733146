/** The share of a release's sessions that did not crash. */
import type { ReleaseSessions, ReleaseSummary } from "../release/release-summary.ts";
import { isTrusted } from "../trust/trust.ts";

/** A rate of fewer sessions means little: pages do not show it. */
export const MIN_RATED_SESSIONS = 100;

/**
 * The percentage of sessions that did not crash, with two decimals, rounded down so that a release
 * with crashes never shows 100. Undefined without sessions.
 */
export function toCrashFreePercent({
  started,
  crashed,
}: Omit<ReleaseSessions, "days">): number | undefined {
  if (started <= 0) return undefined;
  const crashFree = Math.max(0, started - crashed);
  return Math.floor((crashFree * 10_000) / started) / 100;
}

/**
 * The crash-free percentage of a release, as `toCrashFreePercent`. Undefined without sessions. Also
 * undefined if trusted senders named the release but its sessions are public, because strangers
 * must not determine its rate.
 */
export function getCrashFreePercent({
  sessions,
  trust,
}: Pick<ReleaseSummary, "sessions" | "trust">): number | undefined {
  return sessions === undefined || hasForeignSessions({ sessions, trust })
    ? undefined
    : toCrashFreePercent(sessions);
}

/** The same for people: also undefined with fewer sessions than `MIN_RATED_SESSIONS`. */
export function getShownCrashFree(
  release: Pick<ReleaseSummary, "sessions" | "trust">,
): number | undefined {
  const started = release.sessions?.started ?? 0;
  return started < MIN_RATED_SESSIONS ? undefined : getCrashFreePercent(release);
}

/**
 * True if the sessions of a release do not count for its crash-free rate (`getCrashFreePercent`).
 */
export function hasForeignSessions({
  sessions,
  trust,
}: Pick<ReleaseSummary, "sessions" | "trust">): boolean {
  return isTrusted(trust) && sessions?.isPublic === true;
}
