/** The figures and lists of the home page. */

import type { IssueSummary } from "../issue/issue.ts";
import type { IssueListPage } from "../issue/issue-list-page.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import type { DailyCounter } from "../stats/counters.ts";

/** Issues first seen since a time, in any state, without noise. */
export interface NewIssues {
  /** The newest. */
  readonly issues: readonly IssueSummary[];
  /** How many there are, counted up to `limits.maxCountedIssues`. */
  readonly total: number;
  /** True if there are more. */
  readonly isTotalCapped?: true;
}

export interface ProjectOverview {
  /** The counters of the last days, in no order. */
  readonly counters: readonly DailyCounter[];
  /** The newest releases by first report; at most `limits.maxListedReleases`. */
  readonly releases: readonly ReleaseSummary[];
  /**
   * The estimated number of distinct users that issues seen since that time affect; of at most
   * `limits.newestIssues` issues, without noise.
   */
  readonly affectedUsers: number;
  readonly newIssues: NewIssues;
  readonly regressedIssues: IssueListPage;
}
