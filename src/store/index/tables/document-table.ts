/**
 * What people decided, and what they added, a row a name, in the object of the index. It outlives the issue that it is about: one that
 * was resolved and forgotten is known again when it returns. Every method is synchronous.
 */

/** A table of one kind of what is kept, in the storage of the object that owns it; it is made when it is missing. */
export class DocumentTable<T> {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #decode: (value: unknown) => T | null;

  /** `table` is a name of ours; `decode` gives null for what is of no version that it knows. */
  constructor(storage: DurableObjectStorage, table: string, decode: (value: unknown) => T | null) {
    this.#sql = storage.sql;
    this.#table = table;
    this.#decode = decode;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS ${table}(
        digest TEXT PRIMARY KEY, body TEXT NOT NULL, stale INTEGER NOT NULL) WITHOUT ROWID;`);
  }

  /** What was kept last; undefined when nothing ever was. */
  get(name: string): T | undefined {
    const query = `SELECT body FROM ${this.#table} WHERE digest = ?`;
    const [row] = this.#sql.exec<{ body: string }>(query, name);
    return row === undefined ? undefined : (this.#decode(JSON.parse(row.body)) ?? undefined);
  }

  /** Keeps something; its copy in KV is stale from now on. */
  save(name: string, document: T): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${this.#table}(digest, body, stale) VALUES (?, ?, 1)`,
      name,
      JSON.stringify(document),
    );
  }

  /** Takes what was read from KV, unless something newer is known here. */
  restore(name: string, document: T): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO ${this.#table}(digest, body, stale) VALUES (?, ?, 0)`,
      name,
      JSON.stringify(document),
    );
  }

  /** Everything that is kept. */
  list(): readonly (readonly [name: string, kept: T])[] {
    const rows = this.#sql.exec<{ digest: string; body: string }>(
      `SELECT digest, body FROM ${this.#table}`,
    );
    return rows.toArray().flatMap(({ digest, body }) => {
      const document = this.#decode(JSON.parse(body));
      return document === null ? [] : [[digest, document] as const];
    });
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec(`DELETE FROM ${this.#table}`);
  }

  remove(name: string): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE digest = ?`, name);
  }

  /** What is not in KV as it is here, by its names. */
  listDirty(): readonly string[] {
    return this.#sql
      .exec<{ digest: string }>(`SELECT digest FROM ${this.#table} WHERE stale = 1`)
      .toArray()
      .map(({ digest }) => digest);
  }

  markClean(name: string): void {
    this.#sql.exec(`UPDATE ${this.#table} SET stale = 0 WHERE digest = ?`, name);
  }
}
