/**
 * The catalog of the chunks that one shard has uploaded, in its object's storage. Synchronous.
 *
 *     chunk        one row per chunk, with the ids of its lines (16 bytes each, in order), in
 *                  `extra_ids` ids without a line of their own, in `trace_ids` traces and Ray IDs
 *     erased_line  one row per erased line
 */

import { limits } from "../../core/limits.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import type { ErasedLine } from "../kv/erase-lines.ts";
import { formatPosition } from "../kv/keys.ts";
import {
  type IdAtLine,
  NO_ID,
  packIds,
  packIdsAtLines,
  unpackIds,
  unpackIdsAtLines,
} from "../kv/packed-ids.ts";

/** The tables in an object's storage. The constructor creates them. */
export class ChunkCatalog {
  readonly #sql: SqlStorage;
  readonly #shard: string;

  constructor(storage: DurableObjectStorage, shard: string) {
    this.#sql = storage.sql;
    this.#shard = shard;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS chunk(
        chunk INTEGER PRIMARY KEY, hour TEXT NOT NULL, line_count INTEGER NOT NULL,
        uploaded_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,
        ids BLOB NOT NULL, extra_ids BLOB, trace_ids BLOB);
      CREATE INDEX IF NOT EXISTS chunk_uploaded ON chunk(uploaded_ms);
      CREATE INDEX IF NOT EXISTS chunk_expiry ON chunk(expires_ms);
      CREATE TABLE IF NOT EXISTS erased_line(
        chunk INTEGER NOT NULL, line INTEGER NOT NULL, is_removed INTEGER NOT NULL,
        PRIMARY KEY(chunk, line)) WITHOUT ROWID;`);
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
  }

  /** When a chunk was uploaded and when KV deletes it, ms; undefined if it is not in KV. */
  findUpload(
    chunk: number,
  ): { readonly uploadedMs: number; readonly expiresAtMs: number } | undefined {
    const [row] = this.#sql.exec<{ uploadedMs: number; expiresAtMs: number }>(
      "SELECT uploaded_ms AS uploadedMs, expires_ms AS expiresAtMs FROM chunk WHERE chunk = ?",
      chunk,
    );
    return row;
  }

  /** The number of chunks in KV, and of their lines. */
  countTotals(): { readonly chunks: number; readonly lines: number } {
    const query = "SELECT count(*) AS chunks, coalesce(sum(line_count), 0) AS lines FROM chunk";
    return this.#sql.exec<{ chunks: number; lines: number }>(query).one();
  }

  /** The chunks uploaded since `sinceMs`. */
  listUploadedSince(
    sinceMs: number,
  ): readonly { chunk: number; hour: string; uploadedMs: number }[] {
    return this.#sql
      .exec<{ chunk: number; hour: string; uploadedMs: number }>(
        "SELECT chunk, hour, uploaded_ms AS uploadedMs FROM chunk WHERE uploaded_ms >= ?",
        sinceMs,
      )
      .toArray();
  }

  /** Deletes chunks expired before `nowMs`, and erased lines of earlier chunks. */
  deleteExpired(nowMs: number): void {
    this.#sql.exec("DELETE FROM chunk WHERE expires_ms < ?", nowMs);
    this.#sql.exec("DELETE FROM erased_line WHERE chunk < (SELECT min(chunk) FROM chunk)");
  }

  /** Records erased lines: KV may return the chunk as it was before for a minute. */
  addErasedLines(chunk: number, lines: readonly Pick<ErasedLine, "line" | "isRemoved">[]): void {
    for (const { line, isRemoved } of lines) {
      this.#sql.exec(
        "INSERT OR REPLACE INTO erased_line(chunk, line, is_removed) VALUES (?, ?, ?)",
        chunk,
        line,
        isRemoved ? 1 : 0,
      );
    }
  }

  /** The erased lines of a chunk. */
  listErasedLines(chunk: number): readonly Pick<ErasedLine, "line" | "isRemoved">[] {
    return this.#sql
      .exec<{ line: number; is_removed: number }>(
        "SELECT line, is_removed FROM erased_line WHERE chunk = ?",
        chunk,
      )
      .toArray()
      .map(({ line, is_removed }) => ({ line, isRemoved: is_removed === 1 }));
  }

  /** The ids of every chunk uploaded since `sinceMs`, oldest first. `ids` are packed. */
  *readIdsSince(
    sinceMs: number,
  ): Generator<{ ids: ArrayBuffer; extraIds: Iterable<IdAtLine>; uploadedMs: number }> {
    const rows = this.#sql.exec<{
      ids: ArrayBuffer;
      extra_ids: ArrayBuffer | null;
      uploaded_ms: number;
    }>(
      "SELECT ids, extra_ids, uploaded_ms FROM chunk WHERE uploaded_ms >= ? ORDER BY uploaded_ms",
      sinceMs,
    );
    for (const { ids, extra_ids: extraIds, uploaded_ms: uploadedMs } of rows) {
      yield { ids, extraIds: extraIds === null ? [] : unpackIdsAtLines(extraIds), uploadedMs };
    }
  }

  /** The newest ids uploaded since `sinceMs`, with their positions; about `maxIds` at most. */
  *readNewestIds(
    sinceMs: number,
    maxIds: number,
  ): Generator<{ id: ReportId; position: LogPosition }> {
    const newest = this.#sql.exec<{ chunk: number; hour: string; lineCount: number }>(
      `SELECT chunk, hour, line_count AS lineCount FROM chunk
       WHERE uploaded_ms >= ? ORDER BY uploaded_ms DESC`,
      sinceMs,
    );
    let remaining = maxIds;
    for (const { chunk, hour, lineCount } of newest.toArray()) {
      if (remaining <= 0) return;
      remaining -= lineCount;
      const { ids } = this.#sql
        .exec<{ ids: ArrayBuffer }>("SELECT ids FROM chunk WHERE chunk = ?", chunk)
        .one();
      for (const [line, id] of unpackIds(ids).entries()) {
        if (id !== NO_ID) yield { id, position: this.#toPosition(chunk, hour, line) };
      }
    }
  }

  /** The reports of a trace or Ray ID, newest first; at most `limits.maxReportsPerTrace`. */
  findByTrace(id: ReportId): readonly LogPosition[] {
    const found = this.#sql.exec<{ chunk: number; hour: string; trace_ids: ArrayBuffer }>(
      `SELECT chunk, hour, trace_ids FROM chunk
       WHERE instr(trace_ids, ?) > 0 ORDER BY chunk DESC LIMIT ?`,
      packIds([id]),
      limits.maxReportsPerTrace,
    );
    return found
      .toArray()
      .flatMap(({ chunk, hour, trace_ids }) =>
        [...unpackIdsAtLines(trace_ids)]
          .filter((other) => other.id === id)
          .map(({ line }) => this.#toPosition(chunk, hour, line))
          .reverse(),
      )
      .slice(0, limits.maxReportsPerTrace);
  }

  /** The positions of those ids that a chunk has, of any age. Scans the catalog. */
  findByIds(ids: readonly ReportId[]): ReadonlyMap<ReportId, LogPosition> {
    const matches = ids.map((_, n) => `instr(ids, ?${n + 1}) OR instr(extra_ids, ?${n + 1})`);
    const found = this.#sql.exec<{
      chunk: number;
      hour: string;
      ids: ArrayBuffer;
      extra_ids: ArrayBuffer | null;
    }>(
      `SELECT chunk, hour, ids, extra_ids FROM chunk
       WHERE ${matches.join(" OR ")} ORDER BY chunk DESC`,
      ...ids.map((id) => packIds([id])),
    );
    const positions = new Map<ReportId, LogPosition>();
    for (const { chunk, hour, ids: packed, extra_ids: extraIds } of found) {
      const lines = unpackIds(packed).map((id, line): IdAtLine => ({ id, line }));
      const others = extraIds === null ? [] : unpackIdsAtLines(extraIds);
      // `instr` can also match across two ids.
      for (const { id, line } of [...lines, ...others]) {
        if (ids.includes(id) && !positions.has(id))
          positions.set(id, this.#toPosition(chunk, hour, line));
      }
      if (positions.size === ids.length) break;
    }
    return positions;
  }

  #toPosition(chunk: number, hour: string, line: number): LogPosition {
    return formatPosition({ hour, shard: this.#shard, chunk, line });
  }
}
