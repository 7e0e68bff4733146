/**
 * An issue: all reports with the same digest. The index, the snapshots in KV, pages and JSON share
 * this shape. Stored (version 1): fields may be added, never renamed.
 */

import type { IssuePlace } from "../place/issue-place.ts";
import type { StackCounts } from "../place/stack-counts.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import type { Digest, NoiseRule, ReportGrouping, ReportKind } from "../report.ts";
import type { TrustCounts, UserSketches } from "../stats/trust-counts.ts";
import type { Trust } from "../trust/trust.ts";
import type { TopValues } from "./top-values.ts";

/**
 * `resolved` until it occurs again, `ignored` for a time or count, `muted` without end. The
 * `decision` holds the conditions; `getCurrentState` computes the state at a given time.
 */
export type IssueState = "open" | "resolved" | "ignored" | "muted";

/** The state that a person set. Stored (version 1): fields may be added, never renamed. */
export interface Decision {
  readonly v: 1;
  readonly state: IssueState;
  readonly atMs: number;
  /** The release that contains the fix: occurrences in earlier releases are not regressions. */
  readonly release?: string;
  /** The fix is in the first release that is first seen after the decision. */
  readonly inNextRelease?: true;
  /** Ignored until this time, ms. */
  readonly untilMs?: number;
  /** Ignored until the issue has this many occurrences. */
  readonly untilCount?: number;
  /** How many more occurrences that was when the issue was ignored. */
  readonly forCount?: number;
  /** A resolved issue that occurred again is open: when, and in which release. */
  readonly regressedAtMs?: number;
  readonly regressedInRelease?: string;
  /** The release in which it had been resolved. */
  readonly resolvedInRelease?: string;
  /**
   * The level of the issue then; absent for `public`. Of lower reports, only public ones from
   * several networks reopen the issue.
   */
  readonly trust?: Trust;
  /** The networks of public reports that would reopen the resolved issue, as a sketch. */
  readonly publicNetworks?: string;
}

/** One row of the issue list. Occurrences are reports of the error itself. */
export interface IssueSummary extends TrustCounts {
  readonly digest: Digest;
  readonly kind: ReportKind;
  readonly type: string;
  readonly message: string;
  /** As in a report summary. */
  readonly otherErrors?: number;
  readonly culprit?: string;
  /**
   * The most frequent place of failure in the original source, in its newest release; `formatPlace`
   * formats it. Absent until a source map resolves a stack.
   */
  readonly place?: IssuePlace;
  readonly route?: string;
  readonly release?: string;
  readonly environment?: string;
  /** The state at `asOfMs` of the list or issue; `getCurrentState` computes it for any time. */
  readonly state: IssueState;
  /**
   * The highest level of its occurrences; without occurrences, of its linked reports. Only reports
   * of this level describe the issue (`describe-issue.ts`).
   */
  readonly trust: Trust;
  /** Absent until a member sets the state. */
  readonly decision?: Decision;
  /** The rule that filtered the issue as noise. */
  readonly noise?: NoiseRule;
  /** Estimated number of affected users (`countUsers`); absent for none. */
  readonly userCount?: number;
  /** Networks of its public reports, at most `MAX_NETWORKS`; absent if none is known. */
  readonly networkCount?: number;
  /** How the issue began, if a public report with a known key began it. */
  readonly publicOrigin?: PublicOrigin;
  /**
   * Reports linked by something other than their grouping: a digest that was shown, a foreign code,
   * a trace, feedback. They are not occurrences.
   */
  readonly linkedCount: number;
  readonly firstSeenMs: number;
  /** The last occurrence; without occurrences, the last linked report. */
  readonly lastSeenMs: number;
  /** Occurrences of all levels on the newest fourteen days that have any; only in summaries. */
  readonly recentDays?: DayCounts;
  /** The assignee, as free text. */
  readonly assignee?: string;
  readonly blockedUri?: string;
}

/** The id of the key of the public report that began an issue, and when it was received. */
export interface PublicOrigin {
  readonly key: string;
  readonly atMs: number;
}

/** `["2026-11-21", 12]`, oldest first; days without occurrences are omitted. */
export type DayCounts = readonly (readonly [day: string, count: number])[];

/** An issue with its newest reports, newest first. */
export interface Issue extends Omit<IssueSummary, "networkCount">, UserSketches {
  readonly v: 1;
  /** The networks of its public reports, including linked ones (`network-sketch.ts`). */
  readonly networkSketch?: string;
  readonly latestReports: readonly ReportSummary[];
  /**
   * The foreign codes that lead to the issue: those of `server` reports, then of `page`, then of
   * `public`, each newest first.
   */
  readonly aliases: readonly string[];
  /** How many of `aliases` came with trusted reports; absent for none. */
  readonly trustedAliasCount?: number;
  /** How many of these came with `server` reports; absent for none. */
  readonly serverAliasCount?: number;
  /**
   * Occurrences of the issue's own level per UTC day, `["2026-11-21", 12]`, oldest first, at most
   * 30 days.
   */
  readonly days: DayCounts;
  /**
   * Occurrences of the issue's own level per UTC hour, `["2026112117", 12]`, oldest first, at most
   * 72 hours.
   */
  readonly hours?: readonly (readonly [hour: string, count: number])[];
  /** The same for occurrences below the issue's own level; absent if there are none. */
  readonly lowerDays?: DayCounts;
  readonly lowerHours?: DayCounts;
  /** Occurrences by common values; absent if no report had one. */
  readonly releases?: TopValues;
  readonly environments?: TopValues;
  readonly browsers?: TopValues;
  readonly pages?: TopValues;
  /** By severity, without `error` (`describe-issue.ts`). */
  readonly levels?: TopValues;
  /** Occurrences by the stacks that they sent, with their places in the original source. */
  readonly stacks?: StackCounts;
  /** The values of each tag; the first `limits.tagKeysPerIssue` keys. */
  readonly tags?: Readonly<Record<string, TopValues>>;
  /** The release of the earliest occurrence. */
  readonly firstRelease?: string;
  /**
   * Why its reports are together, truncated as in a summary. Absent until an occurrence has it.
   */
  readonly grouping?: ReportGrouping;
  /** The same of the first `limits.mergedGroupingsPerIssue` issues merged into this one. */
  readonly mergedGroupings?: Readonly<Record<Digest, ReportGrouping>>;
  /** Digests of issues merged into this one. Their counts are included here. */
  readonly mergedDigests?: readonly Digest[];
  /** Digests of issues split off again. Their counts until the split are included here. */
  readonly splitOff?: readonly Digest[];
  /** How often a failed request got a success status. */
  readonly silent200Count: number;
  /** When this snapshot was taken. */
  readonly asOfMs: number;
  /**
   * In a snapshot: the log position of each shard up to which reports are counted. An index can be
   * rebuilt from it after the reports expire.
   */
  readonly watermarks?: Readonly<Record<string, number>>;
  /**
   * Only during a rebuild: the watermarks of each issue merged into this one, where they differ.
   */
  readonly mergedWatermarks?: Readonly<Record<Digest, Readonly<Record<string, number>>>>;
}

/** A page of the issue list, newest first. */
export interface IssueList {
  readonly v: 1;
  readonly issues: readonly IssueSummary[];
  readonly total: number;
  /** Number of noise issues, which this list excludes. */
  readonly noiseTotal?: number;
  readonly asOfMs: number;
}
