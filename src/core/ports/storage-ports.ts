/**
 * What the core needs from storage, in the core's own words. `http/` and `ingest.ts` know these ports and nothing of KV or
 * Durable Objects; `store/` implements them.
 */

import type { AnnotationChange, Annotations } from "../issue/annotations.ts";
import type { DecisionInput } from "../issue/decision.ts";
import type { Issue, IssueList, IssueSummary } from "../issue/issue.ts";
import type {
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueQuery,
  SavedView,
} from "../issue/issue-query.ts";
import type { LiveEvent } from "../issue/live-event.ts";
import type { TriageRecord } from "../issue/triage-record.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import type { LogPosition, ReportSummary } from "../report/report-summary.ts";
import type { Digest, Report, ReportId } from "../report.ts";
import type { CounterDelta, DailyCounter } from "../stats/counters.ts";
import type { StoreHealth } from "../stats/store-health.ts";

/** What the log says of a report that it has made durable. */
export interface AppendResult {
  readonly id: ReportId;
  /** Where it is; absent while it waits to be fed to the log. */
  readonly position?: LogPosition;
  /** It was there before: a retry. Nothing was written or counted. */
  readonly isDuplicate: boolean;
  /** The id under which it was there before, where that is another: a retry on the other side of an interval's border. */
  readonly storedId?: ReportId;
  /** It is counted, and its body is not kept: one of a storm. */
  readonly isRolledUp?: boolean;
  /** Its shard did not take it: it is durable in KV by itself, and is counted and found once it is fed to the log. */
  readonly isSpooled?: boolean;
}

/** The write-ahead log. */
export interface ReportWriter {
  /**
   * Resolves when every report is durable, with one answer per report in their order, and the tallies with them. Rejects when
   * that cannot be promised; the sender may send the same reports again, because an id counts once.
   */
  append(
    reports: readonly Report[],
    counters?: readonly CounterDelta[],
  ): Promise<readonly AppendResult[]>;
}

/** What the desk reads. Every method answers from the nearest copy that is good enough. */
export interface ProjectStore {
  /** The newest issues as they are now; from the snapshot when that cannot be had quickly. */
  listNewestIssues(): Promise<IssueList>;
  /**
   * A page of the issues that a query means, as they are now. Like all that follow, from the index: rejects while it is away.
   */
  listIssues(query: IssueQuery, from?: IssueCursor): Promise<IssueListPage>;
  /** What the issues that a query means have in common, a facet a key. */
  listFacets(query: IssueQuery): Promise<readonly IssueFacet[]>;
  /** Decides about many at once. Resolves to those that there are. */
  decideMany(digests: readonly Digest[], input: DecisionInput): Promise<readonly Digest[]>;
  /** What people added to an issue; nothing to one that is not known. */
  getAnnotations(digest: Digest): Promise<Annotations>;
  /**
   * Changes what people added. Resolves to what it is then; to null, and nothing is changed, when there is no such issue, or one that
   * is to be merged into it is not known.
   */
  annotate(digest: Digest, change: AnnotationChange): Promise<Annotations | null>;
  /** Issues that say nearly the same, the likeliest first; at most `limits.similarIssues`. */
  listSimilarIssues(digest: Digest): Promise<readonly IssueSummary[]>;
  /** The newest releases, by when they were first seen; at most `limits.maxListedReleases`. */
  listReleases(): Promise<readonly ReleaseSummary[]>;
  /** The views of the list that people keep. */
  listViews(): Promise<readonly SavedView[]>;
  /**
   * Keeps a view under its name, or (`null`) forgets the one of that name. Resolves to those that there are then: where there are
   * `limits.maxSavedViews` already, a new one is not among them.
   */
  saveView(name: string, view: Omit<SavedView, "name"> | null): Promise<readonly SavedView[]>;
  /** What arrived last, newest first; at most `limits.recentArrivals`. */
  listLiveEvents(): Promise<readonly LiveEvent[]>;
  /** Issues that have all words of the text, the best match first; at most `limits.maxFoundIssues`. */
  searchIssues(text: string): Promise<readonly Digest[]>;
  /** What was counted on each of the last `days` UTC days, today included, in no order. */
  listCounters(days: number): Promise<readonly DailyCounter[]>;
  /** How the store is doing, as it is now. */
  getHealth(): Promise<StoreHealth>;
  /** An issue, from its snapshot when there is one (fast everywhere, up to a minute old). Null when unknown. */
  getIssue(digest: Digest): Promise<Issue | null>;
  /**
   * An issue as it is now, everything acknowledged included; from its snapshot while the index is away. Null when unknown.
   */
  getFreshIssue(digest: Digest): Promise<Issue | null>;
  /**
   * Decides about an issue. Resolves to the issue as it is then, when the decision is durable; to null when there is no such
   * issue; rejects while the index is away.
   */
  decide(digest: Digest, input: DecisionInput): Promise<Issue | null>;
  /**
   * All digests that an alias (a normalised foreign code) leads to, newest first, by when it first led there; of a Ray ID that of
   * its newest report. From the snapshot while the index is away.
   */
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  /**
   * Where the report with this id is, and which issue the index counts it in; where there is none the newest that a trace names
   * so. Null when unknown.
   */
  locateReport(
    id: ReportId,
  ): Promise<{ readonly digest: Digest; readonly position: LogPosition } | null>;
  /** The same for a report of the last day. It reads little however much there is: strangers may ask by it. */
  locateRecentReport(
    id: ReportId,
  ): Promise<{ readonly digest: Digest; readonly position: LogPosition } | null>;
  /** A report's body, from the record or, while it is not yet copied, from the log. Null when it is gone. */
  readReport(summary: Pick<ReportSummary, "position">): Promise<Report | null>;
  /** The same of several, in their order. What stands together in the record is read once. */
  readReports(
    summaries: readonly Pick<ReportSummary, "position">[],
  ): Promise<readonly (Report | null)[]>;
}

/** A line of an export that is to be stored again. */
export interface ImportLine {
  /** A report, a sum or tallies, as it is stored. */
  readonly line: string;
  /** Of a report its own id, of a sum those that it stands for; of tallies one by which they are known again. */
  readonly ids: readonly ReportId[];
}

/** What is done to a project as a whole, by those who own it. Each rejects while the index or the log is away. */
export interface ProjectAdmin {
  /** Has both objects made anew from what KV holds; goes on behind the answer, and over restarts. */
  rebuildIndex(): Promise<void>;
  /** Erases one report; what it said is gone, and that it happened still counts. False when there is none. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Erases an issue with its reports; goes on behind the answer. False when there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /** Erases every report in which a text stands, and the text wherever else it is; goes on behind the answer. */
  eraseMatching(text: string): Promise<void>;
  /** Erases everything; goes on behind the answer. */
  eraseProject(): Promise<void>;
  /**
   * Everything that is kept, or what came on one UTC day, `2026-11-21`: a line of JSON each, without line ends. The first line
   * says what it is, the last one how many came before it: an export without it was cut.
   */
  exportLines(day?: string): AsyncIterable<string>;
  /** Stores lines of an export, those that are not known. Resolves to how many were new when they are durable. */
  importLines(lines: readonly ImportLine[]): Promise<number>;
  /** Takes what people did from an export, where nothing of that kind is known. */
  importTriage(records: readonly TriageRecord[]): Promise<void>;
}
