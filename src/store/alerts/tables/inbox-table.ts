/**
 * SQLite tables of the inbox: the newest alerts, and up to which of them each person has read.
 * Alerts contain no reported text: messages are rendered when they are read. Synchronous.
 */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { DueAlert } from "../../../core/alerts/due-alert.ts";
import type { Digest } from "../../../core/report.ts";

/** An alert with the id of its message. */
export interface IdentifiedAlert {
  readonly id: string;
  readonly alert: DueAlert;
}

export class InboxTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS inbox(
         seq INTEGER PRIMARY KEY, id TEXT NOT NULL, digest TEXT, alert TEXT NOT NULL);
       CREATE TABLE IF NOT EXISTS read_mark(
         person TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS taken(id INTEGER PRIMARY KEY, n INTEGER NOT NULL)`,
    );
  }

  /** The highest number that was taken from the index. */
  getTaken(): number {
    const [row] = this.#sql.exec<{ n: number }>("SELECT n FROM taken");
    return row?.n ?? 0;
  }

  setTaken(n: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO taken VALUES (1, ?)", n);
  }

  /** Adds alerts and deletes the oldest above the limit. */
  add(alerts: readonly IdentifiedAlert[]): void {
    for (const { id, alert } of alerts) {
      this.#sql.exec(
        `INSERT INTO inbox(seq, id, digest, alert)
         VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM inbox), ?, ?, ?)`,
        ...[id, alert.digest ?? null, JSON.stringify(alert)],
      );
    }
    this.#sql.exec(
      "DELETE FROM inbox WHERE seq <= (SELECT max(seq) FROM inbox) - ?",
      alertLimits.keptMessages,
    );
  }

  /** The newest alerts, newest first. */
  list(count: number): readonly IdentifiedAlert[] {
    return this.#sql
      .exec<{ id: string; alert: string }>(
        "SELECT id, alert FROM inbox ORDER BY seq DESC LIMIT ?",
        count,
      )
      .toArray()
      .map(({ id, alert }) => ({ id, alert: JSON.parse(alert) as DueAlert }));
  }

  countUnread(person: string): number {
    return this.#sql
      .exec<{ unread: number }>(
        `SELECT count(*) AS unread FROM inbox
         WHERE seq > coalesce((SELECT seq FROM read_mark WHERE person = ?), 0)`,
        person,
      )
      .one().unread;
  }

  markRead(person: string, id: string): void {
    this.#sql.exec(
      `INSERT INTO read_mark(person, seq) SELECT ?1, seq FROM inbox WHERE id = ?2
       ON CONFLICT(person) DO UPDATE SET seq = max(seq, excluded.seq)`,
      ...[person, id],
    );
  }

  erase(digest: Digest): void {
    this.#sql.exec("DELETE FROM inbox WHERE digest = ?", digest);
  }

  /** `part` is in lower case. */
  eraseText(part: string): void {
    this.#sql.exec("DELETE FROM inbox WHERE instr(lower(alert), ?) > 0", part);
  }

  /** Keeps the number up to which alerts were taken: earlier ones may still be on their way. */
  wipe(): void {
    this.#sql.exec("DELETE FROM inbox");
    this.#sql.exec("DELETE FROM read_mark");
  }
}
