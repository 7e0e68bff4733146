/**
 * SQLite table of releases and when each was first seen. It orders releases whose names have no
 * order. Synchronous.
 */
import { limits } from "../../../core/limits.ts";

export class ReleaseTable {
  readonly #sql: SqlStorage;
  /** A copy of the table, so that a report of a known release writes nothing. */
  readonly #firstSeenMs = new Map<string, number>();
  #day = "";
  #newCount = 0;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS release(
        name TEXT PRIMARY KEY, first_seen_ms INTEGER NOT NULL) WITHOUT ROWID`,
    );
    this.#load();
  }

  /** In ms; undefined for an unknown release. */
  getFirstSeenMs(release: string): number | undefined {
    return this.#firstSeenMs.get(release);
  }

  /**
   * Records that a release was seen at `atMs`, in a report received on the UTC day `day`. A day
   * adds at most `limits.maxNewReleasesPerDay`, so that made-up names cannot fill the storage.
   */
  recordSeen(release: string, atMs: number, day: string): void {
    const before = this.#firstSeenMs.get(release);
    if (before !== undefined && before <= atMs) return;
    if (before === undefined && !this.#hasRoom(day)) return;
    this.#firstSeenMs.set(release, atMs);
    const query = "INSERT OR REPLACE INTO release(name, first_seen_ms) VALUES (?, ?)";
    this.#sql.exec(query, release, atMs);
  }

  /** Deletes releases first seen before `beforeMs`, except the newest ones. */
  deleteExpired(beforeMs: number): void {
    const newest = "SELECT name FROM release ORDER BY first_seen_ms DESC LIMIT ?";
    this.#sql.exec(
      `DELETE FROM release WHERE first_seen_ms < ? AND name NOT IN (${newest})`,
      beforeMs,
      limits.maxNewReleasesPerDay,
    );
    this.#load();
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM release");
    this.#load();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#load();
  }

  #load(): void {
    this.#firstSeenMs.clear();
    const query = "SELECT name, first_seen_ms AS firstSeenMs FROM release";
    for (const { name, firstSeenMs } of this.#sql.exec<{ name: string; firstSeenMs: number }>(
      query,
    ))
      this.#firstSeenMs.set(name, firstSeenMs);
  }

  #hasRoom(day: string): boolean {
    if (day !== this.#day) {
      this.#day = day;
      this.#newCount = 0;
    }
    this.#newCount += 1;
    return this.#newCount <= limits.maxNewReleasesPerDay;
  }
}
