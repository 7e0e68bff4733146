/**
 * The keys of a batch that tables do not have. Most errors of a storm are new, and a statement that
 * finds nothing costs as much as one that finds a row: one statement for the batch replaces one for
 * each key and table. Synchronous.
 */

/** Fewer keys are not worth a statement of their own. */
const MIN_KEYS = 4;

/** The keys that one table does not have. */
export class AbsentKeys {
  readonly source: string;
  #keys: ReadonlySet<string> = new Set();
  readonly #added = new Set<string>();

  /** For the rows of a table by a column with an SQL index. */
  constructor(table: string, column: string) {
    this.source = `SELECT 1 FROM ${table} WHERE ${column} = asked.value`;
  }

  /** True if the table has no row of the key. False if that is not known. */
  has(key: string): boolean {
    return this.#keys.has(key) && !this.#added.has(key);
  }

  /** Replaces the keys. */
  set(keys: Iterable<string>): void {
    this.#keys = new Set(keys);
    this.#added.clear();
  }

  /** Call when a row of the key is added. */
  delete(key: string): void {
    if (this.#keys.size > 0) this.#added.add(key);
  }

  /** Call after a rollback. */
  clear(): void {
    this.set([]);
  }
}

/** Looks up which of the keys each table does not have, and forgets those of the last batch. */
export function lookUpAbsent(
  sql: SqlStorage,
  keys: readonly string[],
  tables: readonly AbsentKeys[],
): void {
  for (const table of tables) table.clear();
  if (keys.length < MIN_KEYS) return;
  const columns = tables.map(({ source }, n) => `NOT EXISTS (${source}) AS absent${n}`);
  const query = `SELECT value AS key, ${columns.join(", ")} FROM json_each(?) AS asked`;
  const rows = sql.exec<Record<string, string | number>>(query, JSON.stringify(keys)).toArray();
  for (const [n, table] of tables.entries()) {
    const absent = rows.filter((row) => row[`absent${n}`] === 1);
    table.set(absent.map(({ key }) => String(key)));
  }
}
