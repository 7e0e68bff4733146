/** SQLite table of when the next summary of each destination is due. Synchronous. */
import type { SummaryPeriod } from "../../../core/alerts/periods/summary-period.ts";

/** The next summary of a destination. */
export interface NextSummary {
  readonly destination: string;
  readonly every: SummaryPeriod;
  readonly dueMs: number;
}

export class SummaryTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS next_summary(
         destination TEXT PRIMARY KEY, every TEXT NOT NULL, due_ms INTEGER NOT NULL) WITHOUT ROWID`,
    );
  }

  list(): readonly NextSummary[] {
    const query = "SELECT destination, every, due_ms AS dueMs FROM next_summary";
    return this.#sql
      .exec<{ destination: string; every: SummaryPeriod; dueMs: number }>(query)
      .toArray();
  }

  save({ destination, every, dueMs }: NextSummary): void {
    const insert = "INSERT OR REPLACE INTO next_summary VALUES (?, ?, ?)";
    this.#sql.exec(insert, destination, every, dueMs);
  }

  remove(destination: string): void {
    this.#sql.exec("DELETE FROM next_summary WHERE destination = ?", destination);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM next_summary");
  }
}
