/**
 * Inserts the rows of a batch, several with each statement: a statement costs as much as the row
 * that it writes. Synchronous.
 */

/** Values that a statement can bind (Durable Objects › Limits). */
const MAX_VALUES = 100;

type Value = SqlStorageValue | Uint8Array;

/** The rows that wait for the end of their batch. */
export class RowInserter {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #rowsPerStatement: number;
  readonly #onConflict: string;
  #values: Value[] = [];

  /** `onConflict`: what happens with the row of a known key, as SQL. */
  constructor(sql: SqlStorage, table: string, columns: readonly string[], onConflict = "") {
    this.#sql = sql;
    this.#onConflict = onConflict;
    this.#table = table;
    this.#columns = columns;
    this.#rowsPerStatement = Math.floor(MAX_VALUES / columns.length);
  }

  /** Adds a row, with a value for each column. It is in the table after `flush` at the latest. */
  add(...values: readonly Value[]): void {
    this.#values.push(...values);
    if (this.#count >= this.#rowsPerStatement) this.flush();
  }

  /** Writes the rows that wait. Call at the end of the batch, in its transaction. */
  flush(): void {
    const count = this.#count;
    if (count === 0) return;
    const values = this.#values;
    this.#values = [];
    const row = `(${this.#columns.map(() => "?").join(", ")})`;
    const rows = Array.from({ length: count }, () => row).join(", ");
    const into = `${this.#table}(${this.#columns.join(", ")})`;
    const query = `INSERT INTO ${into} VALUES ${rows} ${this.#onConflict}`;
    this.#sql.exec(query, ...(values as SqlStorageValue[]));
  }

  /** Forgets the rows that wait. Call after a rollback. */
  clear(): void {
    this.#values = [];
  }

  get #count(): number {
    return this.#values.length / this.#columns.length;
  }
}
