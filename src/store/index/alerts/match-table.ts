/**
 * SQLite table of what rules have counted of issues: the reports that match the filters of a rule.
 * Only rules that the counts of the issue do not answer have rows. They are staged with the issues.
 * Synchronous.
 */
import type { MatchedCounts } from "../../../core/alerts/judging/judged-counts.ts";
import type { Digest } from "../../../core/report.ts";
import { type StagedMatches, toMatchKey } from "../tables/staged-changes.ts";

export class MatchTable {
  readonly #sql: SqlStorage;
  readonly #getStaged: () => StagedMatches;

  constructor(storage: DurableObjectStorage, getStaged: () => StagedMatches) {
    this.#sql = storage.sql;
    this.#getStaged = getStaged;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS alert_match(
         digest TEXT NOT NULL, rule TEXT NOT NULL, counts TEXT NOT NULL,
         PRIMARY KEY(digest, rule)) WITHOUT ROWID`,
    );
  }

  get(digest: Digest, rule: string): MatchedCounts | undefined {
    const staged = this.#getStaged().get(toMatchKey(digest, rule));
    if (staged !== undefined) return staged.counts;
    const query = "SELECT counts FROM alert_match WHERE digest = ? AND rule = ?";
    const [row] = this.#sql.exec<{ counts: string }>(query, digest, rule);
    return row === undefined ? undefined : (JSON.parse(row.counts) as MatchedCounts);
  }

  save(digest: Digest, rule: string, counts: MatchedCounts): void {
    const insert = "INSERT OR REPLACE INTO alert_match VALUES (?, ?, ?)";
    this.#sql.exec(insert, digest, rule, JSON.stringify(counts));
  }

  /** Removes the rows of rules that no longer exist. */
  keepRules(rules: readonly string[]): void {
    const query = `DELETE FROM alert_match WHERE rule NOT IN (SELECT value FROM json_each(?))`;
    this.#sql.exec(query, JSON.stringify(rules));
  }

  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM alert_match WHERE digest = ?", digest);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM alert_match");
  }
}
