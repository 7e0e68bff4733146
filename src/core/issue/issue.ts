/**
 * An issue: all reports with the same digest, as ProjectIndex keeps it, as KV holds it in snapshots, and as pages and
 * JSON show it. Stored (version 1): fields may be added, never renamed.
 */

import type { ReportSummary } from "../report/report-summary.ts";
import type { Digest, NoiseRule, ReportKind } from "../report.ts";
import type { TopValues } from "./top-values.ts";

/**
 * How it stands: `resolved` until it returns, `ignored` for a while, `muted` for good. What people decided is in `decision`;
 * `decision.ts` `stateOf` says how an issue stands now.
 */
export type IssueState = "open" | "resolved" | "ignored" | "muted";

/** The status that a person set. Stored (version 1): fields may be added, never renamed. */
export interface Decision {
  readonly v: 1;
  readonly state: IssueState;
  readonly atMs: number;
  /** The release that contains the fix: occurrences in earlier releases are no regression. */
  readonly release?: string;
  /** The fix is in the first release that is first seen after the decision. */
  readonly inNextRelease?: true;
  /** Ignored until this time, ms. */
  readonly untilMs?: number;
  /** Ignored until the issue has this many occurrences. */
  readonly untilCount?: number;
  /** A resolved issue that occurred again is open: when, and in which release. */
  readonly regressedAtMs?: number;
  readonly regressedInRelease?: string;
  /** The release in which it had been resolved. */
  readonly resolvedInRelease?: string;
}

/** One line of a list of issues. */
export interface IssueSummary {
  readonly digest: Digest;
  readonly kind: ReportKind;
  readonly type: string;
  readonly message: string;
  readonly culprit?: string;
  readonly route?: string;
  readonly release?: string;
  readonly environment?: string;
  /** As it stood at `asOfMs` of the list or issue; `stateOf` says it for any moment. */
  readonly state: IssueState;
  /** Absent while nobody has decided anything. */
  readonly decision?: Decision;
  /** Why it is kept apart from the issues of the page itself. */
  readonly noise?: NoiseRule;
  /** Occurrences: reports of the fault itself. */
  readonly count: number;
  /** About how many people it has met; absent where nobody is known. */
  readonly userCount?: number;
  /**
   * Reports that lead here by more than their own grouping: a digest that was shown, a foreign code, a trace, what a person
   * wrote. They are no occurrences.
   */
  readonly linkedCount: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Occurrences per UTC day, as in the issue, the newest fourteen of them; only in summaries. */
  readonly recentDays?: DayCounts;
  /** Who looks after it, in people's own words. */
  readonly assignee?: string;
  readonly blockedUri?: string;
}

/** `["2026-11-21", 12]`, oldest first; days without any are left out. */
export type DayCounts = readonly (readonly [day: string, count: number])[];

/** An issue with its newest reports, newest first. */
export interface Issue extends IssueSummary {
  readonly v: 1;
  readonly latestReports: readonly ReportSummary[];
  readonly aliases: readonly string[];
  /** Occurrences per UTC day, `["2026-11-21", 12]`, oldest first, at most 30 days. */
  readonly days: DayCounts;
  /** Occurrences per UTC hour, `["2026112117", 12]`, oldest first, at most 72 hours. */
  readonly hours?: readonly (readonly [hour: string, count: number])[];
  /** Occurrences by what they have in common; absent where none has said it. */
  readonly releases?: TopValues;
  readonly environments?: TopValues;
  readonly browsers?: TopValues;
  readonly pages?: TopValues;
  /** The values of each tag, at most `limits.tagKeysPerIssue` keys, those that came first. */
  readonly tags?: Readonly<Record<string, TopValues>>;
  /** The release in which it happened first. */
  readonly firstRelease?: string;
  /** Digests of issues that were merged into this one: what they had counted is counted here. */
  readonly mergedDigests?: readonly Digest[];
  /** Of those that were split off again: what they had counted until then is counted here too. */
  readonly splitOff?: readonly Digest[];
  /** The people it has met, linked reports included: a sketch of `visitors.ts`. */
  readonly userSketch?: string;
  /** How often the visitor was shown a status of success although this failed. */
  readonly silent200Count: number;
  /** The moment this is true for. */
  readonly asOfMs: number;
  /**
   * In a snapshot: up to where it counts the log of each shard, as the store orders its lines. From it an index can be rebuilt when
   * the reports themselves are no longer kept.
   */
  readonly watermarks?: Readonly<Record<string, number>>;
  /** While an index is made anew: the same of an issue that was merged into this one, where that is not the same place. */
  readonly mergedWatermarks?: Readonly<Record<Digest, Readonly<Record<string, number>>>>;
}

/** A page of the list of issues, newest first. */
export interface IssueList {
  readonly v: 1;
  readonly issues: readonly IssueSummary[];
  readonly total: number;
  /** Issues of noise, which this list leaves out. */
  readonly noiseTotal?: number;
  readonly asOfMs: number;
}
