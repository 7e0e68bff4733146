/**
 * The traces of Errata's own failed renders, a row each for a day, in the object of the index: what a browser's error is linked
 * by. Every method is synchronous.
 */
import type { Digest } from "../core/report.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class TraceTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS trace(
        trace TEXT NOT NULL, digest TEXT NOT NULL, seen_ms INTEGER NOT NULL, PRIMARY KEY(trace, digest)) WITHOUT ROWID;`);
  }

  /** Notes that a render with this trace failed with this digest. */
  add(trace: string, digest: Digest, nowMs: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO trace(trace, digest, seen_ms) VALUES (?, ?, ?)",
      trace,
      digest,
      nowMs,
    );
  }

  /** The digests with which the render of this trace failed. */
  digestsOf(trace: string): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>("SELECT digest FROM trace WHERE trace = ?", trace)
      .toArray()
      .map(({ digest }) => digest);
  }

  /** Forgets traces: whoever saw the page has reported what broke on it. */
  forget(beforeMs: number): void {
    this.#sql.exec("DELETE FROM trace WHERE seen_ms < ?", beforeMs);
  }
}
