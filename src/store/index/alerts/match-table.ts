/**
 * SQLite table of what rules have counted of issues: the reports that match the filters of a rule.
 * Only rules that the counts of the issue do not answer have rows. They are staged with the issues.
 * Synchronous.
 */
import type { MatchedCounts } from "../../../core/alerts/triggers/judged-counts.ts";
import type { Digest } from "../../../core/report.ts";
import { upsert } from "../../sqlite/table.ts";
import { type StagedMatches, toMatchKey } from "../tables/staged-changes.ts";

const SAVE = upsert("alert_match", ["digest", "rule"], ["counts"]);

export class MatchTable {
  readonly #sql: SqlStorage;
  readonly #getStaged: () => StagedMatches;

  constructor(storage: DurableObjectStorage, getStaged: () => StagedMatches) {
    this.#sql = storage.sql;
    this.#getStaged = getStaged;
  }

  get(digest: Digest, rule: string): MatchedCounts | undefined {
    const staged = this.#getStaged().get(toMatchKey(digest, rule));
    if (staged !== undefined) return staged.counts;
    const query = "SELECT counts FROM alert_match WHERE digest = ? AND rule = ?";
    const [row] = this.#sql.exec<{ counts: string }>(query, digest, rule);
    return row === undefined ? undefined : (JSON.parse(row.counts) as MatchedCounts);
  }

  save(digest: Digest, rule: string, counts: MatchedCounts): void {
    this.#sql.exec(SAVE, digest, rule, JSON.stringify(counts));
  }

  /** Removes the rows of rules that no longer exist. */
  keepRules(rules: readonly string[]): void {
    const query = `DELETE FROM alert_match WHERE rule NOT IN (SELECT value FROM json_each(?))`;
    this.#sql.exec(query, JSON.stringify(rules));
  }

  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM alert_match WHERE digest = ?", digest);
  }
}
