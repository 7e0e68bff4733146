/**
 * When each release was first seen, in the object of the index: what is later than what, where names do not say it. Every method
 * is synchronous.
 */
import { limits } from "../../../core/limits.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class ReleaseTable {
  readonly #sql: SqlStorage;
  /** What is in the table, so that a report of a known release writes nothing. */
  readonly #firstSeenMs = new Map<string, number>();
  #day = "";
  #newCount = 0;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS release(name TEXT PRIMARY KEY, first_ms INTEGER NOT NULL) WITHOUT ROWID",
    );
    this.#load();
  }

  /** When a release was first seen, ms; undefined when it never was. */
  getFirstSeenMs(release: string): number | undefined {
    return this.#firstSeenMs.get(release);
  }

  /**
   * Notes that a release was seen at `atMs`, in a report that came on a UTC day, `2026-11-21`. A day adds at most
   * `limits.maxNewReleasesPerDay`: a sender that makes names up fills no storage.
   */
  recordSeen(release: string, atMs: number, day: string): void {
    const before = this.#firstSeenMs.get(release);
    if (before !== undefined && before <= atMs) return;
    if (before === undefined && !this.#hasRoom(day)) return;
    this.#firstSeenMs.set(release, atMs);
    this.#sql.exec("INSERT OR REPLACE INTO release(name, first_ms) VALUES (?, ?)", release, atMs);
  }

  /** Forgets releases that were first seen before a moment, but for the newest of them. */
  deleteExpired(beforeMs: number): void {
    const newest = "SELECT name FROM release ORDER BY first_ms DESC LIMIT ?";
    this.#sql.exec(
      `DELETE FROM release WHERE first_ms < ? AND name NOT IN (${newest})`,
      beforeMs,
      limits.maxNewReleasesPerDay,
    );
    this.#load();
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM release");
    this.#load();
  }

  /** Holds what is in the table: what was written is rolled back. */
  clearCache(): void {
    this.#load();
  }

  #load(): void {
    this.#firstSeenMs.clear();
    const rows = this.#sql.exec<{ name: string; first_ms: number }>("SELECT * FROM release");
    for (const { name, first_ms } of rows) this.#firstSeenMs.set(name, first_ms);
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
