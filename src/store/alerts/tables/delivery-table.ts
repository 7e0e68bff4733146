/**
 * SQLite table of undelivered messages. Each is for one destination and has one alert, or several
 * as a summary. A message that failed stays for *Send again*. Synchronous.
 */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { Digest } from "../../../core/report.ts";
import type { IdentifiedAlert } from "./inbox-table.ts";

/** The alerts of a message; `more` counts those that it does not name. */
interface MessageContents {
  readonly alerts: readonly IdentifiedAlert[];
  readonly more: number;
}

/** The kind of a message. Alerts of each trust level are gathered separately. */
export type DeliveryKind = "alert" | "gathered" | "gathered-page" | "gathered-public" | "test";

/** A message to one destination. */
export interface Delivery {
  readonly id: number;
  readonly destination: string;
  readonly kind: DeliveryKind;
  /** The id of the message. */
  readonly message: string;
  readonly contents: MessageContents;
  readonly dueMs: number;
  /** Finished attempts. */
  readonly attempts: number;
}

type DeliveryRow = {
  id: number;
  destination: string;
  kind: DeliveryKind;
  message: string;
  contents: string;
  due_ms: number;
  attempts: number;
};

export class DeliveryTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS delivery(
         id INTEGER PRIMARY KEY, destination TEXT NOT NULL, kind TEXT NOT NULL,
         message TEXT NOT NULL, contents TEXT NOT NULL, due_ms INTEGER NOT NULL,
         attempts INTEGER NOT NULL, is_failed INTEGER NOT NULL)`,
    );
  }

  add(delivery: Omit<Delivery, "id" | "attempts">): number {
    const { destination, kind, message, contents, dueMs } = delivery;
    const row = this.#sql.exec<{ id: number }>(
      `INSERT INTO delivery(destination, kind, message, contents, due_ms, attempts, is_failed)
       VALUES (?, ?, ?, ?, ?, 0, 0) RETURNING id`,
      ...[destination, kind, message, JSON.stringify(contents), dueMs],
    );
    return row.one().id;
  }

  /** The messages to a destination that gather alerts, and have not been sent. */
  listGathering(destination: string, nowMs: number): readonly Delivery[] {
    return this.#list(
      `WHERE destination = ? AND kind LIKE 'gathered%' AND attempts = 0 AND is_failed = 0
         AND due_ms > ? ORDER BY id`,
      ...[destination, nowMs],
    );
  }

  setContents(id: number, contents: MessageContents): void {
    this.#sql.exec("UPDATE delivery SET contents = ? WHERE id = ?", JSON.stringify(contents), id);
  }

  get(id: number): Delivery | undefined {
    return this.#list("WHERE id = ?", id)[0];
  }

  /** Messages that wait for an attempt, in order. */
  listWaiting(): readonly Delivery[] {
    return this.#list("WHERE is_failed = 0 ORDER BY id");
  }

  setRetry(id: number, dueMs: number): void {
    this.#sql.exec(
      "UPDATE delivery SET attempts = attempts + 1, due_ms = ? WHERE id = ?",
      ...[dueMs, id],
    );
  }

  postpone(id: number, dueMs: number): void {
    this.#sql.exec("UPDATE delivery SET due_ms = ? WHERE id = ?", dueMs, id);
  }

  /** Marks a message as undeliverable, and deletes the oldest ones above the limit. */
  setFailed(id: number): void {
    this.#sql.exec("UPDATE delivery SET attempts = attempts + 1, is_failed = 1 WHERE id = ?", id);
    this.#sql.exec(
      `DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE is_failed = 1
         ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      alertLimits.keptUndelivered,
    );
  }

  /** Marks all messages to a destination as undeliverable. */
  setDestinationFailed(destination: string): void {
    this.#sql.exec("UPDATE delivery SET is_failed = 1 WHERE destination = ?", destination);
  }

  /** Queues undelivered messages with this id. False if there is none. */
  sendAgain(message: string, nowMs: number): boolean {
    const updated = this.#sql.exec(
      `UPDATE delivery SET is_failed = 0, attempts = 0, due_ms = ?
       WHERE message = ? AND is_failed = 1`,
      ...[nowMs, message],
    );
    return updated.rowsWritten > 0;
  }

  count(): { readonly waiting: number; readonly failed: number; readonly oldestMs?: number } {
    const rows = this.listWaiting();
    const times = rows.flatMap(({ contents }) => contents.alerts.map(({ alert }) => alert.atMs));
    const { failed } = this.#sql
      .exec<{ failed: number }>("SELECT count(*) AS failed FROM delivery WHERE is_failed = 1")
      .one();
    const oldest = times.length === 0 ? {} : { oldestMs: Math.min(...times) };
    return { waiting: rows.length, failed, ...oldest };
  }

  remove(id: number): void {
    this.#sql.exec("DELETE FROM delivery WHERE id = ?", id);
  }

  removeDestination(destination: string): void {
    this.#sql.exec("DELETE FROM delivery WHERE destination = ?", destination);
  }

  /** Removes the alerts of an issue, and messages without other alerts. */
  erase(digest: Digest): void {
    for (const { id, contents } of this.#list("WHERE instr(contents, ?) > 0", digest)) {
      const alerts = contents.alerts.filter(({ alert }) => alert.digest !== digest);
      if (alerts.length === 0 && contents.more === 0) this.remove(id);
      else this.setContents(id, { ...contents, alerts });
    }
  }

  /** Removes messages about a text in lower case. */
  eraseText(part: string): void {
    this.#sql.exec("DELETE FROM delivery WHERE instr(lower(contents), ?) > 0", part);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM delivery");
  }

  #list(clauses: string, ...values: readonly SqlStorageValue[]): readonly Delivery[] {
    return this.#sql
      .exec<DeliveryRow>(
        `SELECT id, destination, kind, message, contents, due_ms, attempts
         FROM delivery ${clauses}`,
        ...values,
      )
      .toArray()
      .map(({ due_ms, contents, ...row }) => ({
        ...row,
        dueMs: due_ms,
        contents: JSON.parse(contents) as MessageContents,
      }));
  }
}
