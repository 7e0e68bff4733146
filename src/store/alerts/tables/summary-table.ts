/** SQLite table of when the next summary of each destination is due. Synchronous. */
import type { SummaryPeriod } from "../../../core/alerts/periods/summary-period.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("next_summary", ["destination"], ["every", "due_ms"]);

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
  }

  list(): readonly NextSummary[] {
    const query = "SELECT destination, every, due_ms AS dueMs FROM next_summary";
    return this.#sql
      .exec<{ destination: string; every: SummaryPeriod; dueMs: number }>(query)
      .toArray();
  }

  save({ destination, every, dueMs }: NextSummary): void {
    this.#sql.exec(SAVE, destination, every, dueMs);
  }

  remove(destination: string): void {
    this.#sql.exec("DELETE FROM next_summary WHERE destination = ?", destination);
  }
}
