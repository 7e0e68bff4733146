/**
 * SQLite table of JSON documents by name: decisions, annotations or saved views. A document
 * outlives its issue: an expired issue that returns has its decision again. Synchronous.
 *
 * Documents of a table with `copy` also survive the loss of the object: each change is noted and
 * then written to KV, a rebuild restores them, and an erased one is not restored.
 */
import { type StoredFormat, Unreadable } from "../../../core/schema/stored.ts";
import { AbsentKeys } from "../../sqlite/absent-keys.ts";
import { type Table, upsert } from "../../sqlite/table.ts";
import type { TombstoneTable } from "./tombstone-table.ts";

/** The copies of documents in KV that are outdated, by the first part of their keys. */
export interface ChangedDocument {
  readonly kind: string;
  readonly name: string;
}

export class DocumentTable<T> {
  readonly #sql: SqlStorage;
  readonly #table: Table;
  readonly #tombstones: TombstoneTable;
  readonly #format: StoredFormat<T>;
  /** The names of copied documents that changed since `takeChanged`. */
  readonly #changed = new Set<string>();
  readonly absent: AbsentKeys;

  constructor(
    storage: DurableObjectStorage,
    table: Table,
    tombstones: TombstoneTable,
    format: StoredFormat<T>,
  ) {
    this.#sql = storage.sql;
    this.#table = table;
    this.#tombstones = tombstones;
    this.#format = format;
    this.absent = new AbsentKeys(table.name, "name");
  }

  /** The first part of the keys of its copies in KV. */
  get kind(): string {
    return this.#table.copy ?? this.#table.name;
  }

  get(name: string): T | undefined {
    if (this.absent.has(name)) return undefined;
    const query = `SELECT body FROM ${this.#table.name} WHERE name = ?`;
    const [row] = this.#sql.exec<{ body: string }>(query, name);
    return row && this.#parse(name, row.body);
  }

  /** The document as its copy in KV has it; null without one. */
  getCopy(name: string): unknown {
    const document = this.get(name);
    return document === undefined ? null : this.#format.toWritten(document);
  }

  save(name: string, document: T): void {
    const query = upsert(this.#table.name, ["name"], ["body"]);
    this.#sql.exec(query, name, this.#format.encode(document));
    this.absent.delete(name);
    this.#changed.add(name);
  }

  /** Restores a copy, unless the table has a document of that name, or erased it. */
  restore(name: string, copy: unknown): void {
    const document = this.#format.parseOrNull(copy);
    if (document === null || this.#tombstones.has(this.kind, name)) return;
    this.absent.delete(name);
    const query = `INSERT OR IGNORE INTO ${this.#table.name}(name, body) VALUES (?, ?)`;
    this.#sql.exec(query, name, this.#format.encode(document));
  }

  /** Saves a document from which a text was erased. Until KV has it, its copy is not restored. */
  saveErased(name: string, document: T): void {
    this.save(name, document);
    this.#tombstones.add(this.kind, name);
  }

  /** Removes a document for good: its copy in KV is deleted first of all writes. */
  erase(name: string): void {
    this.remove(name);
    this.#tombstones.add(this.kind, name);
  }

  remove(name: string): void {
    this.#sql.exec(`DELETE FROM ${this.#table.name} WHERE name = ?`, name);
    this.#changed.add(name);
  }

  /** The copies that changed since the last call. */
  takeChanged(): readonly ChangedDocument[] {
    if (this.#changed.size === 0) return [];
    const changed = Array.from(this.#changed, (name) => ({ kind: this.kind, name }));
    this.#changed.clear();
    return changed;
  }

  /** At most `limit` names after one, in order. */
  listNames(after: string, limit: number): readonly string[] {
    const query = `SELECT name FROM ${this.#table.name} WHERE name > ? ORDER BY name LIMIT ?`;
    const rows = this.#sql.exec<{ name: string }>(query, after, limit).toArray();
    return rows.map(({ name }) => name);
  }

  list(): readonly (readonly [name: string, document: T])[] {
    return this.query("");
  }

  /** The documents of a query. `clauses` come after `FROM`. */
  protected query(clauses: string): readonly (readonly [name: string, document: T])[] {
    const query = `SELECT name, body FROM ${this.#table.name} ${clauses}`;
    const rows = this.#sql.exec<{ name: string; body: string }>(query);
    return rows.toArray().map(({ name, body }) => [name, this.#parse(name, body)] as const);
  }

  /** Throws `Unreadable`: a document that cannot be read must not look like a missing one. */
  #parse(name: string, body: string): T {
    const document = this.#format.parseOrNull(JSON.parse(body));
    if (document !== null) return document;
    const what = `${this.#table.name} ${name}`;
    throw new Unreadable(what, { kind: "damaged", problem: "no version" });
  }

  wipe(): void {
    this.#sql.exec(`DELETE FROM ${this.#table.name}`);
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#changed.clear();
    this.absent.clear();
  }
}
