/** Functions of FTS5 tables. */

/**
 * The size of a page of words. FTS5 merges some hundred pages in one write: with its default of
 * 4,050 bytes, some writes take 30 ms (sqlite.org/fts5.html, *The 'pgsz' Configuration Option*).
 */
const PAGE_BYTES = 1_000;

/** Creates an FTS5 table that does not exist. `columns` are its columns and options. */
export function createFtsTable(sql: SqlStorage, table: string, columns: string): void {
  sql.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(${columns})`);
  const query = `SELECT 1 FROM ${table}_config WHERE k = 'pgsz' AND v = ?`;
  if (sql.exec(query, PAGE_BYTES).toArray().length > 0) return;
  sql.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('pgsz', ${PAGE_BYTES})`);
}

/** Empties an FTS5 table, with the columns that it was created with. */
export function emptyFtsTable(sql: SqlStorage, table: string, columns: string): void {
  try {
    sql.exec(`DROP TABLE ${table}`);
  } catch {
    // SQLite refuses a DROP while any cursor is open. A DELETE removes the words row by row.
    sql.exec(`DELETE FROM ${table}`);
  }
  createFtsTable(sql, table, columns);
}

/**
 * The number of rows that an FTS5 expression matches, counted up to `max`. With a word that ends
 * with `*`, it reads more rows than that.
 */
export function countFtsMatches(
  sql: SqlStorage,
  table: string,
  match: string,
  max: number,
): number {
  const query = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`;
  return sql.exec<{ n: number }>(query, match, max).one().n;
}
