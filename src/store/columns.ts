/** Columns that a table did not have when an earlier version made it. */

/** Adds a column where it is missing; true when it was. The names and the definition are ours. */
export function addColumn(
  sql: SqlStorage,
  table: string,
  column: string,
  definition: string,
): boolean {
  const query = "SELECT count(*) AS n FROM pragma_table_info(?) WHERE name = ?";
  if (sql.exec<{ n: number }>(query, table, column).one().n > 0) return false;
  sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
  return true;
}
