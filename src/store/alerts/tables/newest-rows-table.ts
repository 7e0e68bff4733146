/**
 * SQLite table of the newest entries of a log: each new entry replaces the oldest one, so that an
 * entry costs one row. Synchronous.
 */
import { upsert } from "../../sqlite/table.ts";

export class NewestRowsTable<T> {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #size: number;
  #next: number | undefined;

  /** `table` is a trusted name. */
  constructor(storage: DurableObjectStorage, table: string, size: number) {
    this.#sql = storage.sql;
    this.#table = table;
    this.#size = size;
  }

  add(entry: T): void {
    this.#next ??= this.#readNext();
    const n = this.#next;
    const insert = upsert(this.#table, ["slot"], ["n", "entry"]);
    this.#sql.exec(insert, n % this.#size, n, JSON.stringify(entry));
    this.#next = n + 1;
  }

  /** Newest first. */
  list(): readonly T[] {
    return this.#listRows().map(({ entry }) => JSON.parse(entry) as T);
  }

  /** Replaces entries; null keeps one as it is. */
  change(replace: (entry: T) => T | null): void {
    for (const { slot, entry } of this.#listRows()) {
      const changed = replace(JSON.parse(entry) as T);
      if (changed === null) continue;
      const update = `UPDATE ${this.#table} SET entry = ? WHERE slot = ?`;
      this.#sql.exec(update, JSON.stringify(changed), slot);
    }
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#next = undefined;
  }

  #listRows() {
    return this.#sql
      .exec<{ slot: number; entry: string }>(
        `SELECT slot, entry FROM ${this.#table} ORDER BY n DESC`,
      )
      .toArray();
  }

  #readNext(): number {
    const query = `SELECT coalesce(max(n), 0) + 1 AS next FROM ${this.#table}`;
    return this.#sql.exec<{ next: number }>(query).one().next;
  }
}
