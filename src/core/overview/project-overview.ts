/** What the home page shows of a project. */

import type { IssueSummary } from "../issue/issue.ts";
import type { Digest } from "../report.ts";
import type { Trust } from "../trust/trust.ts";
import type { AttentionCounts, AttentionRow } from "./attention.ts";
import type { ErrorColumns, OverviewPeriod } from "./error-columns.ts";
import type { Surge, SurgeShare } from "./find-surge.ts";

/** What to read. */
export interface OverviewQuery {
  readonly period: OverviewPeriod;
  /** The name to which issues of the reader are assigned; undefined for programs. */
  readonly me?: string | undefined;
  /** A span of the chart: which issues occurred in it. */
  readonly span?: Span | undefined;
}

/** From and until, ms, without the end. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface CountedTotal {
  /** Counted up to a limit. */
  readonly total: number;
  readonly isTotalCapped?: true;
}

/** Issues first seen since a time, in any state, without noise. */
export interface NewIssues extends CountedTotal {
  /** The newest. */
  readonly issues: readonly IssueSummary[];
}

/** The rows that a list shows, and how many there are. */
export interface AttentionList extends CountedTotal {
  readonly rows: readonly AttentionRow[];
}

/** A release in the side column. */
export interface OverviewRelease {
  readonly name: string;
  readonly trust: Trust;
  readonly firstSeenMs: number;
  /** Its errors in the period, estimated from the newest issues. */
  readonly errors: number;
  readonly newIssueCount: number;
  readonly regressedCount: number;
  /** The sessions that count for it; 0 if none do. */
  readonly sessions: number;
  /** The percentage of sessions that did not crash; absent if there are too few. */
  readonly crashFree?: number | undefined;
  /** That of the release before, of the same application. */
  readonly crashFreeBefore?: number | undefined;
}

/** The violations of a directive of the content security policy within a day. */
export interface PolicyNews {
  readonly directive: string;
  /** The policy is not enforced yet. */
  readonly isReportOnly: boolean;
  /** Distinct hosts, or kinds of inline code. */
  readonly sources: number;
  readonly count: number;
}

/** What another member did: the last of several equal actions. */
export interface TeamNews {
  readonly by: string;
  readonly action:
    | "resolved"
    | "assigned"
    | "commented"
    | "snoozed"
    | "archived"
    | "opened"
    | "merged";
  readonly atMs: number;
  readonly digest: Digest;
  readonly title: string;
  /** The number of issues. */
  readonly issues: number;
  readonly release?: string | undefined;
  /** To whom the issue was assigned. */
  readonly to?: string | undefined;
  /** The beginning of a comment. */
  readonly text?: string | undefined;
}

export interface ProjectOverview {
  readonly columns: ErrorColumns;
  /**
   * The estimated number of distinct users that issues seen in the period affect; of at most
   * `limits.newestIssues` issues, without noise.
   */
  readonly people: number;
  readonly surge?: (Surge & { readonly share?: SurgeShare }) | undefined;
  /** When the project received its first report, as far as known. */
  readonly firstSeenMs?: number | undefined;
  /** True if a source map resolved a place of a shown issue. */
  readonly hasMaps: boolean;
  /** The last error that is no noise. */
  readonly lastErrorMs?: number | undefined;
  readonly attention: AttentionList;
  /** The issues of `attention` by reason. */
  readonly needs: AttentionCounts;
  /** Open issues that can wait; empty if some cannot. */
  readonly later: readonly AttentionRow[];
  /** The issues of `span`. */
  readonly selected?: AttentionList | undefined;
  readonly open: CountedTotal;
  /** Issues in any state, and those hidden as noise. */
  readonly issues: number;
  readonly noise: number;
  /** The releases with the most errors in the period, then the newest by first report. */
  readonly releases: readonly OverviewRelease[];
  readonly policies: readonly PolicyNews[];
  readonly team: readonly TeamNews[];
}
