/**
 * SQLite table of JSON documents by name: decisions, annotations or saved views. A document
 * outlives its issue: an expired issue that returns has its decision again. Synchronous.
 */
import { Unreadable } from "../../../core/schema/stored.ts";
import { upsert } from "../../sqlite/table.ts";
export class DocumentTable<T> {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #decode: (value: unknown) => T | null;

  /** `table` is a trusted name; `decode` returns null for a damaged document. */
  constructor(storage: DurableObjectStorage, table: string, decode: (value: unknown) => T | null) {
    this.#sql = storage.sql;
    this.#table = table;
    this.#decode = decode;
  }

  get(name: string): T | undefined {
    const query = `SELECT body FROM ${this.#table} WHERE name = ?`;
    const [row] = this.#sql.exec<{ body: string }>(query, name);
    return row && this.#parse(name, row.body);
  }

  save(name: string, document: T): void {
    const query = upsert(this.#table, ["name"], ["body"]);
    this.#sql.exec(query, name, JSON.stringify(document));
  }

  /** Adds a document from KV, unless the table already has one of that name. */
  restore(name: string, document: T): void {
    const query = `INSERT OR IGNORE INTO ${this.#table}(name, body) VALUES (?, ?)`;
    this.#sql.exec(query, name, JSON.stringify(document));
  }

  /** At most `limit` names after one, in order. */
  listNames(after: string, limit: number): readonly string[] {
    const query = `SELECT name FROM ${this.#table} WHERE name > ? ORDER BY name LIMIT ?`;
    const rows = this.#sql.exec<{ name: string }>(query, after, limit).toArray();
    return rows.map(({ name }) => name);
  }

  list(): readonly (readonly [name: string, document: T])[] {
    return this.query("");
  }

  /** The documents of a query. `clauses` come after `FROM`. */
  protected query(clauses: string): readonly (readonly [name: string, document: T])[] {
    const query = `SELECT name, body FROM ${this.#table} ${clauses}`;
    const rows = this.#sql.exec<{ name: string; body: string }>(query);
    return rows.toArray().map(({ name, body }) => [name, this.#parse(name, body)] as const);
  }

  /** Throws `Unreadable`: a document that cannot be read must not look like a missing one. */
  #parse(name: string, body: string): T {
    const document = this.#decode(JSON.parse(body));
    if (document !== null) return document;
    throw new Unreadable(`${this.#table} ${name}`, { kind: "damaged", problem: "no version" });
  }

  wipe(): void {
    this.#sql.exec(`DELETE FROM ${this.#table}`);
  }

  remove(name: string): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE name = ?`, name);
  }
}
