/**
 * SQLite table of the mails that asked to confirm an address, for their limits: of each its time
 * and the hash of the address. Synchronous.
 */

/** Rows are kept this long. */
const KEPT_MS = 86_400_000;

export class ConfirmationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** The mails since `sinceMs`; with `address`, those to the address with this hash. */
  count(sinceMs: number, address?: string): number {
    const query = `SELECT count(*) AS n FROM confirmation
      WHERE at_ms > ?1 AND (?2 IS NULL OR address = ?2)`;
    return this.#sql.exec<{ n: number }>(query, sinceMs, address ?? null).one().n;
  }

  /** Adds a mail, and removes those of the day before. */
  add(atMs: number, address: string): void {
    this.#sql.exec("DELETE FROM confirmation WHERE at_ms <= ?", atMs - KEPT_MS);
    this.#sql.exec("INSERT INTO confirmation(at_ms, address) VALUES (?, ?)", atMs, address);
  }
}
