/**
 * What was erased here and may still have a copy in KV, in the object of the index: a row until that copy is deleted. Every method
 * is synchronous.
 */

/** What a copy is of: an issue, what people decided about one or added to it, or a code that leads to some. */
export type TombstoneKind = "issue" | "decision" | "annotations" | "alias";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class TombstoneTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS gone(kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(kind, name)) WITHOUT ROWID",
    );
  }

  add(kind: TombstoneKind, name: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO gone(kind, name) VALUES (?, ?)", kind, name);
  }

  /** Notes that KV has what is here: nothing, or what has come since. */
  remove(kind: TombstoneKind, name: string): void {
    this.#sql.exec("DELETE FROM gone WHERE kind = ? AND name = ?", kind, name);
  }

  listNames(kind: TombstoneKind): readonly string[] {
    return this.#sql
      .exec<{ name: string }>("SELECT name FROM gone WHERE kind = ?", kind)
      .toArray()
      .map(({ name }) => name);
  }
}
