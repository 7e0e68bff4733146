/**
 * The catalog of the chunks that one shard has uploaded, in its object's storage. It finds the
 * chunk of an id or a trace. Synchronous.
 *
 *     chunk   one row per recent chunk, with the ids of its lines (16 bytes each, in order), in
 *             `extra_ids` ids without a line of their own, in `trace_ids` traces and Ray IDs
 *     id_run  older chunks, merged (`id-runs.ts`)
 */

import { limits } from "../../../core/limits.ts";
import type { LogPosition } from "../../../core/report/report-summary.ts";
import type { ReportId } from "../../../core/report.ts";
import { formatPosition } from "../../kv/keys.ts";
import {
  type IdAtLine,
  NO_ID,
  packIds,
  packIdsAtLines,
  unpackIds,
  unpackIdsAtLines,
} from "../../kv/packed-ids.ts";
import { ErasedLines } from "./erased-lines.ts";
import { hashId, type IdKey } from "./id-key.ts";
import {
  type ChunkEntries,
  type ChunkRange,
  type FoundLine,
  IdRuns,
  RUN_ENTRIES,
} from "./id-runs.ts";
import type { UploadedChunk } from "./packed-chunks.ts";

/** Chunks that are merged at once. */
const MERGED_CHUNKS = 64;
/** Ids and traces after which a merge takes no further chunk: about 15 ms of CPU. */
const MERGED_ENTRIES = 8_192;

const MAX_ERASED_LINES_PER_SWEEP = 1_000;

/** A row of `chunk`. */
type ChunkRow = {
  readonly [K in keyof UploadedChunk]: UploadedChunk[K];
} & {
  readonly ids: ArrayBuffer;
  readonly extraIds: ArrayBuffer | null;
  readonly traceIds: ArrayBuffer | null;
};

const SELECT_CHUNKS = `SELECT chunk, hour, line_count AS lineCount, uploaded_ms AS uploadedMs,
  expires_ms AS expiresAtMs, ids, extra_ids AS extraIds, trace_ids AS traceIds FROM chunk`;

/** The tables in an object's storage. The constructor creates them. */
export class ChunkCatalog {
  readonly erasedLines: ErasedLines;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #shard: string;
  readonly #runs: IdRuns;
  /** Totals of the table `chunk`; undefined until they are needed. */
  #recent: { chunks: number; lines: number } | undefined;

  constructor(storage: DurableObjectStorage, shard: string) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#shard = shard;
    this.#runs = new IdRuns(storage.sql);
    this.erasedLines = new ErasedLines(storage.sql);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS chunk(
        chunk INTEGER PRIMARY KEY, hour TEXT NOT NULL, line_count INTEGER NOT NULL,
        uploaded_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,
        ids BLOB NOT NULL, extra_ids BLOB, trace_ids BLOB)`);
  }

  /** Adds a chunk that is in KV. */
  add(upload: {
    chunk: number;
    hour: string;
    ids: readonly ReportId[];
    extraIds?: readonly IdAtLine[];
    traceIds?: readonly IdAtLine[];
    uploadedMs: number;
    /** When KV deletes it. */
    expiresAtMs: number;
  }): void {
    const { extraIds = [], traceIds = [] } = upload;
    this.#sql.exec(
      `INSERT OR REPLACE INTO chunk(
         chunk, hour, line_count, uploaded_ms, ids, extra_ids, trace_ids, expires_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      upload.chunk,
      upload.hour,
      upload.ids.length,
      upload.uploadedMs,
      packIds(upload.ids),
      extraIds.length > 0 ? packIdsAtLines(extraIds) : null,
      traceIds.length > 0 ? packIdsAtLines(traceIds) : null,
      upload.expiresAtMs,
    );
    if (this.#recent !== undefined) {
      this.#recent.chunks += 1;
      this.#recent.lines += upload.ids.length + extraIds.length;
    }
  }

  /** A chunk in KV; undefined if the catalog does not have it. */
  findUpload(chunk: number): UploadedChunk | undefined {
    const query = `SELECT chunk, hour, line_count AS lineCount, uploaded_ms AS uploadedMs,
      expires_ms AS expiresAtMs FROM chunk WHERE chunk = ?`;
    const [recent] = this.#sql.exec<{ [K in keyof UploadedChunk]: UploadedChunk[K] }>(query, chunk);
    return recent ?? this.#runs.findChunk(chunk);
  }

  /** The number of chunks in KV, and of their lines. */
  countTotals(): { readonly chunks: number; readonly lines: number } {
    const query = "SELECT count(*) AS chunks, coalesce(sum(line_count), 0) AS lines FROM chunk";
    const recent = this.#sql.exec<{ chunks: number; lines: number }>(query).one();
    const older = this.#runs.countTotals();
    return { chunks: recent.chunks + older.chunks, lines: recent.lines + older.lines };
  }

  /** The highest chunk number; 0 without chunks. */
  getLastChunk(): number {
    const { n } = this.#sql.exec<{ n: number | null }>("SELECT max(chunk) AS n FROM chunk").one();
    return Math.max(n ?? 0, this.#runs.getChunkRange()?.last ?? 0);
  }

  /** The chunks uploaded since `sinceMs`. */
  listUploadedSince(
    sinceMs: number,
  ): readonly { chunk: number; hour: string; uploadedMs: number }[] {
    return [...this.#readRecent(sinceMs), ...this.#runs.listUploadedSince(sinceMs)].map(
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
    const { after, fromHour, beforeHour } = range;
    const recent = this.#sql
      .exec<{ chunk: number; hour: string }>(
        `SELECT chunk, hour FROM chunk
         WHERE chunk > ? AND hour >= ? AND hour < ? AND expires_ms > ? ORDER BY chunk LIMIT ?`,
        after,
        fromHour,
        beforeHour,
        nowMs,
        count,
      )
      .toArray();
    return [...recent, ...this.#runs.listRange(range, count, nowMs)];
  }

  /** True if there are enough recent chunks to merge. */
  get hasManyRecent(): boolean {
    this.#recent ??= this.#countRecent();
    return this.#recent.chunks >= MERGED_CHUNKS || this.#recent.lines >= RUN_ENTRIES;
  }

  /**
   * Merges some recent chunks into runs, except those whose rows the log still has. Returns the
   * number of merged chunks.
   */
  mergeRecent(): number {
    const merged: ChunkEntries[] = [];
    let entries = 0;
    const rows = this.#sql.exec<ChunkRow>(
      `${SELECT_CHUNKS} WHERE NOT EXISTS(
         SELECT 1 FROM log_chunk WHERE log_chunk.chunk = chunk.chunk) ORDER BY chunk LIMIT ?`,
      MERGED_CHUNKS,
    );
    for (const row of rows) {
      if (entries >= MERGED_ENTRIES) continue;
      merged.push({ ...row, entries: listEntries(row) });
      entries += merged.at(-1)?.entries.length ?? 0;
    }
    this.#storage.transactionSync(() => {
      this.#runs.add(merged);
      for (const { chunk } of merged) this.#sql.exec("DELETE FROM chunk WHERE chunk = ?", chunk);
    });
    this.#recent = undefined;
    return merged.length;
  }

  /**
   * Deletes chunks expired before `nowMs`, and erased lines of earlier chunks: at most `maxRuns`
   * runs. True if there may be more.
   */
  deleteExpired(nowMs: number, maxRuns: number): boolean {
    this.#sql.exec("DELETE FROM chunk WHERE expires_ms < ?", nowMs);
    this.#recent = undefined;
    const hasMoreRuns = this.#runs.deleteExpired(nowMs, maxRuns);
    const { n } = this.#sql.exec<{ n: number | null }>("SELECT min(chunk) AS n FROM chunk").one();
    const firstChunk = Math.min(
      n ?? Number.MAX_SAFE_INTEGER,
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
    for (const row of this.#readRecent(sinceMs)) {
      for (const { key } of listEntries(row)) yield { key, uploadedMs: row.uploadedMs };
    }
  }

  /** The ids of recent chunks uploaded since `sinceMs`, with their positions. */
  *readRecentIds(sinceMs: number): Generator<{ id: ReportId; position: LogPosition }> {
    for (const row of this.#readRecent(sinceMs)) {
      for (const { id, line } of listIds(row)) yield { id, position: this.#toPosition(row, line) };
    }
  }

  /** The reports of a trace or Ray ID, newest first; at most `limits.maxReportsPerTrace`. */
  findByTrace(id: ReportId): readonly LogPosition[] {
    const rows = this.#sql.exec<ChunkRow>(
      `${SELECT_CHUNKS} WHERE instr(trace_ids, ?) > 0`,
      packIds([id]),
    );
    const found: FoundLine[] = [...this.#runs.find(hashId(id, "trace"))];
    for (const { traceIds, ...row } of rows) {
      for (const { id: other, line } of unpackIdsAtLines(traceIds ?? new ArrayBuffer(0))) {
        if (other === id) found.push({ ...row, line });
      }
    }
    return found
      .sort((a, b) => b.chunk - a.chunk || b.line - a.line)
      .slice(0, limits.maxReportsPerTrace)
      .map((line) => this.#toPosition(line, line.line));
  }

  /** The positions of those ids that a chunk has: the newest for each. */
  findByIds(ids: readonly ReportId[]): ReadonlyMap<ReportId, LogPosition> {
    const positions = new Map<ReportId, LogPosition>();
    const matches = ids.map((_, n) => `instr(ids, ?${n + 1}) OR instr(extra_ids, ?${n + 1})`);
    const rows = this.#sql.exec<ChunkRow>(
      `${SELECT_CHUNKS} WHERE ${matches.join(" OR ")} ORDER BY chunk DESC`,
      ...ids.map((id) => packIds([id])),
    );
    for (const row of rows) {
      // `instr` can also match across two ids.
      for (const { id, line } of listIds(row)) {
        if (ids.includes(id) && !positions.has(id)) positions.set(id, this.#toPosition(row, line));
      }
    }
    for (const id of ids) {
      if (positions.has(id)) continue;
      const [found] = this.#runs.find(hashId(id));
      if (found !== undefined) positions.set(id, this.#toPosition(found, found.line));
    }
    return positions;
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM chunk");
    this.#runs.wipe();
    this.erasedLines.wipe();
    this.#recent = undefined;
  }

  #countRecent(): { chunks: number; lines: number } {
    const query = `SELECT count(*) AS chunks,
      coalesce(sum(length(ids) + coalesce(length(extra_ids), 0)), 0) / 16 AS lines FROM chunk`;
    return this.#sql.exec<{ chunks: number; lines: number }>(query).one();
  }

  #readRecent(sinceMs: number): Iterable<ChunkRow> {
    return this.#sql.exec<ChunkRow>(`${SELECT_CHUNKS} WHERE uploaded_ms >= ?`, sinceMs);
  }

  #toPosition({ chunk, hour }: Pick<UploadedChunk, "chunk" | "hour">, line: number): LogPosition {
    return formatPosition({ hour, shard: this.#shard, chunk, line });
  }
}

/** The ids of a chunk: those of its lines, then those that have no line. */
function listIds({ ids, extraIds }: ChunkRow): readonly IdAtLine[] {
  const ofLines = unpackIds(ids).map((id, line): IdAtLine => ({ id, line }));
  const others = extraIds === null ? [] : unpackIdsAtLines(extraIds);
  return [...ofLines.filter(({ id }) => id !== NO_ID), ...others];
}

/** The entries of a chunk: its ids and its traces. */
function listEntries(row: ChunkRow): ChunkEntries["entries"] {
  const traces = row.traceIds === null ? [] : unpackIdsAtLines(row.traceIds);
  return [
    ...listIds(row).map(({ id, line }) => ({ key: hashId(id), line })),
    ...Array.from(traces, ({ id, line }) => ({ key: hashId(id, "trace"), line })),
  ];
}
