/**
 * SQLite tables of the bytes that each sender's uploads inflate to in the current hour, and of the
 * senders of uploads that are not opened yet. Synchronous.
 */

import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE_SENDER = upsert("upload_sender", ["upload"], ["sender"]);
const SAVE = upsert("inflation", ["sender"], ["hour", "bytes"]);

export class InflationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Notes who sent an upload, by its id. */
  setSender(upload: string, sender = ""): void {
    this.#sql.exec(SAVE_SENDER, upload, sender);
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
    this.#sql.exec(SAVE, sender, hour, sum);
    return true;
  }
}
