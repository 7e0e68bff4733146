/**
 * What the Worker and the two objects say to each other. Arguments and answers cross a structured clone, so they are plain
 * data; a report travels as the line that will be stored, so that it is written as JSON once.
 */

import type { RegistryChange } from "../../core/accounts/apply-change.ts";
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import type { RegistryChangeResult, RegistryFailure } from "../../core/accounts/change-types.ts";
import type { Actor } from "../../core/accounts/permissions.ts";
import type { RegistryState } from "../../core/accounts/registry.ts";
import type { AnnotationChange, Annotations } from "../../core/issue/annotations.ts";
import type { DecisionInput } from "../../core/issue/decision.ts";
import type { Issue, IssueList, IssueSummary } from "../../core/issue/issue.ts";
import type {
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueQuery,
  SavedView,
} from "../../core/issue/issue-query.ts";
import type { LiveEvent } from "../../core/issue/live-event.ts";
import type { TriageRecord } from "../../core/issue/triage-record.ts";
import type { AuditedAction } from "../../core/ports/accounts-port.ts";
import type { AppendResult, ImportLine } from "../../core/ports/storage-ports.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import type { LogPosition, ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { Result } from "../../core/result.ts";
import type { CounterDelta, DailyCounter, DailyCounters } from "../../core/stats/counters.ts";
import type { ShardHealth, StoreHealth } from "../../core/stats/store-health.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import type { ErasedLine, Erasure } from "../kv/erase-lines.ts";
import type { ParsedPosition } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import type { Job } from "./job.ts";

/** A report on its way into the log. */
export interface LogEntry {
  readonly id: ReportId;
  /** The id that a retry of it may have instead. */
  readonly retryId?: ReportId;
  /** How many files came with it. */
  readonly fileCount?: number;
  /** The report as one line of JSON. */
  readonly line: string;
  /** What the index will be told; the log adds the position. */
  readonly summary: Omit<ReportSummary, "position">;
}

/** A mark, or tallies, and the log row that they stand in. Numbers grow with each row, without gaps. */
export type SequencedItem =
  | {
      readonly seq: number;
      readonly summary: ReportSummary;
      /** What its issue is found by; of the first report of an issue and hour. */
      readonly searchText?: string;
    }
  | { readonly seq: number; readonly dailyCounters: DailyCounters };

/** What ReportLog answers to. */
export interface ReportLogRpc {
  /** With `ifNew` the tallies count only if one of the entries is new. */
  append(
    entries: readonly LogEntry[],
    counters: readonly CounterDelta[],
    ifNew?: boolean,
  ): Promise<readonly AppendResult[]>;
  /** The line at a position, from the log or from KV as it is seen from here; null when it is no longer kept. */
  readLine(position: LogPosition): Promise<string | null>;
  /** Where the report with this id is, over the whole retention; null when this shard never had it. */
  locate(id: ReportId): Promise<LogPosition | null>;
  /** The same for the newest reports of the last day, in no more time than it takes to remember: for whoever may be a stranger. */
  locateRecent(id: ReportId): Promise<LogPosition | null>;
  /** Where reports are that a trace or a Ray ID names, as an id (`traced.ts`); the newest first. */
  locateByTrace(id: ReportId): Promise<readonly LogPosition[]>;
  /** Resolves when everything acknowledged has been handed to the index. */
  flush(): Promise<void>;
  getHealth(): Promise<ShardHealth>;
  /** Closes the open chunk, and says what there is before the next one. */
  checkpoint(): Promise<LogCheckpoint>;
  /** The same, and hands over everything that it holds once more: the index has begun anew. */
  replay(): Promise<LogCheckpoint>;
  /**
   * Takes chunks of the record into the catalogue; chunk numbers up to `lastChunk` count as used. Gives the lines of these chunks
   * that were erased.
   */
  catalogChunks(
    chunks: readonly CatalogedChunk[],
    lastChunk: number,
  ): Promise<readonly ErasedLine[]>;
  /**
   * Erases from one chunk, in the log and in KV; gives the lines that it met. Rejects while KV refuses: it may be asked again.
   */
  eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]>;
  /** Forgets everything; gives the last row's number: what comes of that or an earlier one is late. */
  wipe(): Promise<number>;
  /** The lines of a chunk that is still here, with the ids that its sums stand for; none when it is not. */
  readLocalChunk(chunk: number): Promise<ChunkLines>;
  /** Writes lines of an export, those that are not known yet. Gives how many were. */
  importLines(lines: readonly ImportLine[]): Promise<number>;
}

/** A chunk of one shard. */
export type ChunkRef = Pick<ParsedPosition, "chunk" | "hour">;

/** What a log holds at one moment. */
export interface LogCheckpoint {
  /** Chunks from this number on are newer. */
  readonly nextChunk: number;
  /** The last row before those that are here. */
  readonly lastDeletedSeq: number;
  /** Chunks whose rows are here, copied or not. */
  readonly localChunks: readonly ChunkRef[];
  /** Chunks that were copied so recently that KV's list may miss them. */
  readonly recentUploads: readonly (ChunkRef & { readonly uploadedMs: number })[];
}

/** A chunk of the record, as the catalogue has it. */
export interface CatalogedChunk extends ChunkRef {
  /** Of each line, `NO_ID` where it has none. */
  readonly ids: readonly ReportId[];
  readonly extraIds: readonly IdAtLine[];
  readonly traceIds: readonly IdAtLine[];
  readonly uploadedMs: number;
  readonly expiresAtMs: number;
}

/** What the index says of a delta. */
export interface ApplyResult {
  /** The last row that is counted: the log sends on from behind it. */
  readonly seq: number;
  /** Issues of the delta of which there is plenty: their bodies need not be kept long. */
  readonly commonIssues: readonly Digest[];
}

/** What ProjectIndex answers to. */
export interface ProjectIndexRpc {
  /**
   * Counts what stands in whole rows of a shard's log, in order. A row counts once, however often it is sent. Rejects while the
   * index is made anew.
   */
  applyRows(shard: string, rows: readonly SequencedItem[]): Promise<ApplyResult>;
  /**
   * A log began, its rows behind this number. If earlier rows of the shard were counted it has lost its storage: both are made anew.
   */
  onLogCreated(shard: string, seq: number): Promise<void>;
  getIssue(digest: Digest): Promise<Issue | null>;
  /** The issue that a report with this mark counts in. */
  resolveIssue(summary: ReportSummary): Promise<Digest>;
  listNewestIssues(): Promise<IssueList>;
  listIssues(query: IssueQuery, from: IssueCursor | undefined): Promise<IssueListPage>;
  listFacets(query: IssueQuery): Promise<readonly IssueFacet[]>;
  /** Issues that share telling words, the likeliest first. */
  listSimilarIssues(digest: Digest): Promise<readonly IssueSummary[]>;
  listReleases(): Promise<readonly ReleaseSummary[]>;
  /** The newest reports, newest first. */
  listLiveEvents(): Promise<readonly LiveEvent[]>;
  getAnnotations(digest: Digest): Promise<Annotations>;
  /** Changes what people added; null when there is no such issue. */
  annotate(digest: Digest, change: AnnotationChange): Promise<Annotations | null>;
  listViews(): Promise<readonly SavedView[]>;
  saveView(name: string, view: Omit<SavedView, "name"> | null): Promise<readonly SavedView[]>;
  /** Issues that have all words of the text, the best match first; at most `count`. */
  searchIssues(text: string, count: number): Promise<readonly Digest[]>;
  listCounters(days: number): Promise<readonly DailyCounter[]>;
  /** Decides about an issue; null when there is none. */
  decide(digest: Digest, input: DecisionInput): Promise<Issue | null>;
  /** Decides about many; gives those that there are. */
  decideMany(digests: readonly Digest[], input: DecisionInput): Promise<readonly Digest[]>;
  /** Puts a task behind those that are under way; it goes on by itself. */
  enqueueJob(job: Job): Promise<void>;
  /** Resolves when no snapshot is on its way into KV. */
  waitForSnapshots(): Promise<void>;
  /** Begins to erase an issue; false when there is none. */
  eraseIssue(digest: Digest): Promise<boolean>;
  /** Erases one report; false when no shard has it. Rejects while KV refuses. */
  eraseReport(id: ReportId): Promise<boolean>;
  /** Takes what people did from an export, where nothing of that kind is known. */
  importTriage(records: readonly TriageRecord[]): Promise<void>;
  /** The shards that there are, and those that there were while the setting said more. */
  listShards(): Promise<readonly string[]>;
  /** What people did: decisions, notes and views. */
  exportTriage(): Promise<readonly TriageRecord[]>;
  findIssuesByAlias(alias: string): Promise<readonly Digest[]>;
  getHealth(): Promise<StoreHealth>;
}

/** What a change of the registry made, or why it was refused. */
export type ChangedRegistry = Result<{ readonly made: RegistryChangeResult }, RegistryFailure>;

/** What Registry answers to. */
export interface RegistryRpc {
  /** The registry; null when its version is `known`. */
  readIfNewer(known: number): RegistryState | null;
  applyChange(actor: Actor | null, change: RegistryChange): Promise<ChangedRegistry>;
  /** Whether `actor` may do this now; notes it in the audit log. */
  authorizeAction(actor: Actor, action: AuditedAction): boolean;
  /** Forgets a deleted project whose data is erased. */
  confirmErased(project: string): Promise<void>;
  /** Entries of the audit log, the newest first, before the number `before`. */
  listAuditEntries(project: string, before?: number): readonly AuditEntry[];
  /** When sessions and tokens were last used, by id, in milliseconds since 1970. */
  getLastUses(): Readonly<Record<string, number>>;
  /** Notes that a session or a token was used. */
  recordUse(id: string): void;
}

/** ReportLog, as a binding reaches it. */
export interface ReportLogObject extends ReportLogRpc, Rpc.DurableObjectBranded {}

/** ProjectIndex, as a binding reaches it. */
export interface ProjectIndexObject extends ProjectIndexRpc, Rpc.DurableObjectBranded {
  /** Closes every WebSocket of those who watch. */
  dismissWatchers(): void;
}

/** Registry, as a binding reaches it. */
export interface RegistryObject extends RegistryRpc, Rpc.DurableObjectBranded {}
