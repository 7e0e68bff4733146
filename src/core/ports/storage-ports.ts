/**
 * The storage ports: the interface of storage for `http/` and `ingest/`, without KV or Durable
 * Objects. `store/` implements them.
 */

import type { QueryCheck } from "../alerts/queries/query-check.ts";
import type { WithSentAlerts } from "../alerts/sent-alert.ts";
import type { TextErasure } from "../erasure.ts";
import type { AnnotationChange, Annotations, Assignment } from "../issue/annotations.ts";
import type { DecisionInput } from "../issue/decision.ts";
import type { Issue, IssueList, IssueSummary } from "../issue/issue.ts";
import type {
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueNeighbors,
} from "../issue/issue-list-page.ts";
import type { IssueQuery, SavedView } from "../issue/issue-query.ts";
import type { LiveEvent } from "../issue/live-event.ts";
import type { TriageRecord } from "../issue/triage-record.ts";
import type { ProjectOverview } from "../overview/project-overview.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import type { LogPosition, ReportSummary } from "../report/report-summary.ts";
import type { Digest, Report, ReportId } from "../report.ts";
import type { CounterDelta, DailyCounter } from "../stats/counters.ts";
import type { StoreHealth } from "../stats/store-health.ts";
import type { UndoResult } from "../triage/undo-step.ts";
import type { ReleaseScript } from "./source-maps-port.ts";

/** The result of appending a report. It is durable. */
export interface AppendResult {
  readonly id: ReportId;
  /** Its position; absent while the report is in the spool. */
  readonly position?: LogPosition;
  /** A retry of a stored report: nothing was written or counted. */
  readonly isDuplicate: boolean;
  /** The id of the stored report, if it differs: a retry across the border of an interval. */
  readonly storedId?: ReportId;
  /** The report is counted without its body, because its issue is busy. */
  readonly isRolledUp?: boolean;
  /** Its shard did not accept it. It is stored in KV, and counts once it is in the log. */
  readonly isSpooled?: boolean;
}

/** The write-ahead log. */
export interface ReportWriter {
  /**
   * Resolves when every report and counter is durable, with one result per report, in order.
   * Rejects if they may not be. The sender can then resend them, because an id counts once.
   */
  append(
    reports: readonly Report[],
    counters?: readonly CounterDelta[],
  ): Promise<readonly AppendResult[]>;
}

/** The current state of an issue. */
export interface CurrentIssue {
  /** Null if unknown. */
  readonly issue: Issue | null;
  /** Empty if the issue is unknown. */
  readonly annotations: Annotations & WithSentAlerts;
  /**
   * Those that were split from it by stack, then at most `limits.similarIssues`, the most similar
   * first.
   */
  readonly similar: readonly SimilarIssue[];
}

/** An issue with similar text, or of the same type and place, with the parts of its key. */
export interface SimilarIssue extends IssueSummary, Pick<Issue, "grouping"> {}

/** Queries and changes that the index answers. Each rejects while it is unavailable. */
export interface IndexOperations {
  /**
   * A page of the issues that match a query: at most `count`, by default `limits.listedIssues`. If
   * matches are rare, a page ends earlier.
   */
  listIssues(query: IssueQuery, from?: IssueCursor, count?: number): Promise<IssueListPage>;
  /**
   * The issues of digests and aliases, in their order; if there are none, those with all words of
   * `text`. At most `limits.maxMatchesPerOtherProject`. Lookups call it for other projects.
   */
  findMatches(codes: readonly string[], text?: string): Promise<readonly IssueSummary[]>;
  /** The issues next to one in the list of a query; null if the issue is unknown. */
  findNeighbors(query: IssueQuery, digest: Digest): Promise<IssueNeighbors | null>;
  /** Tries the query of an alert rule on the newest issues. */
  checkQuery(query: IssueQuery): Promise<QueryCheck>;
  /** The most frequent values of the matching issues, one facet per key. */
  listFacets(query: IssueQuery): Promise<readonly IssueFacet[]>;
  /**
   * The overview of the issues since `sinceMs`, at most `count` in each list, with the counters of
   * `days` UTC days.
   */
  readOverview(sinceMs: number, days: number, count: number): Promise<ProjectOverview>;
  /** The newest releases by first report; at most `limits.maxListedReleases`. */
  listReleases(): Promise<readonly ReleaseSummary[]>;
  /** The built scripts in the stacks of a release; at most `limits.scriptsPerRelease`. */
  listScripts(release: string): Promise<readonly ReleaseScript[]>;
  /** The latest events, newest first; at most `limits.recentLiveEvents`. */
  listLiveEvents(): Promise<readonly LiveEvent[]>;
  /** The counters of each of the last `days` UTC days, today included, in no order. */
  listCounters(days: number): Promise<readonly DailyCounter[]>;
  /** The annotations of an issue; empty if the issue is unknown. */
  getAnnotations(digest: Digest): Promise<Annotations & WithSentAlerts>;
  /**
   * Changes the annotations of an issue. Resolves to the new ones, or to null if the issue, or one
   * to merge into it, is unknown. With a new `undoId`, `undo` can undo an assignment or a merge.
   */
  annotate(digest: Digest, change: AnnotationChange, undoId?: string): Promise<Annotations | null>;
  /**
   * Decides about an issue. Resolves when it is durable, or to null if the issue is unknown. With a
   * new `undoId`, `undo` can undo the decision.
   */
  decide(digest: Digest, input: DecisionInput, undoId?: string): Promise<Issue | null>;
  /** Decides about several issues. Resolves to the digests that exist. `undoId` can be repeated. */
  decideMany(
    digests: readonly Digest[],
    input: DecisionInput,
    undoId?: string,
  ): Promise<readonly Digest[]>;
  /** Assigns several issues. Resolves to the digests that exist. `undoId` can be repeated. */
  assignMany(
    digests: readonly Digest[],
    change: Assignment,
    undoId?: string,
  ): Promise<readonly Digest[]>;
  /**
   * Undoes an action of the last `limits.undoMs`, once. Issues that were changed again stay as they
   * are. Null if the action is unknown or too old.
   */
  undo(undoId: string): Promise<UndoResult | null>;
  /** The saved views of the issue list. */
  listViews(): Promise<readonly SavedView[]>;
  /**
   * Saves a view under its name, or deletes it (`null`). Resolves to all views. A new view is
   * ignored if there are `limits.maxSavedViews` already.
   */
  saveView(name: string, view: Omit<SavedView, "name"> | null): Promise<readonly SavedView[]>;
  /** The current state of the store. */
  getHealth(): Promise<StoreHealth>;
}

/** Where a report is stored, and the issue that counts it. */
export interface ReportLocation {
  readonly digest: Digest;
  readonly position: LogPosition;
  /** Absent if the report was counted without its body. */
  readonly id?: ReportId;
}

/** The storage of the desk: operations of the index, and reads that combine index, log and KV. */
export interface ProjectStore extends IndexOperations {
  /** The newest issues; from the snapshot if the index does not answer quickly. */
  listNewestIssues(): Promise<IssueList>;
  /** Issues with all words of a text, trusted ones first; at most `limits.maxSearchResults`. */
  searchIssues(text: string): Promise<readonly Digest[]>;
  /** An issue from its snapshot (up to a minute old), or from the index; null if unknown. */
  getIssue(digest: Digest): Promise<Issue | null>;
  /**
   * The current issue with all acknowledged reports; its snapshot while the index is unavailable.
   * Null if unknown.
   */
  getFreshIssue(digest: Digest): Promise<Issue | null>;
  /**
   * An issue with its annotations, similar issues and all acknowledged reports. Rejects like an
   * operation of the index.
   */
  getCurrentIssue(digest: Digest): Promise<CurrentIssue>;
  /**
   * The issues of an alias (a normalized foreign code), newest first; for a Ray ID the issue of its
   * newest report, a report of a server before those of pages. From the snapshot while the index is
   * unavailable.
   */
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  /**
   * The location of a report. `id` is its id, the sender's id (the report with the highest trust
   * counts) or a trace ID. Null if unknown.
   */
  locateReport(id: ReportId): Promise<ReportLocation | null>;
  /**
   * Like `locateReport`, for reports of the last day only. The cost is low for any id, because
   * receipts are public.
   */
  locateRecentReport(id: ReportId): Promise<ReportLocation | null>;
  /** The body of a report, from KV or the log; null if it is no longer stored. */
  readReport(summary: Pick<ReportSummary, "position">): Promise<Report | null>;
  /** The bodies of several reports, in order. Each chunk is read once. */
  readReports(
    summaries: readonly Pick<ReportSummary, "position">[],
  ): Promise<readonly (Report | null)[]>;
}

/** A line of an export to be stored. */
export interface ImportLine {
  /** A report, a rollup or counters, as the log stores them. */
  readonly line: string;
  /** The ids that deduplicate it: the report's, those in the rollup, or one for the counters. */
  readonly ids: readonly ReportId[];
}

/** The reports of an export: all, or those that arrived on one UTC day (`2026-11-21`). */
export interface ExportOptions {
  readonly day?: string;
  /** The end of an earlier export of the same reports. */
  readonly cursor?: string;
  /** Names the installation and the project in the header line. */
  readonly source?: string;
}

/** Operations on a whole project, for its owners. Each rejects while a part is unavailable. */
export interface ProjectAdmin {
  /** Starts to rebuild the index and the logs from KV. */
  rebuildIndex(): Promise<void>;
  /** Erases the contents of a report; its issue still counts it. False if there is none. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Starts to erase an issue with its reports. False if there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /** Starts to count the data that contains a text. The caller creates `id`. */
  previewErasure(id: string, text: string): Promise<void>;
  /** The erasure of a text and its progress; null if it is unknown, or expired after an hour. */
  getErasure(id: string): Promise<TextErasure | null>;
  /**
   * Starts to erase every report that contains a text, and the text elsewhere. `id` is the
   * preview's.
   */
  eraseMatching(text: string, id?: string): Promise<void>;
  /** Starts to erase the sessions counted in an environment. */
  eraseSessions(environment: string): Promise<void>;
  /** Starts to erase everything. */
  eraseProject(): Promise<void>;
  /**
   * An export as NDJSON in pieces; the first piece is the first line. The last line has the number
   * of lines between both, and a `next` cursor if another export must continue.
   */
  readExport(options?: ExportOptions): AsyncIterable<Uint8Array>;
  /**
   * Stores lines of an export with unknown ids. Resolves to their number when they are durable, and
   * the index has applied them or is unavailable.
   */
  importLines(lines: readonly ImportLine[]): Promise<number>;
  /** Imports decisions, annotations and views where the project has none. */
  importTriage(records: readonly TriageRecord[]): Promise<void>;
}
