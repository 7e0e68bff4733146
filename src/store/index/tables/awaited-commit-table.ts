/**
 * SQLite table of merged commits that no release has yet, each with the issue that it fixes.
 * Synchronous.
 */
import type { Digest } from "../../../core/report.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("awaited_commit", ["commit_id", "digest"], ["at_ms"]);
/** Values of one query. */
const MAX_VALUES = 50;

export class AwaitedCommitTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  add(commit: string, digest: Digest, nowMs: number): void {
    this.#sql.exec(SAVE, commit, digest, nowMs);
  }

  /** The issues that these commits fix. Removes their rows. */
  take(commits: readonly string[]): readonly Digest[] {
    const digests = new Set<Digest>();
    for (let from = 0; from < commits.length; from += MAX_VALUES) {
      const some = commits.slice(from, from + MAX_VALUES);
      const marks = some.map(() => "?").join(", ");
      const query = `SELECT DISTINCT digest FROM awaited_commit WHERE commit_id IN (${marks})`;
      for (const { digest } of this.#sql.exec<{ digest: string }>(query, ...some).toArray())
        digests.add(digest);
      this.#sql.exec(`DELETE FROM awaited_commit WHERE commit_id IN (${marks})`, ...some);
    }
    return [...digests];
  }

  removeIssue(digest: Digest): void {
    this.#sql.exec("DELETE FROM awaited_commit WHERE digest = ?", digest);
  }
}
