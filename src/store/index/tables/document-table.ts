/**
 * SQLite table of JSON documents by name: decisions, annotations or saved views. A document
 * outlives its issue: an expired issue that returns has its decision again. Synchronous.
 */
export class DocumentTable<T> {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #decode: (value: unknown) => T | null;

  /** `table` is a trusted name; `decode` returns null for an unknown version. */
  constructor(storage: DurableObjectStorage, table: string, decode: (value: unknown) => T | null) {
    this.#sql = storage.sql;
    this.#table = table;
    this.#decode = decode;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS ${table}(
        name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;`);
  }

  get(name: string): T | undefined {
    const query = `SELECT body FROM ${this.#table} WHERE name = ?`;
    const [row] = this.#sql.exec<{ body: string }>(query, name);
    return row === undefined ? undefined : (this.#decode(JSON.parse(row.body)) ?? undefined);
  }

  /** Writes a document. */
  save(name: string, document: T): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${this.#table}(name, body) VALUES (?, ?)`,
      name,
      JSON.stringify(document),
    );
  }

  /** Adds a document from KV, unless the table already has one of that name. */
  restore(name: string, document: T): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO ${this.#table}(name, body) VALUES (?, ?)`,
      name,
      JSON.stringify(document),
    );
  }

  /** At most `limit` names after one, in order. */
  listNames(after: string, limit: number): readonly string[] {
    return this.#sql
      .exec<{ name: string }>(
        `SELECT name FROM ${this.#table} WHERE name > ? ORDER BY name LIMIT ?`,
        after,
        limit,
      )
      .toArray()
      .map(({ name }) => name);
  }

  list(): readonly (readonly [name: string, document: T])[] {
    return this.query("");
  }

  /** At most `limit` documents whose names come after one, by name. */
  listAfter(name: string, limit: number): readonly (readonly [name: string, document: T])[] {
    return this.query("WHERE name > ? ORDER BY name LIMIT ?", name, limit);
  }

  /** The documents of a query. `clauses` come after `FROM`. */
  protected query(
    clauses: string,
    ...values: readonly SqlStorageValue[]
  ): readonly (readonly [name: string, document: T])[] {
    const rows = this.#sql.exec<{ name: string; body: string }>(
      `SELECT name, body FROM ${this.#table} ${clauses}`,
      ...values,
    );
    return rows.toArray().flatMap(({ name, body }) => {
      const document = this.#decode(JSON.parse(body));
      return document === null ? [] : [[name, document] as const];
    });
  }

  wipe(): void {
    this.#sql.exec(`DELETE FROM ${this.#table}`);
  }

  remove(name: string): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE name = ?`, name);
  }
}
