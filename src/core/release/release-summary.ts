/** A release as the desk shows it: what came with it, what returned, what was resolved in it, and how its sessions ended. */

/** One release. Numbers of issues are of those that are kept. */
export interface ReleaseSummary {
  readonly name: string;
  /** When the first report or session named it, ms; absent where that is forgotten. */
  readonly firstSeenMs?: number;
  /** Issues that happened in it, happened first in it, returned in it, were resolved in it. */
  readonly issueCount: number;
  readonly newIssueCount: number;
  readonly regressedCount: number;
  readonly fixedCount: number;
  /** Sessions of the last thirty days; absent where none were sent. */
  readonly sessions?: ReleaseSessions;
}

/** True for a release that a report or a session has named; false for one that is only waited for, because of what is resolved in it. */
export function wasSeen({ firstSeenMs, issueCount, sessions }: ReleaseSummary): boolean {
  return firstSeenMs !== undefined || issueCount > 0 || sessions !== undefined;
}

/** How sessions of a release ended. */
export interface ReleaseSessions {
  readonly started: number;
  /** Those that had errors and did not crash. */
  readonly errored: number;
  readonly crashed: number;
}
