/**
 * SQLite table of uploaded chunks, by the SHA-1 of their bytes. A chunk stays until the uploads
 * that use it are converted, or for a day. Synchronous.
 */

/** A chunk that no upload uses is deleted after this time. */
const UNUSED_CHUNK_MS = 86_400_000;

export class ChunkTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** The size of a chunk in bytes; undefined if it is not stored. */
  getSize(sha1: string): number | undefined {
    const [row] = this.#sql.exec<{ size: number }>("SELECT size FROM chunk WHERE sha1 = ?", sha1);
    return row?.size;
  }

  /** Stores a chunk, or renews its time if it is stored already. */
  put(sha1: string, bytes: Uint8Array, nowMs: number): void {
    this.#sql.exec(
      `INSERT INTO chunk(sha1, size, at_ms, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT(sha1) DO UPDATE SET at_ms = excluded.at_ms`,
      sha1,
      bytes.length,
      nowMs,
      bytes,
    );
  }

  /** The bytes of a chunk. Throws if it is not stored. */
  read(sha1: string): Uint8Array {
    const [row] = this.#sql.exec<{ bytes: ArrayBuffer }>(
      "SELECT bytes FROM chunk WHERE sha1 = ?",
      sha1,
    );
    if (row === undefined) throw new Error("a chunk of an upload is missing");
    return new Uint8Array(row.bytes);
  }

  /** Keeps chunks for another day: the response said that the tool need not send them. */
  expect(sha1s: Iterable<string>): void {
    for (const sha1 of sha1s) this.#sql.exec("UPDATE chunk SET expected = 1 WHERE sha1 = ?", sha1);
  }

  isExpected(sha1: string): boolean {
    const query = "SELECT 1 FROM chunk WHERE sha1 = ? AND expected = 1";
    return this.#sql.exec(query, sha1).toArray().length > 0;
  }

  delete(sha1s: Iterable<string>): void {
    for (const sha1 of sha1s) this.#sql.exec("DELETE FROM chunk WHERE sha1 = ?", sha1);
  }

  /** The bytes of all chunks. */
  countBytes(): number {
    return this.#sql.exec<{ n: number }>("SELECT coalesce(sum(size), 0) AS n FROM chunk").one().n;
  }

  /** Deletes chunks that are older than a day, except those in `used`. */
  deleteUnused(nowMs: number, used: ReadonlySet<string>): void {
    const old = this.#sql
      .exec<{ sha1: string }>("SELECT sha1 FROM chunk WHERE at_ms < ?", nowMs - UNUSED_CHUNK_MS)
      .toArray();
    this.delete(old.map(({ sha1 }) => sha1).filter((sha1) => !used.has(sha1)));
  }

  /** When the oldest chunk is a day old, ms; undefined without chunks. */
  getNextExpiryMs(): number | undefined {
    const [row] = this.#sql.exec<{ at: number | null }>("SELECT min(at_ms) AS at FROM chunk");
    return row?.at == null ? undefined : row.at + UNUSED_CHUNK_MS;
  }
}
