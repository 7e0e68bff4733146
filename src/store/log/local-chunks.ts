/**
 * The chunks whose rows the log still has, in an object's storage. Synchronous.
 *
 *     log_chunk  one row per chunk: its first row, and whether it takes no more lines. Only the
 *                newest chunk can be open, also after a restart. The rows of a chunk end before the
 *                first row of the next chunk.
 */

/** A chunk with rows `firstSeq` to `lastSeq`. */
export interface LocalChunk {
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

/** The table in an object's storage. The constructor creates it. */
export class LocalChunks {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS log_chunk(
        chunk INTEGER PRIMARY KEY, hour TEXT NOT NULL, first_seq INTEGER NOT NULL,
        is_closed INTEGER NOT NULL DEFAULT 0)`);
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

  /** Marks a chunk: it takes no more lines, also after a restart. */
  close(chunk: number): void {
    this.#sql.exec("UPDATE log_chunk SET is_closed = 1 WHERE chunk = ? AND is_closed = 0", chunk);
  }

  /** The chunk that takes lines; undefined if the next line begins a chunk. */
  findOpen(): LocalChunk | undefined {
    const [newest] = this.#query(`${SELECT_CHUNKS} ORDER BY chunk DESC LIMIT 1`);
    return newest?.isClosed === 0 ? newest : undefined;
  }

  /** A chunk with its rows; undefined if they are deleted. */
  find(chunk: number): LocalChunk | undefined {
    return this.#query(`${SELECT_CHUNKS} WHERE chunk = ?`, chunk)[0];
  }

  /** All chunks, oldest first. */
  list(): readonly LocalChunk[] {
    return this.#query(`${SELECT_CHUNKS} ORDER BY chunk`);
  }

  /** The closed chunks that are not in KV, oldest first. */
  listToUpload(maxCount: number): readonly LocalChunk[] {
    const where = `is_closed AND NOT ${IS_UPLOADED}`;
    return this.#query(`${SELECT_CHUNKS} WHERE ${where} ORDER BY chunk LIMIT ?`, maxCount);
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

  /** Forgets a chunk: its rows are deleted. */
  delete(chunk: number): void {
    this.#sql.exec("DELETE FROM log_chunk WHERE chunk = ?", chunk);
  }

  #query(query: string, ...bindings: number[]): readonly LocalChunk[] {
    return this.#sql.exec<Row>(query, ...bindings).toArray();
  }
}
