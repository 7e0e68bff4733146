/** The figures and lists of the home page. */

import type { IssueSummary } from "../issue/issue.ts";
import type { IssueListPage } from "../issue/issue-list-page.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import type { DailyCounter } from "../stats/counters.ts";
import type { Trust } from "../trust/trust.ts";

/** The issues of one trust level, counted up to `limits.maxCountedIssues`. */
export interface LevelTotal {
  readonly trust: Trust;
  readonly total: number;
  /** True if there are more. */
  readonly isTotalCapped?: true;
}

/** Issues first seen since a time, in any state, without noise. */
export interface NewIssues {
  /** The newest, those of servers first, then those of signed pages. */
  readonly issues: readonly IssueSummary[];
  /** The total of each level that has any, the highest level first. */
  readonly totals: readonly LevelTotal[];
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
