/**
 * SQLite table of deleted destinations, with their encrypted secrets, for as long as the deletion can be
 * undone. They are not in the settings, which KV has a copy of. Synchronous.
 */
import type { Destination } from "../../../core/alerts/destinations/destinations.ts";
import type { AlertRule } from "../../../core/alerts/rule.ts";
import { containsText } from "../../redact-text.ts";
import { upsert } from "../../sqlite/table.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { changeDestinationSecrets, openDestination } from "../secrets/settings-secrets.ts";
import type { DestinationState } from "./destination-table.ts";

const SAVE = upsert("deleted_destination", ["undo_id"], ["until_ms", "body"]);

/** A deleted destination, its state, and the rules that named it, as they were before and after. */
export interface DeletedDestination {
  readonly destination: Destination;
  readonly state: DestinationState;
  readonly rules: readonly { readonly before: AlertRule; readonly after: AlertRule }[];
}

export class DeletedDestinationTable {
  readonly #sql: SqlStorage;

  readonly #box: SecretBox;

  constructor(storage: DurableObjectStorage, box: SecretBox) {
    this.#sql = storage.sql;
    this.#box = box;
  }

  add(undoId: string, untilMs: number, deleted: DeletedDestination): void {
    const destination = changeDestinationSecrets(deleted.destination, (text, owner) =>
      this.#box.seal(text, owner),
    );
    this.#sql.exec(SAVE, undoId, untilMs, JSON.stringify({ ...deleted, destination }));
  }

  /** Undefined if the id is unknown or its time is over. */
  get(undoId: string, nowMs: number): DeletedDestination | undefined {
    const query = "SELECT body FROM deleted_destination WHERE undo_id = ? AND until_ms > ?";
    const [row] = this.#sql.exec<{ body: string }>(query, undoId, nowMs);
    return row === undefined ? undefined : this.#open(row.body, nowMs);
  }

  remove(undoId: string): void {
    this.#sql.exec("DELETE FROM deleted_destination WHERE undo_id = ?", undoId);
  }

  /** Forgets those with a text, whose deletion can then not be undone. Returns their ids. */
  eraseText(text: string): readonly string[] {
    const query = "SELECT undo_id, body FROM deleted_destination";
    const rows = this.#sql.exec<{ undo_id: string; body: string }>(query).toArray();
    return rows.flatMap(({ undo_id: undoId, body }) => {
      const deleted = this.#open(body, 0);
      if (!containsText(deleted, text)) return [];
      this.remove(undoId);
      return deleted.destination.id;
    });
  }

  /** Forgets those whose time is over. Returns their ids. */
  takeExpired(nowMs: number): readonly string[] {
    const query = "DELETE FROM deleted_destination WHERE until_ms <= ? RETURNING body";
    return [...this.#sql.exec<{ body: string }>(query, nowMs)].map(
      ({ body }) => (JSON.parse(body) as DeletedDestination).destination.id,
    );
  }

  #open(body: string, nowMs: number): DeletedDestination {
    const deleted = JSON.parse(body) as DeletedDestination;
    return { ...deleted, destination: openDestination(deleted.destination, this.#box, nowMs) };
  }

  /** When the next one is to be forgotten; undefined if there is none. */
  getDueMs(): number | undefined {
    const query = "SELECT min(until_ms) AS due FROM deleted_destination";
    return this.#sql.exec<{ due: number | null }>(query).one().due ?? undefined;
  }
}
