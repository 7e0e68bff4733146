/**
 * Converts a table `issue` whose lists had the issues of servers first: its SQL indexes began with
 * the level, `rounded_count` left out the reports below it, and releases counted trusted issues
 * apart. Keeps every issue. Its users and its last time include reports of all levels after its
 * next report. Synchronous.
 */

/** `roundCount` (`core/issue/issue-list-page.ts`) as SQL. */
const STEP = `CAST('1' || substr('0000000000000000', 1, max(0, length(report_count) - 2)) AS INTEGER)`;

/** Does nothing if the table does not exist. Call it in a transaction. */
export function dropListLevels(sql: SqlStorage): void {
  const query = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'issue_by_last'";
  if (sql.exec(query).toArray().length === 0) return;
  for (const sort of ["last", "first", "count", "users"]) sql.exec(`DROP INDEX issue_by_${sort}`);
  sql.exec("ALTER TABLE issue DROP COLUMN trust_rank");
  for (const column of ["trusted_new", "trusted_regressed"])
    sql.exec(`ALTER TABLE release_count DROP COLUMN ${column}`);
  sql.exec(`UPDATE issue SET rounded_count = report_count / ${STEP} * ${STEP}`);
}
