/**
 * SQLite table of items whose snapshot in KV may have erased data, until KV has the current state.
 * Synchronous.
 */

export class TombstoneTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  add(kind: string, name: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO tombstone(kind, name) VALUES (?, ?)", kind, name);
  }

  /** Call when KV has the current state. */
  remove(kind: string, name: string): void {
    this.#sql.exec("DELETE FROM tombstone WHERE kind = ? AND name = ?", kind, name);
  }

  has(kind: string, name: string): boolean {
    const query = "SELECT 1 FROM tombstone WHERE kind = ? AND name = ?";
    return this.#sql.exec(query, kind, name).toArray().length > 0;
  }

  /** True if there is one of the kind. */
  hasAny(kind: string): boolean {
    const query = "SELECT 1 FROM tombstone WHERE kind = ? LIMIT 1";
    return this.#sql.exec(query, kind).toArray().length > 0;
  }

  listNames(kind: string): readonly string[] {
    return this.#sql
      .exec<{ name: string }>("SELECT name FROM tombstone WHERE kind = ?", kind)
      .toArray()
      .map(({ name }) => name);
  }
}
