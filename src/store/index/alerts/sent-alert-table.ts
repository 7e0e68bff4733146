/**
 * SQLite table of the last alerts that destinations of the project accepted, one row per issue, for
 * the activity on the issue page. The alert sender has the log of deliveries. Synchronous.
 */
import type { SentAlert } from "../../../core/alerts/sent-alert.ts";
import type { Digest } from "../../../core/report.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("alert_sent", ["digest"], ["body"]);

/** Alerts of an issue that are kept. */
const MAX_SENT = 10;

export class SentAlertTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Oldest first. */
  list(digest: Digest): readonly SentAlert[] {
    const query = "SELECT body FROM alert_sent WHERE digest = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, digest);
    return row === undefined ? [] : (JSON.parse(row.body) as readonly SentAlert[]);
  }

  /** Adds an alert. An alert that several destinations accepted is one entry. */
  add(digest: Digest, sent: SentAlert): void {
    const known = this.list(digest);
    const same = known.find(({ message }) => message === sent.message);
    const to = [...new Set([...(same?.to ?? []), ...sent.to])];
    const entries =
      same === undefined ? [...known, sent] : known.with(known.indexOf(same), { ...same, to });
    this.save(digest, entries.slice(-MAX_SENT));
  }

  save(digest: Digest, entries: readonly SentAlert[]): void {
    this.#sql.exec(SAVE, digest, JSON.stringify(entries));
  }

  /** At most `limit` digests after one, in order. */
  listNames(after: string, limit: number): readonly Digest[] {
    const query = "SELECT digest FROM alert_sent WHERE digest > ? ORDER BY digest LIMIT ?";
    const rows = this.#sql.exec<{ digest: string }>(query, after, limit).toArray();
    return rows.map(({ digest }) => digest);
  }

  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM alert_sent WHERE digest = ?", digest);
  }
}
