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

  /**
   * Adds alerts as one row for each trust level: a storm can make hundreds due at once. Deletes the
   * oldest rows of these levels above their limits.
   */
  add(alerts: readonly IdentifiedAlert[]): void {
    const levels = Map.groupBy(alerts, ({ alert }) => alert.trust ?? "server");
    for (const [trust, all] of levels) {
      const kept = alertLimits.keptMessagesByTrust[trust];
      const newest = all.slice(-kept);
      const last = newest.at(-1);
      if (last === undefined) continue;
      const { id, alert, others } = toColumns(last, newest.slice(0, -1));
      this.#sql.exec(
        `INSERT INTO inbox(seq, id, digest, trust, alert, others)
         VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM inbox), ?, ?, ?, ?, ?)`,
        ...[id, last.alert.digest ?? null, trust, alert, others],
      );
      this.#deleteOldest(trust, kept);
    }
  }

  #deleteOldest(trust: Trust, kept: number): void {
    const query = `SELECT seq, ${SIZE} AS size FROM inbox WHERE trust = ? ORDER BY seq DESC`;
    let newer = 0;
    for (const row of this.#sql.exec<{ seq: number; size: number }>(query, trust).toArray()) {
      if (newer >= kept) this.#sql.exec("DELETE FROM inbox WHERE seq = ?", row.seq);
      newer += row.size;
    }
  }

  /** The newest alerts, newest first. Higher trust levels get half of the list. */
  list(count: number): readonly IdentifiedAlert[] {
    const rows = this.#sql.exec<InboxRow & { trust: Trust }>(
      "SELECT seq, id, trust, alert, others FROM inbox ORDER BY seq DESC",
    );
    const all = [...rows].flatMap(({ trust, ...row }) =>
      parseRow(row).map((one) => ({ ...one, trust })),
    );
    const listed = new Set(selectNewestReports(all, count));
    return all.filter((one) => listed.has(one)).map(({ id, alert }) => ({ id, alert }));
  }

  /** The alerts that the person has not read, from `sinceMs` on. */
  countUnread(person: string, sinceMs = 0): number {
    return this.#sql
      .exec<{ unread: number }>(
        `SELECT coalesce(sum(${SIZE}), 0) AS unread FROM inbox
         WHERE seq > coalesce((SELECT seq FROM read_mark WHERE person = ?), 0)
           AND json_extract(alert, '$.atMs') >= ?`,
        ...[person, sinceMs],
      )
      .one().unread;
  }

  markRead(person: string, id: string): void {
    this.#sql.exec(
      `INSERT INTO read_mark(person, seq)
       SELECT ?1, seq FROM inbox WHERE id = ?2 OR instr(others, json_quote(?2)) > 0
       ON CONFLICT(person) DO UPDATE SET seq = max(seq, excluded.seq)`,
      ...[person, id],
    );
  }

  erase(digest: Digest): void {
    this.#remove(digest, ({ alert }) => alert.digest === digest);
  }

  /** `part` is in lower case. */
  eraseText(part: string): void {
    this.#remove(part, ({ alert }) => JSON.stringify(alert).toLowerCase().includes(part));
  }

  /** Removes the alerts that `isRemoved`, from rows that contain a text in any case. */
  #remove(text: string, isRemoved: (alert: IdentifiedAlert) => boolean): void {
    const query = `SELECT seq, id, alert, others FROM inbox
      WHERE instr(lower(alert), ?1) + coalesce(instr(lower(others), ?1), 0) > 0`;
    const rows = this.#sql.exec<InboxRow>(query, text.toLowerCase()).toArray();
    for (const row of rows) {
      const [last, ...others] = parseRow(row).filter((one) => !isRemoved(one));
      if (last === undefined) this.#sql.exec("DELETE FROM inbox WHERE seq = ?", row.seq);
      else {
        const columns = toColumns(last, others.toReversed());
        this.#sql.exec(
          "UPDATE inbox SET id = ?, digest = ?, alert = ?, others = ? WHERE seq = ?",
          ...[columns.id, last.alert.digest ?? null, columns.alert, columns.others, row.seq],
        );
      }
    }
  }
}

/** The alerts of a row, as SQL. */
const SIZE = "(1 + coalesce(json_array_length(others), 0))";

type InboxRow = { seq: number; id: string; alert: string; others: string | null };

/** `others` came before the alert, the oldest first. */
function toColumns({ id, alert }: IdentifiedAlert, others: readonly IdentifiedAlert[]) {
  return {
    id,
    alert: JSON.stringify(alert),
    others: others.length === 0 ? null : JSON.stringify(others),
  };
}

/** Newest first. */
function parseRow({ id, alert, others }: InboxRow): readonly IdentifiedAlert[] {
  const earlier = others === null ? [] : (JSON.parse(others) as readonly IdentifiedAlert[]);
  return [{ id, alert: JSON.parse(alert) as DueAlert }, ...earlier.toReversed()];
}
