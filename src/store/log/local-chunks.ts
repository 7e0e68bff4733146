/**
 * The chunks whose rows the log still has, with their lines, in an object's storage. Synchronous.
 *
 *     log_chunk  one row per chunk: its first row, and whether it takes no more lines. Only the
 *                newest chunk can be open, also after a restart. The rows of a chunk end before the
 *                first row of the next chunk.
 */

import {
  ID_AT_LINE_BYTES,
  type IdAtLine,
  packIdsAtLines,
  unpackIdsAtLines,
} from "../kv/packed-ids.ts";
import type { OpenChunkState } from "./open-chunk.ts";

const MAX_CLOSED_CHUNKS = 200;

/** A chunk with rows `firstSeq` to `lastSeq`. */
interface LocalChunk {
  readonly chunk: number;
  readonly hour: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** 1 if it takes no more lines, otherwise 0. */
  readonly isClosed: number;
}

type Row = { [K in keyof LocalChunk]: LocalChunk[K] };

const SELECT_CHUNKS = `SELECT chunk, hour, first_seq AS firstSeq, is_closed AS isClosed, (
    SELECT max(seq) FROM log_row WHERE seq < coalesce((
      SELECT next.first_seq FROM log_chunk AS next
      WHERE next.chunk > log_chunk.chunk ORDER BY next.chunk LIMIT 1
    ), ${Number.MAX_SAFE_INTEGER})
  ) AS lastSeq FROM log_chunk`;

const IS_UPLOADED = "EXISTS(SELECT 1 FROM chunk WHERE chunk.chunk = log_chunk.chunk)";

export class LocalChunks {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  /** Adds a chunk that begins with the row `firstSeq`, unless it is known. */
  add(chunk: number, hour: string, firstSeq: number): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO log_chunk(chunk, hour, first_seq) VALUES (?, ?, ?)",
      chunk,
      hour,
      firstSeq,
    );
  }

  /** Closes a chunk. It takes no more lines, also after a restart. */
  close(chunk: number): void {
    this.#sql.exec("UPDATE log_chunk SET is_closed = 1 WHERE chunk = ? AND is_closed = 0", chunk);
  }

  /** The chunk that takes lines; undefined if the next line begins a chunk. */
  readOpen(): OpenChunkState | undefined {
    const open = this.#findOpen();
    if (open === undefined) return undefined;
    const { chunk, hour, firstSeq } = open;
    const { lineCount, chars, extraIdCount } = this.#sql
      .exec<Record<"lineCount" | "chars" | "extraIdCount", number | null>>(
        `SELECT sum(line_count) AS lineCount, sum(length(body)) AS chars,
           sum(length(extra_ids)) / ${ID_AT_LINE_BYTES} AS extraIdCount
         FROM log_row WHERE seq >= ?`,
        firstSeq,
      )
      .one();
    const counts = { lineCount: lineCount ?? 0, chars: chars ?? 0 };
    return { chunk, hour, ...counts, extraIdCount: extraIdCount ?? 0 };
  }

  #findOpen(): LocalChunk | undefined {
    const [newest] = this.#query(`${SELECT_CHUNKS} ORDER BY chunk DESC LIMIT 1`);
    return newest?.isClosed === 0 ? newest : undefined;
  }

  /** All chunks, oldest first. */
  list(): readonly LocalChunk[] {
    return this.#query(`${SELECT_CHUNKS} ORDER BY chunk`);
  }

  /** The closed chunks that are not in KV, oldest first; at most `MAX_CLOSED_CHUNKS`. */
  listToUpload(): readonly LocalChunk[] {
    const where = `is_closed AND NOT ${IS_UPLOADED}`;
    return this.#query(`${SELECT_CHUNKS} WHERE ${where} ORDER BY chunk LIMIT ?`, MAX_CLOSED_CHUNKS);
  }

  /** The chunks that are in KV and whose rows the index has stored. */
  listFinished(storedSeq: number): readonly LocalChunk[] {
    const uploaded = this.#query(`${SELECT_CHUNKS} WHERE is_closed AND ${IS_UPLOADED}`);
    return uploaded.filter(({ lastSeq }) => lastSeq <= storedSeq);
  }

  /** True if a closed chunk waits to be uploaded. */
  hasToUpload(): boolean {
    const query = `SELECT 1 FROM log_chunk WHERE is_closed AND NOT ${IS_UPLOADED} LIMIT 1`;
    return this.#sql.exec(query).toArray().length > 0;
  }

  /** The lines of a chunk, in order; none if its rows are deleted. */
  readLines(chunk: number): readonly string[] {
    return this.#queryChunk<{ body: string }>("SELECT body FROM log_row", chunk).flatMap(
      ({ body }) => body.split("\n"),
    );
  }

  /** The extra ids of a chunk; none if its rows are deleted. */
  readExtraIds(chunk: number): readonly IdAtLine[] {
    return this.#queryChunk<{ ids: ArrayBuffer | null }>(
      "SELECT extra_ids AS ids FROM log_row",
      chunk,
    ).flatMap(({ ids }) => (ids === null ? [] : [...unpackIdsAtLines(ids)]));
  }

  /** Replaces the lines of a chunk with the same number of lines, and adds extra ids. */
  replaceLines(chunk: number, lines: readonly string[], extraIds: readonly IdAtLine[]): void {
    this.#storage.transactionSync(() => {
      let at = 0;
      let ids = extraIds;
      const rows = this.#queryChunk<{
        seq: number;
        lineCount: number;
        extra_ids: ArrayBuffer | null;
      }>("SELECT seq, line_count AS lineCount, extra_ids FROM log_row", chunk);
      for (const { seq, lineCount, extra_ids: before } of rows) {
        const body = lines.slice(at, at + lineCount).join("\n");
        const all = [...(before === null ? [] : unpackIdsAtLines(before)), ...ids];
        const packed = all.length > 0 ? packIdsAtLines(all) : null;
        this.#sql.exec(
          "UPDATE log_row SET body = ?, extra_ids = ? WHERE seq = ?",
          body,
          packed,
          seq,
        );
        at += lineCount;
        ids = [];
      }
    });
  }

  /** Deletes a chunk with its rows. */
  delete({ chunk, firstSeq, lastSeq }: LocalChunk): void {
    this.#sql.exec("DELETE FROM log_row WHERE seq BETWEEN ? AND ?", firstSeq, lastSeq);
    this.#sql.exec("DELETE FROM log_chunk WHERE chunk = ?", chunk);
  }

  /** The rows that are not uploaded or not stored, and the hour of the oldest. */
  getBacklog(): { readonly rows: number; readonly lines: number; readonly oldestHour?: string } {
    const chunks = this.list();
    const rows = chunks.reduce((sum, { firstSeq, lastSeq }) => sum + lastSeq - firstSeq + 1, 0);
    const lines = chunks.reduce((sum, { lastSeq }) => sum + this.#countLines(lastSeq), 0);
    const [oldest] = chunks;
    return { rows, lines, oldestHour: oldest?.hour };
  }

  /** The lines of the chunk that ends with a row. */
  #countLines(lastSeq: number): number {
    const query = "SELECT first_line + line_count AS n FROM log_row WHERE seq = ?";
    return this.#sql.exec<{ n: number }>(query, lastSeq).one().n;
  }

  /** The rows of a chunk, in order. */
  #queryChunk<Row extends Record<string, SqlStorageValue>>(
    select: string,
    chunk: number,
  ): readonly Row[] {
    const [found] = this.#query(`${SELECT_CHUNKS} WHERE chunk = ?`, chunk);
    if (found === undefined) return [];
    const query = `${select} WHERE seq BETWEEN ? AND ? ORDER BY seq`;
    return this.#sql.exec<Row>(query, found.firstSeq, found.lastSeq).toArray();
  }

  #query(query: string, ...bindings: number[]): readonly LocalChunk[] {
    return this.#sql.exec<Row>(query, ...bindings).toArray();
  }
}
