/**
 * The RPC interface of ProjectIndex. Arguments and results are plain data, because they are cloned.
 */

import type { AlertedFacts } from "../../core/alerts/judging/keep-wanted.ts";
import type { PeriodFacts, PeriodQuery } from "../../core/alerts/periods/period-facts.ts";
import type { SentAlert } from "../../core/alerts/sent-alert.ts";
import type { TextErasure } from "../../core/erasure.ts";
import type { Issue, IssueList } from "../../core/issue/issue.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import type { CurrentIssue, IndexOperations } from "../../core/ports/storage-ports.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { DailyCounters } from "../../core/stats/counters.ts";
import type { StoreHealth } from "../../core/stats/store-health.ts";
import type { Trust } from "../../core/trust/trust.ts";
import type { ProjectFacts, RuleSet } from "./alerts-rpc.ts";
import type { Job } from "./job.ts";

/** A report, a rollup or counters, as the index applies them. */
export type IndexItem =
  | {
      readonly summary: ReportSummary;
      /** The text that finds its issue; only for the first report of an issue and hour. */
      readonly searchText?: string;
      /** When the Worker received the report, ms; absent for a rollup. */
      readonly receivedAtMs?: number;
      /** Set for a report of an import, which causes no alert. */
      readonly isImported?: true;
    }
  | { readonly dailyCounters: DailyCounters };

/** An item with its log row. Rows are numbered without gaps. */
export type SequencedItem = IndexItem & { readonly seq: number };

/** The result of `applyRows`. */
export interface ApplyResult {
  /** The last applied row: the log continues after it. */
  readonly seq: number;
  /** The last row whose changes are stored: the log keeps later rows. */
  readonly storedSeq: number;
  /** Changes when the index restarts, which loses the changes that are not stored. */
  readonly startId: string;
  /** The common issues among the applied ones: their chunks need shorter retention. */
  readonly commonIssues: readonly Digest[];
}

/** The methods of ProjectIndex. */
export interface ProjectIndexRpc {
  /** Calls a method of `IndexOperations`. Rejects during a rebuild. */
  operate(name: keyof IndexOperations, args: readonly unknown[]): Promise<unknown>;
  /** The current state of the store. */
  getHealth(): Promise<StoreHealth>;
  /**
   * Applies whole rows of a shard's log, in order. A row counts once, even if it is sent again.
   * With the `startId` of an earlier result, the rows follow those of that result. If the index has
   * restarted since, it applies none, and the log resends all rows that are not stored. Without
   * rows it stores staged changes, unless it is busy. Rejects during a rebuild.
   */
  applyRows(shard: string, rows: readonly SequencedItem[], startId?: string): Promise<ApplyResult>;
  /**
   * A log was created whose rows start after `seq`. If earlier rows of the shard were applied, the
   * log lost its storage, and the index starts a rebuild.
   */
  onLogCreated(shard: string, seq: number): Promise<void>;
  /**
   * Source maps are readable since the upload with this number; null if there are none. The index
   * resolves the stacks of its newest issues.
   */
  onUploaded(newest: number | null): Promise<void>;
  /** Counts a spool write of reports of this level; false if the day's limit is reached. */
  takeSpoolWrite(trust: Exclude<Trust, "server">): Promise<boolean>;
  getIssue(digest: Digest): Promise<Issue | null>;
  /** The current state of an issue, with its annotations and similar issues. */
  getCurrentIssue(digest: Digest): Promise<CurrentIssue>;
  /** The issue that counts a report. */
  resolveIssue(summary: ReportSummary): Promise<Digest>;
  listNewestIssues(): Promise<IssueList>;
  /** Issues that contain all words of the text, trusted ones first; at most `count`. */
  searchIssues(text: string, count: number): Promise<readonly Digest[]>;
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  /** Adds a job after those in progress. It continues without further calls. */
  enqueueJob(job: Job): Promise<void>;
  /** Starts to count reports and issues that contain a text. The caller chooses a new `id`. */
  previewErasure(id: string, text: string): Promise<void>;
  /** The erasure of a text and its progress; null if it is unknown. */
  getErasure(id: string): Promise<TextErasure | null>;
  /** Resolves when no snapshot is being written. */
  waitForSnapshots(): Promise<void>;
  /** Starts to erase an issue; false if there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /** Erases one report; false if no shard has it. Rejects if KV fails. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Imports decisions, annotations and views where the project has none. */
  importTriage(records: readonly TriageRecord[]): Promise<void>;
  /** The first records of triage, or those after a cursor. */
  exportTriage(cursor?: string): Promise<TriagePart>;
  /** Replaces the alert rules. */
  setAlertRules(rules: RuleSet): Promise<void>;
  /** The current issues, null for those that do not exist. Rejects during a rebuild. */
  readAlertedIssues(digests: readonly Digest[]): Promise<readonly (AlertedFacts | null)[]>;
  /** The names of the members who resolved these issues last; null for unknown ones. */
  readResolvers(digests: readonly Digest[]): Promise<readonly (string | null)[]>;
  /** Adds an alert that a destination accepted to the activity of its issues. */
  recordSentAlert(digests: readonly Digest[], sent: SentAlert): Promise<void>;
  /** The facts of the project that alerts are about. */
  readProjectFacts(): Promise<ProjectFacts>;
  /** The facts of a period, for a summary by mail. Rejects during a rebuild. */
  readPeriod(query: PeriodQuery): Promise<PeriodFacts>;
  /** The configured shards, and those of earlier configurations. */
  listShards(): Promise<readonly string[]>;
}

/** A part of the triage of a project; `next` is the cursor of the next part. */
export interface TriagePart {
  readonly records: readonly TriageRecord[];
  readonly next?: string;
}

export interface ProjectIndexObject extends ProjectIndexRpc, Rpc.DurableObjectBranded {
  /** Closes every live WebSocket; clients reconnect if they still have access. */
  closeLiveSockets(): void;
}
