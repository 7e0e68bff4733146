/**
 * SQLite table of the state of each destination: message budgets, the earliest next call, and since
 * when it fails. Synchronous.
 */
import type { MessageBudget, MessageBudgetName } from "../../../core/alerts/message-budget.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("destination_state", ["id"], ["body"]);

export interface DestinationState extends DestinationFailures {
  readonly budgets?: Readonly<Partial<Record<MessageBudgetName, MessageBudget>>>;
  /** No call before this time, ms. */
  readonly nextMs?: number;
}

/** The failures of a destination since its last success. */
export interface DestinationFailures {
  /** Since when every call failed, ms. */
  readonly failingSinceMs?: number;
  /** Until when the service asked for a pause, ms. */
  readonly pausedUntilMs?: number;
  /** The status with which the service has refused every message since `sinceMs`. */
  readonly refusal?: { readonly status: number; readonly sinceMs: number };
  /** True if the last call took long and failed. */
  readonly isSlow?: true;
  /** True if a message was undeliverable, and the other destinations received an alert. */
  readonly isUndelivered?: true;
}

export class DestinationTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  get(id: string): DestinationState {
    const query = "SELECT body FROM destination_state WHERE id = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, id);
    return row === undefined ? {} : (JSON.parse(row.body) as DestinationState);
  }

  save(id: string, state: DestinationState): void {
    this.#sql.exec(SAVE, id, JSON.stringify(state));
  }

  /** Removes the failures of a destination that was saved or enabled, and its pause. */
  forgetFailures(id: string): void {
    const { budgets } = this.get(id);
    this.save(id, { budgets });
  }

  /** Ends the pause of a destination. */
  endPause(id: string): void {
    const { pausedUntilMs, nextMs: _, ...state } = this.get(id);
    if (pausedUntilMs !== undefined) this.save(id, state);
  }

  remove(id: string): void {
    this.#sql.exec("DELETE FROM destination_state WHERE id = ?", id);
  }
}
