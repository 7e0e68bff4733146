/**
 * The catalog of the chunks that one shard has uploaded, in its object's storage. It finds the
 * chunk of an id or a trace. Recent chunks have a row each (`recent-chunks.ts`), older ones are
 * merged (`id-runs.ts`). Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { LogPosition } from "../../../core/report/report-summary.ts";
import type { ReportId } from "../../../core/report.ts";
import type { ErasedLine } from "../../kv/erase-lines.ts";
import { formatPosition } from "../../kv/keys.ts";
import { upsert } from "../../sqlite/table.ts";
import { hashId, type IdKey } from "./id-key.ts";
import { type ChunkRange, type FoundLine, IdRuns } from "./id-runs.ts";
import type { UploadedChunk } from "./packed-chunks.ts";
import { type NewChunk, RecentChunks } from "./recent-chunks.ts";

const MAX_ERASED_LINES_PER_SWEEP = 1_000;

/** The tables in an object's storage. The constructor creates them. */
export class ChunkCatalog {
  readonly erasedLines: ErasedLines;
  readonly #storage: DurableObjectStorage;
  readonly #shard: string;
  readonly #recent: RecentChunks;
  readonly #runs: IdRuns;

  constructor(storage: DurableObjectStorage, shard: string) {
    this.#storage = storage;
    this.#shard = shard;
    this.#recent = new RecentChunks(storage.sql);
    this.#runs = new IdRuns(storage.sql);
    this.erasedLines = new ErasedLines(storage.sql);
  }

  /** Adds a chunk that is in KV. */
  add(upload: NewChunk): void {
    this.#recent.add(upload);
  }

  /** A chunk in KV; undefined if the catalog does not have it. */
  findUpload(chunk: number): UploadedChunk | undefined {
    return this.#recent.find(chunk) ?? this.#runs.findChunk(chunk);
  }

  /** The number of chunks in KV, and of their lines. */
  countTotals(): { readonly chunks: number; readonly lines: number } {
    const recent = this.#recent.countTotals();
    const older = this.#runs.countTotals();
    return { chunks: recent.chunks + older.chunks, lines: recent.lines + older.lines };
  }

  /** The highest chunk number; 0 without chunks. */
  getLastChunk(): number {
    return Math.max(this.#recent.getLastChunk() ?? 0, this.#runs.getChunkRange()?.last ?? 0);
  }

  /** The chunks uploaded since `sinceMs`. */
  listUploadedSince(
    sinceMs: number,
  ): readonly { chunk: number; hour: string; uploadedMs: number }[] {
    const recent = this.#recent.listUploadedSince(sinceMs);
    return [...recent, ...this.#runs.listUploadedSince(sinceMs)].map(
      ({ chunk, hour, uploadedMs }) => ({ chunk, hour, uploadedMs }),
    );
  }

  /**
   * Unexpired chunks of a range, in no order: at least the first `count` by their numbers, or all
   * if there are fewer.
   */
  listRange(
    range: ChunkRange,
    count: number,
    nowMs: number,
  ): readonly Pick<UploadedChunk, "chunk" | "hour">[] {
    const recent = this.#recent.listRange(range, count, nowMs);
    return [...recent, ...this.#runs.listRange(range, count, nowMs)];
  }

  /** True if there are enough recent chunks to merge. */
  get hasManyRecent(): boolean {
    return this.#recent.hasMany;
  }

  /**
   * Merges some recent chunks into runs, except those whose rows the log still has. Returns the
   * number of merged chunks.
   */
  mergeRecent(): number {
    const merged = this.#recent.listForMerge();
    this.#storage.transactionSync(() => {
      this.#runs.add(merged);
      this.#recent.delete(merged);
    });
    return merged.length;
  }

  /**
   * Deletes chunks expired before `nowMs`, and erased lines of earlier chunks: at most `maxRuns`
   * runs. True if there may be more.
   */
  deleteExpired(nowMs: number, maxRuns: number): boolean {
    this.#recent.deleteExpired(nowMs);
    const hasMoreRuns = this.#runs.deleteExpired(nowMs, maxRuns);
    const firstChunk = Math.min(
      this.#recent.getFirstChunk() ?? Number.MAX_SAFE_INTEGER,
      this.#runs.getChunkRange()?.first ?? Number.MAX_SAFE_INTEGER,
    );
    return this.erasedLines.deleteBefore(firstChunk, MAX_ERASED_LINES_PER_SWEEP) || hasMoreRuns;
  }

  /**
   * Deletes the ids of the `maxRuns` oldest runs, but keeps their chunks. False if there are none.
   */
  dropOldestIds(maxRuns: number): boolean {
    return this.#storage.transactionSync(() => this.#runs.dropOldestIds(maxRuns));
  }

  /** The upload time, ms, up to which ids are dropped; undefined if none is. */
  getDroppedMs(): number | undefined {
    return this.#runs.getDroppedMs();
  }

  /** The keys of the ids and traces uploaded since `sinceMs`, and of some that are older. */
  *readKeysSince(sinceMs: number): Generator<{ readonly key: IdKey; readonly uploadedMs: number }> {
    yield* this.#runs.readKeysSince(sinceMs);
    yield* this.#recent.readKeysSince(sinceMs);
  }

  /** The ids of recent chunks uploaded since `sinceMs`, with their positions. */
  *readRecentIds(sinceMs: number): Generator<{ id: ReportId; position: LogPosition }> {
    for (const found of this.#recent.readIdsSince(sinceMs))
      yield { id: found.id, position: this.#toPosition(found) };
  }

  /** The reports of a trace or Ray ID, newest first; at most `limits.maxReportsPerCode`. */
  findByTrace(id: ReportId): readonly LogPosition[] {
    return [...this.#runs.find(hashId(id, "trace")), ...this.#recent.findByTrace(id)]
      .sort((a, b) => b.chunk - a.chunk || b.line - a.line)
      .slice(0, limits.maxReportsPerCode)
      .map((found) => this.#toPosition(found));
  }

  /** The positions of those ids that a chunk has: the newest for each. */
  findByIds(ids: readonly ReportId[]): ReadonlyMap<ReportId, LogPosition> {
    const recent = this.#recent.findByIds(ids);
    const positions = new Map<ReportId, LogPosition>();
    for (const id of ids) {
      const ofRecent = recent.get(id);
      const [found] = ofRecent === undefined ? this.#runs.find(hashId(id)) : [ofRecent];
      if (found !== undefined) positions.set(id, this.#toPosition(found));
    }
    return positions;
  }

  /** Call after the rows were wiped. */
  clearCache(): void {
    this.#recent.clearCache();
    this.#runs.clearCache();
  }

  #toPosition({ chunk, hour, line }: FoundLine): LogPosition {
    return formatPosition({ hour, shard: this.#shard, chunk, line });
  }
}

const SAVE = upsert("erased_line", ["chunk", "line"], ["is_removed", "replacement"]);

type StoredErasedLine = Pick<ErasedLine, "line" | "isRemoved" | "replacement">;

/** The erased lines of chunks: KV may return a chunk's earlier value for a minute. Synchronous. */
class ErasedLines {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(chunk: number, lines: readonly StoredErasedLine[]): void {
    for (const { line, isRemoved, replacement = null } of lines)
      this.#sql.exec(SAVE, chunk, line, isRemoved ? 1 : 0, replacement);
  }

  list(chunk: number): readonly StoredErasedLine[] {
    const query = "SELECT line, is_removed, replacement FROM erased_line WHERE chunk = ?";
    return this.#sql
      .exec<{ line: number; is_removed: number; replacement: string | null }>(query, chunk)
      .toArray()
      .map(({ line, is_removed, replacement }) => ({
        line,
        isRemoved: is_removed === 1,
        replacement: replacement ?? undefined,
      }));
  }

  /** Deletes at most `maxLines` lines of chunks before `chunk`. True if there may be more. */
  deleteBefore(chunk: number, maxLines: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM erased_line WHERE (chunk, line) IN (
         SELECT chunk, line FROM erased_line WHERE chunk < ? ORDER BY chunk LIMIT ?)`,
      chunk,
      maxLines,
    );
    return rowsWritten >= maxLines;
  }
}
