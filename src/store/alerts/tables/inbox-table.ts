/**
 * SQLite tables of the inbox: the newest alerts, and up to which of them each person has read.
 * Alerts contain no reported text: messages are rendered when they are read. Synchronous.
 */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { DueAlert } from "../../../core/alerts/due-alert.ts";
import { selectNewestReports } from "../../../core/issue/related-reports.ts";
import type { Digest } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE_TAKEN = upsert("taken", ["id"], ["n"]);

/** An alert with the id of its message. */
export interface IdentifiedAlert {
  readonly id: string;
  readonly alert: DueAlert;
}

export class InboxTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** The highest number of an alert that was taken from the index. */
  getTaken(): number {
    const [row] = this.#sql.exec<{ n: number }>("SELECT n FROM taken");
    return row?.n ?? 0;
  }

  setTaken(n: number): void {
    this.#sql.exec(SAVE_TAKEN, 1, n);
  }

  /** Adds alerts and deletes the oldest of each trust level above its limit. */
  add(alerts: readonly IdentifiedAlert[]): void {
    for (const { id, alert } of alerts) {
      this.#sql.exec(
        `INSERT INTO inbox(seq, id, digest, trust, alert)
         VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM inbox), ?, ?, ?, ?)`,
        ...[id, alert.digest ?? null, alert.trust ?? "server", JSON.stringify(alert)],
      );
    }
    for (const [trust, kept] of Object.entries(alertLimits.keptMessagesByTrust)) {
      this.#sql.exec(
        `DELETE FROM inbox WHERE trust = ?1 AND seq <= (
           SELECT seq FROM inbox WHERE trust = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
        ...[trust, kept],
      );
    }
  }

  /** The newest alerts, newest first. Higher trust levels get half of the list. */
  list(count: number): readonly IdentifiedAlert[] {
    const all = this.#sql
      .exec<{ id: string; trust: Trust; alert: string }>(
        "SELECT id, trust, alert FROM inbox ORDER BY seq DESC",
      )
      .toArray();
    const listed = new Set(selectNewestReports(all, count));
    return all
      .filter((row) => listed.has(row))
      .map(({ id, alert }) => ({ id, alert: JSON.parse(alert) as DueAlert }));
  }

  /** The alerts that the person has not read, from `sinceMs` on. */
  countUnread(person: string, sinceMs = 0): number {
    return this.#sql
      .exec<{ unread: number }>(
        `SELECT count(*) AS unread FROM inbox
         WHERE seq > coalesce((SELECT seq FROM read_mark WHERE person = ?), 0)
           AND json_extract(alert, '$.atMs') >= ?`,
        ...[person, sinceMs],
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
}
