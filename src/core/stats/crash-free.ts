/** The share of a release's sessions that did not crash. */
import type { ReleaseSessions, ReleaseSummary } from "../release/release-summary.ts";

/**
 * The percentage of sessions that did not crash, with two decimals, rounded down so that a release
 * with crashes never shows 100. Undefined without sessions.
 */
export function toCrashFreePercent({ started, crashed }: ReleaseSessions): number | undefined {
  if (started <= 0) return undefined;
  const crashFree = Math.max(0, started - crashed);
  return Math.floor((crashFree * 10_000) / started) / 100;
}

/**
 * The percentage of a release. Undefined without sessions, and for a release that trusted senders
 * named if its sessions are public: a stranger must not decide how such a release looks.
 */
export function getCrashFreePercent({
  sessions,
  isTrusted,
}: Pick<ReleaseSummary, "sessions" | "isTrusted">): number | undefined {
  return sessions === undefined || hasForeignSessions({ sessions, isTrusted })
    ? undefined
    : toCrashFreePercent(sessions);
}

/** True if the sessions of a release are shown apart from it: see `getCrashFreePercent`. */
export function hasForeignSessions({
  sessions,
  isTrusted,
}: Pick<ReleaseSummary, "sessions" | "isTrusted">): boolean {
  return isTrusted && sessions?.isPublic === true;
}
