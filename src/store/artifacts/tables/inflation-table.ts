/**
 * SQLite tables of the bytes that each sender's uploads inflate to in the current hour, and of the
 * senders of uploads that are not opened yet. Synchronous.
 */

import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";

export class InflationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS inflation(
        sender TEXT PRIMARY KEY, hour INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS upload_sender(
        upload TEXT PRIMARY KEY, sender TEXT NOT NULL) WITHOUT ROWID;`);
  }

  /** Notes who sent an upload, by its id. */
  setSender(upload: string, sender = ""): void {
    this.#sql.exec("INSERT OR REPLACE INTO upload_sender VALUES (?, ?)", upload, sender);
  }

  /**
   * Counts the bytes that an upload is about to inflate to, and forgets its sender. False, without
   * counting, if its sender then exceeds `maxInflatedBytesPerHour`.
   */
  charge(upload: string, bytes: number, nowMs: number): boolean {
    const remove = "DELETE FROM upload_sender WHERE upload = ? RETURNING sender";
    const [{ sender } = { sender: "" }] = this.#sql.exec<{ sender: string }>(remove, upload);
    const hour = Math.floor(nowMs / HOUR_MS);
    this.#sql.exec("DELETE FROM inflation WHERE hour < ?", hour);
    const query = "SELECT bytes FROM inflation WHERE sender = ?";
    const [row] = this.#sql.exec<{ bytes: number }>(query, sender);
    const sum = (row?.bytes ?? 0) + bytes;
    if (sum > artifactLimits.maxInflatedBytesPerHour) return false;
    this.#sql.exec("INSERT OR REPLACE INTO inflation VALUES (?, ?, ?)", sender, hour, sum);
    return true;
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM inflation");
    this.#sql.exec("DELETE FROM upload_sender");
  }
}
