/** Functions of FTS5 tables. */

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
