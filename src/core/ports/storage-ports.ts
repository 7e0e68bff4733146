/**
 * The ports to storage. `http/` and `ingest/` know only these, not KV or Durable Objects; `store/`
 * implements them.
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

/** The log's answer for one stored report. */
export interface AppendResult {
  readonly id: ReportId;
  /** The position in the log; absent while the report is in the spool. */
  readonly position?: LogPosition;
  /** The report was stored before: a retry. Nothing was written or counted. */
  readonly isDuplicate: boolean;
  /** The id that was stored before, if it differs: a retry across the boundary of an interval. */
  readonly storedId?: ReportId;
  /** Counted without storing the body: sampling skipped it. */
  readonly isRolledUp?: boolean;
  /**
   * The shard did not accept it. It is durable in KV and is counted and found once the spool is
   * drained.
   */
  readonly isSpooled?: boolean;
}

/** The write-ahead log. */
export interface ReportWriter {
  /**
   * Resolves when all reports and counters are durable, with one result per report, in order.
   * Rejects if that is not certain; the sender may send the same reports again, because an id
   * counts once.
   */
  append(
    reports: readonly Report[],
    counters?: readonly CounterDelta[],
  ): Promise<readonly AppendResult[]>;
}

/** Reads for the desk. Every method uses the nearest copy that is recent enough. */
export interface ProjectStore {
  /** The newest issues, current; from the snapshot if the index is slow or unavailable. */
  listNewestIssues(): Promise<IssueList>;
  /**
   * A page of the matching issues, current. This and the following methods reject while the index
   * is unavailable.
   */
  listIssues(query: IssueQuery, from?: IssueCursor): Promise<IssueListPage>;
  /** The facets of the matching issues, one per key. */
  listFacets(query: IssueQuery): Promise<readonly IssueFacet[]>;
  /** Decides about many issues. Resolves to those that exist. */
  decideMany(digests: readonly Digest[], input: DecisionInput): Promise<readonly Digest[]>;
  /** Annotations of an issue; empty for an unknown one. */
  getAnnotations(digest: Digest): Promise<Annotations>;
  /**
   * Changes annotations. Resolves to the new ones; to null, without a change, if the issue or one
   * to merge into it is unknown.
   */
  annotate(digest: Digest, change: AnnotationChange): Promise<Annotations | null>;
  /** Similar issues, most similar first; at most `limits.similarIssues`. */
  listSimilarIssues(digest: Digest): Promise<readonly IssueSummary[]>;
  /** The newest releases, by when they were first seen; at most `limits.maxListedReleases`. */
  listReleases(): Promise<readonly ReleaseSummary[]>;
  /** The saved views. */
  listViews(): Promise<readonly SavedView[]>;
  /**
   * Saves a view under its name, or (`null`) deletes it. Resolves to all views. Above
   * `limits.maxSavedViews` a new view is not saved.
   */
  saveView(name: string, view: Omit<SavedView, "name"> | null): Promise<readonly SavedView[]>;
  /** The latest events, newest first; at most `limits.recentArrivals`. */
  listLiveEvents(): Promise<readonly LiveEvent[]>;
  /**
   * Issues that contain all words of the text, best match first; at most `limits.maxFoundIssues`.
   */
  searchIssues(text: string): Promise<readonly Digest[]>;
  /** The counters of the last `days` UTC days, including today, unordered. */
  listCounters(days: number): Promise<readonly DailyCounter[]>;
  /** The current health of the store. */
  getHealth(): Promise<StoreHealth>;
  /**
   * An issue from its snapshot if there is one (fast everywhere, up to a minute old). Null if
   * unknown.
   */
  getIssue(digest: Digest): Promise<Issue | null>;
  /**
   * The current issue, including everything acknowledged; from its snapshot while the index is
   * unavailable. Null if unknown.
   */
  getFreshIssue(digest: Digest): Promise<Issue | null>;
  /**
   * Decides about an issue. Resolves to the changed issue when the decision is durable; to null if
   * there is no such issue. Rejects while the index is unavailable.
   */
  decide(digest: Digest, input: DecisionInput): Promise<Issue | null>;
  /**
   * The digests that an alias (a normalized foreign code) resolves to, newest first, by when each
   * was linked first; for a Ray ID that of its newest report. From the snapshot while the index is
   * unavailable.
   */
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  /**
   * Position and issue of the report with this id, else of the newest report whose trace has this
   * id. Null if unknown.
   */
  locateReport(
    id: ReportId,
  ): Promise<{ readonly digest: Digest; readonly position: LogPosition } | null>;
  /**
   * The same for reports of the last day. Its cost is bounded, so that unauthenticated requests may
   * use it.
   */
  locateRecentReport(
    id: ReportId,
  ): Promise<{ readonly digest: Digest; readonly position: LogPosition } | null>;
  /** A report's body, from the archive or, before the upload, from the log. Null if it is gone. */
  readReport(summary: Pick<ReportSummary, "position">): Promise<Report | null>;
  /** Several bodies, in order. Reads each chunk of the archive once. */
  readReports(
    summaries: readonly Pick<ReportSummary, "position">[],
  ): Promise<readonly (Report | null)[]>;
}

/** One line of an export to store again. */
export interface ImportLine {
  /** A report, a rollup or counters, as stored. */
  readonly line: string;
  /**
   * The id of a report, the ids of a rollup's reports, or the id of a counter line, for
   * deduplication.
   */
  readonly ids: readonly ReportId[];
}

/**
 * Operations on a whole project, for owners. Each rejects while the index or the log is
 * unavailable.
 */
export interface ProjectAdmin {
  /** Rebuilds both objects from KV; continues after the response and across restarts. */
  rebuildIndex(): Promise<void>;
  /** Erases the contents of one report. It still counts. False if there is none. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Erases an issue with its reports; continues after the response. False if there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /**
   * Erases every report that contains a text, and the text elsewhere; continues after the response.
   */
  eraseMatching(text: string): Promise<void>;
  /** Erases everything; continues after the response. */
  eraseProject(): Promise<void>;
  /**
   * All stored data, or that of one UTC day, `2026-11-21`: one line of JSON each, without line
   * ends. The first line describes the export; the last line has the number of lines before it, so
   * that a truncated export can be detected.
   */
  exportLines(day?: string): AsyncIterable<string>;
  /**
   * Stores lines whose ids are unknown. Resolves to the number of new lines when they are durable.
   */
  importLines(lines: readonly ImportLine[]): Promise<number>;
  /** Imports triage records where no record of that kind exists. */
  importTriage(records: readonly TriageRecord[]): Promise<void>;
}
