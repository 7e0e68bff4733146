/** Functions of FTS5 tables. */

/**
 * Creates an FTS5 table, or empties it: a DELETE of all rows removes their words one by one.
 * `columns` are the columns and options.
 */
export function createFtsTable(
  sql: SqlStorage,
  table: string,
  columns: string,
  isEmptied = false,
): void {
  if (isEmptied) sql.exec(`DROP TABLE IF EXISTS ${table}`);
  sql.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(${columns})`);
}

/**
 * The number of rows that an FTS5 expression matches, counted up to `max`. Only a word that ends
 * with `*` makes it read more.
 */
export function countMatches(sql: SqlStorage, table: string, match: string, max: number): number {
  const query = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`;
  return sql.exec<{ n: number }>(query, match, max).one().n;
}
