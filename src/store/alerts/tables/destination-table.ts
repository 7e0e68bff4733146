/**
 * SQLite table of the state of each destination: message budgets, the earliest next call, and since
 * when it fails. Synchronous.
 */
import type { MessageBudget } from "../../../core/alerts/message-budget.ts";
import type { Trust } from "../../../core/trust/trust.ts";

export interface DestinationState {
  /** The budget of the alerts of each trust level. */
  readonly budgets?: Readonly<Partial<Record<Trust, MessageBudget>>>;
  /** No call before this time, ms. */
  readonly nextMs?: number;
  /** Since when every call failed, ms. */
  readonly failingSinceMs?: number;
}

export class DestinationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS destination_state(
         id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID`,
    );
  }

  get(id: string): DestinationState {
    const query = "SELECT body FROM destination_state WHERE id = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, id);
    return row === undefined ? {} : (JSON.parse(row.body) as DestinationState);
  }

  save(id: string, state: DestinationState): void {
    const insert = "INSERT OR REPLACE INTO destination_state VALUES (?, ?)";
    this.#sql.exec(insert, id, JSON.stringify(state));
  }

  /** Removes the failures of a destination that was saved or enabled. */
  forgetFailures(id: string): void {
    const { failingSinceMs: _, ...state } = this.get(id);
    this.save(id, state);
  }

  remove(id: string): void {
    this.#sql.exec("DELETE FROM destination_state WHERE id = ?", id);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM destination_state");
  }
}
