/** Functions of FTS5 tables. */

/** Creates an FTS5 table that does not exist. `columns` are its columns and options. */
export function createFtsTable(sql: SqlStorage, table: string, columns: string): void {
  sql.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(${columns})`);
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
