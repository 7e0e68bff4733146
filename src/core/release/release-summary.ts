/** A release in the list of releases: its issues and how its sessions ended. */

import type { Trust } from "../trust/trust.ts";

/** One release. Counts include stored issues only. */
export interface ReleaseSummary {
  readonly name: string;
  /**
   * The highest level that named it, as far as known: `public` if only public reports or sessions
   * did, `server` if only a decision did.
   */
  readonly trust: Trust;
  /** When a report or session first named it, ms; absent when this is no longer known. */
  readonly firstSeenMs?: number;
  /** Issues that occurred, first occurred, regressed and were resolved in it. */
  readonly issueCount: number;
  readonly newIssueCount: number;
  readonly regressedCount: number;
  readonly fixedCount: number;
  /** Sessions of the last thirty days, trusted ones if there are any; absent if there are none. */
  readonly sessions?: ReleaseSessions;
}

/**
 * True for a release that a report or a session has named; false for one that only a decision names
 * ("resolved in").
 */
export function wasSeen({ firstSeenMs, issueCount, sessions }: ReleaseSummary): boolean {
  return firstSeenMs !== undefined || issueCount > 0 || sessions !== undefined;
}

/** The sessions of a release by how they ended. */
export interface ReleaseSessions {
  readonly started: number;
  /** Sessions with errors that did not crash. */
  readonly errored: number;
  readonly crashed: number;
  /** Sessions that started on each UTC day, the oldest first. */
  readonly days: readonly (readonly [day: string, count: number])[];
  /** True if only senders without a trusted key reported sessions of the release. */
  readonly isPublic?: true;
}
