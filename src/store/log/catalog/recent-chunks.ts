/**
 * The recent part of the catalog: one row per chunk, until it is merged into a run. Synchronous.
 *
 *     chunk   the ids of its lines (16 bytes each, in order), in `extra_ids` ids without a line of
 *             their own, in `trace_ids` traces and Ray IDs
 */
import type { ReportId } from "../../../core/report.ts";
import {
  type IdAtLine,
  NO_ID,
  packIds,
  packIdsAtLines,
  unpackIds,
  unpackIdsAtLines,
} from "../../kv/packed-ids.ts";
import { upsert } from "../../sqlite/table.ts";
import { hashId, type IdKey } from "./id-key.ts";
import { type ChunkEntries, type ChunkRange, type FoundLine, RUN_ENTRIES } from "./id-runs.ts";
import type { UploadedChunk } from "./packed-chunks.ts";

const SAVE = upsert(
  "chunk",
  ["chunk"],
  ["hour", "line_count", "uploaded_ms", "ids", "extra_ids", "trace_ids", "expires_ms"],
);

/** The number of chunks that one merge takes at most. */
const MERGED_CHUNKS = 64;
/** The number of ids and traces after which a merge takes no further chunk: about 15 ms of CPU. */
const MERGED_ENTRIES = 8_192;

/** A chunk that was uploaded, with its ids. */
export interface NewChunk extends Omit<UploadedChunk, "lineCount"> {
  readonly ids: readonly ReportId[];
  readonly extraIds?: readonly IdAtLine[];
  readonly traceIds?: readonly IdAtLine[];
}

type UploadRow = { readonly [K in keyof UploadedChunk]: UploadedChunk[K] };

/** A row of `chunk`. */
type ChunkRow = UploadRow & {
  readonly ids: ArrayBuffer;
  readonly extraIds: ArrayBuffer | null;
  readonly traceIds: ArrayBuffer | null;
};

/** SQLite searches the chunks for at most this many ids; for more, all ids are read. */
const MAX_SEARCHED_IDS = 20;

const UPLOAD_COLUMNS = `chunk, hour, line_count AS lineCount, uploaded_ms AS uploadedMs,
  expires_ms AS expiresAtMs`;
const SELECT_CHUNKS = `SELECT ${UPLOAD_COLUMNS}, ids, extra_ids AS extraIds, trace_ids AS traceIds
  FROM chunk`;

export class RecentChunks {
  readonly #sql: SqlStorage;
  /** The numbers of chunks and of their lines; undefined until they are needed. */
  #size: { chunks: number; lines: number } | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(upload: NewChunk): void {
    const { extraIds = [], traceIds = [] } = upload;
    this.#sql.exec(
      SAVE,
      upload.chunk,
      upload.hour,
      upload.ids.length,
      upload.uploadedMs,
      packIds(upload.ids),
      extraIds.length > 0 ? packIdsAtLines(extraIds) : null,
      traceIds.length > 0 ? packIdsAtLines(traceIds) : null,
      upload.expiresAtMs,
    );
    if (this.#size !== undefined) {
      this.#size.chunks += 1;
      this.#size.lines += upload.ids.length + extraIds.length;
    }
  }

  find(chunk: number): UploadedChunk | undefined {
    const query = `SELECT ${UPLOAD_COLUMNS} FROM chunk WHERE chunk = ?`;
    return this.#sql.exec<UploadRow>(query, chunk).toArray()[0];
  }

  countTotals(): { readonly chunks: number; readonly lines: number } {
    const query = "SELECT count(*) AS chunks, coalesce(sum(line_count), 0) AS lines FROM chunk";
    return this.#sql.exec<{ chunks: number; lines: number }>(query).one();
  }

  /** The lowest chunk number; null without chunks. */
  getFirstChunk(): number | null {
    return this.#sql.exec<{ n: number | null }>("SELECT min(chunk) AS n FROM chunk").one().n;
  }

  /** The highest chunk number; null without chunks. */
  getLastChunk(): number | null {
    return this.#sql.exec<{ n: number | null }>("SELECT max(chunk) AS n FROM chunk").one().n;
  }

  listUploadedSince(sinceMs: number): Iterable<ChunkRow> {
    return this.#sql.exec<ChunkRow>(`${SELECT_CHUNKS} WHERE uploaded_ms >= ?`, sinceMs);
  }

  /** The first `count` unexpired chunks of a range. */
  listRange(
    { after, fromHour, beforeHour }: ChunkRange,
    count: number,
    nowMs: number,
  ): readonly Pick<UploadedChunk, "chunk" | "hour">[] {
    return this.#sql
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
  }

  /** True if there are enough chunks to merge. */
  get hasMany(): boolean {
    this.#size ??= this.#countSize();
    return this.#size.chunks >= MERGED_CHUNKS || this.#size.lines >= RUN_ENTRIES;
  }

  /** The chunks that are merged next, except those whose rows the log still has. */
  listForMerge(): readonly ChunkEntries[] {
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
    return merged;
  }

  delete(chunks: readonly Pick<UploadedChunk, "chunk">[]): void {
    for (const { chunk } of chunks) this.#sql.exec("DELETE FROM chunk WHERE chunk = ?", chunk);
    this.#size = undefined;
  }

  deleteExpired(nowMs: number): void {
    this.#sql.exec("DELETE FROM chunk WHERE expires_ms < ?", nowMs);
    this.#size = undefined;
  }

  /** The keys of the ids and traces uploaded since `sinceMs`. */
  *readKeysSince(sinceMs: number): Generator<{ readonly key: IdKey; readonly uploadedMs: number }> {
    for (const row of this.listUploadedSince(sinceMs)) {
      for (const { key } of listEntries(row)) yield { key, uploadedMs: row.uploadedMs };
    }
  }

  /** The ids of chunks uploaded since `sinceMs`. */
  *readIdsSince(sinceMs: number): Generator<FoundLine & { readonly id: ReportId }> {
    for (const row of this.listUploadedSince(sinceMs)) {
      for (const { id, line } of listIds(row)) yield { ...row, id, line };
    }
  }

  findByTrace(id: ReportId): readonly FoundLine[] {
    const rows = this.#sql.exec<ChunkRow>(
      `${SELECT_CHUNKS} WHERE instr(trace_ids, ?) > 0`,
      packIds([id]),
    );
    const found: FoundLine[] = [];
    for (const { traceIds, ...row } of rows) {
      for (const { id: other, line } of unpackIdsAtLines(traceIds ?? new ArrayBuffer(0))) {
        if (other === id) found.push({ ...row, line });
      }
    }
    return found;
  }

  /** The lines of those ids that a chunk has: the newest for each. */
  findByIds(ids: readonly ReportId[]): Map<ReportId, FoundLine> {
    const wanted = new Set(ids);
    const found = new Map<ReportId, FoundLine>();
    for (const row of this.#queryByIds(ids)) {
      // `instr` can also match across two ids.
      for (const { id, line } of listIds(row))
        if (wanted.has(id) && !found.has(id)) found.set(id, { ...row, line });
    }
    return found;
  }

  /** The chunks that can have one of these ids, newest first. */
  #queryByIds(ids: readonly ReportId[]): Iterable<ChunkRow> {
    const newestFirst = "ORDER BY chunk DESC";
    // SQLite would search each chunk once for each id.
    if (ids.length > MAX_SEARCHED_IDS) return this.#sql.exec(`${SELECT_CHUNKS} ${newestFirst}`);
    const matches = ids.map((_, n) => `instr(ids, ?${n + 1}) OR instr(extra_ids, ?${n + 1})`);
    return this.#sql.exec<ChunkRow>(
      `${SELECT_CHUNKS} WHERE ${matches.join(" OR ")} ${newestFirst}`,
      ...ids.map((id) => packIds([id])),
    );
  }

  /** Call after the rows were wiped. */
  clearCache(): void {
    this.#size = undefined;
  }

  #countSize(): { chunks: number; lines: number } {
    const query = `SELECT count(*) AS chunks,
      coalesce(sum(length(ids) + coalesce(length(extra_ids), 0)), 0) / 16 AS lines FROM chunk`;
    return this.#sql.exec<{ chunks: number; lines: number }>(query).one();
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
