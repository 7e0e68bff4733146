/**
 * The RPC interface of ReportLog. Arguments and results are plain data, because they are cloned. A
 * report is sent as its stored line, so that it is serialized only once.
 */
import type { AppendResult, ImportLine } from "../../core/ports/storage-ports.ts";
import type { LogPosition, ReportSummary } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import type { Result } from "../../core/result.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import type { ChunkLines } from "../kv/chunk.ts";
import type { ErasedLine, Erasure, LineCounts } from "../kv/erase-lines.ts";
import type { ParsedPosition } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";

/** A report to append. */
export interface LogEntry {
  readonly id: ReportId;
  /** The id that a retry may have instead. */
  readonly retryId?: ReportId;
  /** Number of attachments. */
  readonly fileCount?: number;
  /** The report as one line of JSON. */
  readonly line: string;
  /** The summary for the index; the log adds the position. */
  readonly summary: Omit<ReportSummary, "position">;
  /** When the Worker received the report, ms. */
  readonly receivedAtMs?: number;
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

/** The methods of ReportLog. */
export interface ReportLogRpc {
  /**
   * Appends the parts of several requests. Resolves when everything is durable, with one outcome
   * per part. A part that cannot be written does not make the others fail.
   */
  append(parts: readonly AppendPart[]): Promise<readonly AppendOutcome[]>;
  /** The line at a position, from the log or KV; null if it is no longer stored. */
  readLine(position: LogPosition): Promise<string | null>;
  /**
   * The position of a report of any age, otherwise of the first of `otherIds` that is stored. Null
   * if this shard never stored one of them.
   */
  locate(id: ReportId, otherIds?: readonly ReportId[]): Promise<LogPosition | null>;
  /**
   * Like `locate`, for reports of the last day. For an unknown id, the call costs almost nothing.
   */
  locateRecent(id: ReportId, otherIds?: readonly ReportId[]): Promise<LogPosition | null>;
  /** The reports of a trace or Ray ID (as `toTraceId` returns it). */
  locateByTrace(traceId: ReportId): Promise<TracedReports>;
  /**
   * Resolves when the index has applied all acknowledged rows. `startId`: the index's, if it may
   * have restarted.
   */
  flush(startId?: string): Promise<void>;
  getHealth(): Promise<ShardHealth>;
  /** Closes the open chunk. Resolves to the contents of the log before the next one. */
  checkpoint(): Promise<LogCheckpoint>;
  /** Like `checkpoint`, and resends every row to the index, which was reset. */
  replay(): Promise<LogCheckpoint>;
  /**
   * Adds chunks found in KV to the catalog and reserves chunk numbers up to `lastChunk`. Resolves
   * to the lines erased from these chunks.
   */
  catalogChunks(
    chunks: readonly CatalogedChunk[],
    lastChunk: number,
  ): Promise<readonly ErasedLine[]>;
  /** The lines that `eraseFromChunk` would erase. Rejects if KV fails. */
  findInChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]>;
  /** Erases from one chunk, in rows and in KV. Rejects if KV fails; the call can be repeated. */
  eraseFromChunk(chunk: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]>;
  /** Counts the reports of one chunk that contain a text. Rejects if KV fails. */
  countMatches(chunk: ChunkRef, text: string): Promise<LineCounts>;
  /** Deletes everything. Resolves to the last row's number: rows up to it are obsolete. */
  wipe(): Promise<number>;
  /** The lines and extra ids of a chunk whose rows are here; none if they are not. */
  readLocalChunk(chunk: number): Promise<ChunkLines>;
  /** Reads the next chunks of an export. Rejects if KV fails. */
  exportChunks(range: ExportRange): Promise<ExportedPart>;
  /** As `ProjectAdmin.importLines`. */
  importLines(lines: readonly ImportLine[]): Promise<number>;
}

/** The reports of a trace, newest first. */
export interface TracedReports {
  readonly ofServers: readonly LogPosition[];
  /** Reports without a server key, if no server reported the trace. */
  readonly others: readonly LogPosition[];
}

/** The chunks of an export: those after the number `after`, of one day or until a day. */
export interface ExportRange {
  readonly after: number;
  /** The most chunks in one part. */
  readonly maxChunks: number;
  /** Only chunks of this day: `20261121`. */
  readonly day?: string;
  /** Excludes chunks of later days. */
  readonly untilDay?: string;
}

/** Some chunks as lines of an export. */
export interface ExportedPart {
  /** UTF-8; each line ends with a line feed. Read it to the end, or cancel it. */
  readonly bytes: ReadableStream<Uint8Array>;
  /** The last chunk of the part, or `after` if it has none. */
  readonly lastChunk: number;
  /** The hour of the next chunk; null if there is none. */
  readonly nextHour: string | null;
}

/** A chunk of one shard. */
export type ChunkRef = Pick<ParsedPosition, "chunk" | "hour">;

/** The contents of a log at one moment. */
export interface LogCheckpoint {
  /** Chunks with this number or a higher one are newer than the checkpoint. */
  readonly nextChunk: number;
  /** The number before the first row that the log still has. */
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

export interface ReportLogObject extends ReportLogRpc, Rpc.DurableObjectBranded {}
