/**
 * The RPC interfaces of the Durable Objects. Arguments and results are plain data, because they are
 * cloned. A report is sent as the line that will be stored: it is serialized once.
 */

import type { Actor } from "../../core/accounts/actors.ts";
import type { RegistryChange } from "../../core/accounts/apply-change.ts";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import type { RegistryChangeResult, RegistryFailure } from "../../core/accounts/change-types.ts";
import type { LeakedKey } from "../../core/accounts/key-leaks.ts";
import type { RegistryState } from "../../core/accounts/registry.ts";
import type { SentAlert } from "../../core/alerts/sent-alert.ts";
import type { TextErasure } from "../../core/erasure.ts";
import type { Issue, IssueList } from "../../core/issue/issue.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import type { AuditedAction } from "../../core/ports/accounts-port.ts";
import type { AppendResult, ImportLine, IndexQueries } from "../../core/ports/storage-ports.ts";
import type { LogPosition, ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { Result } from "../../core/result.ts";
import type { CounterDelta, DailyCounters } from "../../core/stats/counters.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import type { Trust } from "../../core/trust/trust.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import type { ErasedLine, Erasure, LineCounts } from "../kv/erase-lines.ts";
import type { ParsedPosition } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import type { ProjectFacts, RuleSet } from "./alerts-rpc.ts";
import type { Job } from "./job.ts";

/** A report to append. */
export interface LogEntry {
  readonly id: ReportId;
  /** The id that a retry may have instead. */
  readonly retryId?: ReportId;
  /** Number of attachments. */
  readonly fileCount?: number;
  /** The report as one line of JSON. */
  readonly line: string;
  /** For the index; the log adds the position. */
  readonly summary: Omit<ReportSummary, "position">;
}

/** Reports and counters of a request. With `ifNew`, the counters count only if an entry is new. */
export interface AppendPart {
  readonly entries: readonly LogEntry[];
  readonly counters: readonly CounterDelta[];
  readonly ifNew?: boolean;
}

/** One result per entry, or why the part may not be durable. */
export type AppendOutcome = Result<
  readonly AppendResult[],
  { readonly reason: "not-written"; readonly cause: string }
>;

/** A report, a rollup or counters, as the index applies them. */
export type IndexItem =
  | {
      readonly summary: ReportSummary;
      /** The text that its issue is found by; only of the first report of an issue and hour. */
      readonly searchText?: string;
      /** Set for a report of an import: it makes no alert. */
      readonly isImported?: true;
    }
  | { readonly dailyCounters: DailyCounters };

/** An item with its log row. Rows are numbered without gaps. */
export type SequencedItem = IndexItem & { readonly seq: number };

/** The methods of ReportLog. */
export interface ReportLogRpc {
  /**
   * Appends the parts of several requests. Resolves when everything is durable, with one outcome
   * per part; a part that cannot be written does not fail the others.
   */
  append(parts: readonly AppendPart[]): Promise<readonly AppendOutcome[]>;
  /** The line at a position, from the log or KV; null if it is no longer stored. */
  readLine(position: LogPosition): Promise<string | null>;
  /**
   * The position of a report of any age, otherwise of the first of `otherIds` that is stored. Null
   * if this shard never stored one of them.
   */
  locate(id: ReportId, otherIds?: readonly ReportId[]): Promise<LogPosition | null>;
  /** The same for reports of the last day: the call costs an unknown id almost nothing. */
  locateRecent(id: ReportId, otherIds?: readonly ReportId[]): Promise<LogPosition | null>;
  /** The reports of a trace or Ray ID (as `toTraceId` returns it). */
  locateByTrace(traceId: ReportId): Promise<TracedReports>;
  /**
   * Resolves when the index has applied everything acknowledged so far. `startId`: that of the
   * index, if it may have restarted.
   */
  flush(startId?: string): Promise<void>;
  getHealth(): Promise<ShardHealth>;
  /** Closes the open chunk. Resolves to what the log holds before the next one. */
  checkpoint(): Promise<LogCheckpoint>;
  /** The same, and sends every row to the index again: the index was reset. */
  replay(): Promise<LogCheckpoint>;
  /**
   * Adds chunks found in KV to the catalog and reserves chunk numbers up to `lastChunk`. Resolves
   * to the lines erased from these chunks.
   */
  catalogChunks(
    chunks: readonly CatalogedChunk[],
    lastChunk: number,
  ): Promise<readonly ErasedLine[]>;
  /** Erases from one chunk, here and in KV. Rejects if KV fails; the call can be repeated. */
  eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]>;
  /** Counts the reports of one chunk that contain a text. Rejects if KV fails. */
  countMatches(chunk: ChunkRef, text: string): Promise<LineCounts>;
  /** Deletes everything. Resolves to the last row's number: rows up to it are obsolete. */
  wipe(): Promise<number>;
  /** The lines and extra ids of a chunk whose rows are here; none if they are not. */
  readLocalChunk(chunk: number): Promise<ChunkLines>;
  /** Reads the next chunks of an export. Rejects if KV fails. */
  exportChunks(range: ExportRange): Promise<ExportedPart>;
  /** Stores exported lines with unknown ids. Resolves to their number. */
  importLines(lines: readonly ImportLine[]): Promise<number>;
}

/** The reports of a trace, newest first. */
export interface TracedReports {
  readonly ofServers: readonly LogPosition[];
  /** Reports without a server key; only if no server reported the trace. */
  readonly others: readonly LogPosition[];
}

/** The chunks of an export: those after the number `after`, of one day or until a day. */
export interface ExportRange {
  readonly after: number;
  /** The most chunks in one part. */
  readonly maxChunks: number;
  /** Only chunks of this day: `20261121`. */
  readonly day?: string;
  /** No chunks of later days. */
  readonly untilDay?: string;
}

/** Some chunks as lines of an export. */
export interface ExportedPart {
  /** UTF-8; each line ends with a line feed. Read it to the end, or cancel it. */
  readonly bytes: ReadableStream<Uint8Array>;
  /** The last chunk of the part, or `after` if it has none. */
  readonly lastChunk: number;
  /** The hour of the next chunk; null without one. */
  readonly nextHour: string | null;
}

/** A chunk of one shard. */
export type ChunkRef = Pick<ParsedPosition, "chunk" | "hour">;

/** The contents of a log at one moment. */
export interface LogCheckpoint {
  /** Chunks from this number on are newer. */
  readonly nextChunk: number;
  /** The last row before those that the log still has. */
  readonly lastDeletedSeq: number;
  /** Chunks whose rows the log still has, uploaded or not. */
  readonly localChunks: readonly ChunkRef[];
  /** Chunks uploaded so recently that KV's list may miss them. */
  readonly recentUploads: readonly (ChunkRef & { readonly uploadedMs: number })[];
}

/** A chunk in KV, as the catalog stores it. */
export interface CatalogedChunk extends ChunkRef {
  /** One per line; `NO_ID` for a line without an id. */
  readonly ids: readonly ReportId[];
  readonly extraIds: readonly IdAtLine[];
  readonly traceIds: readonly IdAtLine[];
  readonly uploadedMs: number;
  readonly expiresAtMs: number;
}

/** The result of `applyRows`. */
export interface ApplyResult {
  /** The last applied row: the log continues after it. */
  readonly seq: number;
  /** The last row whose changes are stored: the log keeps later rows. */
  readonly storedSeq: number;
  /** Identifies the index until it restarts, which loses the changes that are not stored. */
  readonly startId: string;
  /** The common issues among the applied ones: their chunks need shorter retention. */
  readonly commonIssues: readonly Digest[];
}

/** The methods of ProjectIndex. The queries of the desk are declared with its port. */
export interface ProjectIndexRpc extends IndexQueries {
  /**
   * Applies whole rows of a shard's log, in order. A row counts once, however often it is sent.
   * With the `startId` of an earlier result the rows follow those that the index had then: if it
   * restarted since, it applies none, and the log sends again what is not stored. Without rows it
   * stores what waits, unless it is busy. Rejects during a rebuild.
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
  /** Counts a spool write of reports of this level; false if the day has none left for it. */
  takeSpoolWrite(trust: Exclude<Trust, "server">): Promise<boolean>;
  getIssue(digest: Digest): Promise<Issue | null>;
  /** The issue that counts a report. */
  resolveIssue(summary: ReportSummary): Promise<Digest>;
  listNewestIssues(): Promise<IssueList>;
  /** Issues that contain all words of the text, trusted ones first; at most `count`. */
  searchIssues(text: string, count: number): Promise<readonly Digest[]>;
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  /** Adds a job after those in progress. It continues without further calls. */
  enqueueJob(job: Job): Promise<void>;
  /** Starts to count what contains a text. `id` is a new one, of the caller. */
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
  /** Replaces the rules by which alerts are judged. */
  setAlertRules(rules: RuleSet): Promise<void>;
  /** Issues as they are now, null for those that do not exist. Rejects during a rebuild. */
  readAlertedIssues(digests: readonly Digest[]): Promise<readonly (Issue | null)[]>;
  /** Adds an alert that a destination accepted to the activity of its issues. */
  recordSentAlert(digests: readonly Digest[], sent: SentAlert): Promise<void>;
  /** The facts of the project that alerts are about. */
  readProjectFacts(): Promise<ProjectFacts>;
  /** The configured shards, and those of earlier configurations. */
  listShards(): Promise<readonly string[]>;
}

/** A part of the triage of a project; `next` is the cursor of the next part. */
export interface TriagePart {
  readonly records: readonly TriageRecord[];
  readonly next?: string;
}

/** The result of a registry change, or why it was refused. */
export type ChangedRegistry = Result<{ readonly made: RegistryChangeResult }, RegistryFailure>;

/** The methods of Registry. */
export interface RegistryRpc {
  /** The registry; null if its version is `known`. */
  readIfNewer(known: number): RegistryState | null;
  applyChange(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry>;
  /** Whether `actor` may do this now. Writes it to the audit log. */
  authorizeAction(actor: Actor, action: AuditedAction): boolean;
  /** Marks whether a project has uploads or facts of releases. */
  markArtifacts(project: string, hasArtifacts: boolean): Promise<void>;
  /** Removes a deleted project whose data is erased. */
  confirmErased(project: string): Promise<void>;
  /** Entries of the audit log before the number `before`, newest first. */
  listAuditEntries(project: string, before?: number): readonly AuditEntry[];
  /** When each session and token was last used, by id, in milliseconds since 1970. */
  getLastUses(): Readonly<Record<string, number>>;
  /** Records the use of a session or token. */
  recordUse(id: string): void;
  /** Marks a server key as leaked, if it is valid and not marked. Resolves to the registry. */
  recordKeyLeak(leak: LeakedKey): Promise<RegistryState>;
}

export interface ReportLogObject extends ReportLogRpc, Rpc.DurableObjectBranded {}

export interface ProjectIndexObject extends ProjectIndexRpc, Rpc.DurableObjectBranded {
  /** Closes every live WebSocket; clients reconnect if they still have access. */
  closeLiveSockets(): void;
}

export interface RegistryObject extends RegistryRpc, Rpc.DurableObjectBranded {}
