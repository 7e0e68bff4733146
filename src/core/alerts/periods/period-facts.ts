/** The facts of a project in a period, as the index counts them. */
import type { IssueSummary } from "../../issue/issue.ts";
import type { IssueState } from "../../issue/issue-states.ts";
import type { Digest } from "../../report.ts";
import type { Origin } from "../../trust/trust.ts";
import type { PeriodRange } from "./summary-period.ts";

/** The groups of issues of a summary, in their order. An issue can be in several. */
export const PERIOD_GROUPS = [
  { kind: "returned", title: "Returned" },
  { kind: "new", title: "New" },
  { kind: "growing", title: "Growing" },
  { kind: "frequent", title: "Most frequent" },
] as const;

export type PeriodGroupKind = (typeof PERIOD_GROUPS)[number]["kind"];

/** The question: a period, and whose issues. */
export interface PeriodQuery extends PeriodRange {
  /** Only issues that are assigned to this person; absent for all. */
  readonly assignee?: string;
}

/** An issue with its occurrences in the period and in the one before. */
export interface PeriodIssue
  extends Pick<IssueSummary, "digest" | "type" | "message" | "otherErrors" | "culprit" | "place"> {
  readonly count: number;
  readonly countBefore: number;
  /** All users that it has affected; 0 if no report names one. */
  readonly userCount: number;
  /** The state when the facts were read. */
  readonly state: IssueState;
}

/** The issues of one group, the most frequent first; growing ones by their growth. */
export interface PeriodGroup {
  readonly total: number;
  /** How many of them are open. */
  readonly open: number;
  /** The first `PERIOD_LIMITS.linked`. */
  readonly digests: readonly Digest[];
  /** The first `PERIOD_LIMITS.shown`. */
  readonly issues: readonly PeriodIssue[];
}

/** Errors in a period, without noise. */
export type ErrorCounts = Readonly<Record<Origin, number>>;

export interface PeriodFacts {
  readonly errors: ErrorCounts;
  readonly errorsBefore: ErrorCounts;
  readonly groups: Readonly<Record<PeriodGroupKind, PeriodGroup>>;
  /** Releases that a report or session first named in the period, oldest first. */
  readonly releases: readonly { readonly name: string; readonly firstSeenMs: number }[];
}

export const PERIOD_LIMITS = {
  /** Issues of a group that a mail shows. */
  shown: 5,
  /** Issues of a group that its link lists. */
  linked: 40,
  /** Issues seen since the period began that are read. */
  read: 5_000,
  releases: 10,
} as const;
