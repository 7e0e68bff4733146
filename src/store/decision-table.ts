/**
 * What people decided, a row an issue, in the object of the index. It outlives the issue: one that was resolved and forgotten is
 * known again when it returns. Every method is synchronous.
 */
import type { Decided, Decision } from "../core/decision.ts";
import type { Digest } from "../core/report.ts";
import { storedDecision } from "./stored.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class DecisionTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS decision(
        digest TEXT PRIMARY KEY, body TEXT NOT NULL, stale INTEGER NOT NULL) WITHOUT ROWID;`);
  }

  /** What was decided last; undefined when nothing ever was. */
  get(digest: Digest): Decision | undefined {
    const query = "SELECT body FROM decision WHERE digest = ?";
    const [row] = this.#sql.exec<{ body: string }>(query, digest);
    return row === undefined ? undefined : (storedDecision(JSON.parse(row.body)) ?? undefined);
  }

  /** Notes a decision; its copy in KV is stale from now on. */
  save(digest: Digest, decision: Decision): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO decision(digest, body, stale) VALUES (?, ?, 1)",
      digest,
      JSON.stringify(decision),
    );
  }

  /** Notes a decision that was read from KV, unless a newer one is known here. */
  recall(digest: Digest, decision: Decision): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO decision(digest, body, stale) VALUES (?, ?, 0)",
      digest,
      JSON.stringify(decision),
    );
  }

  /** Every decision. */
  all(): readonly Decided[] {
    const rows = this.#sql.exec<{ digest: string; body: string }>(
      "SELECT digest, body FROM decision",
    );
    return rows.toArray().flatMap(({ digest, body }) => {
      const decision = storedDecision(JSON.parse(body));
      return decision === null ? [] : { digest, decision };
    });
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM decision");
  }

  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM decision WHERE digest = ?", digest);
  }

  /** The issues whose decisions are not in KV as they are here. */
  stale(): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>("SELECT digest FROM decision WHERE stale = 1")
      .toArray()
      .map(({ digest }) => digest);
  }

  copied(digest: Digest): void {
    this.#sql.exec("UPDATE decision SET stale = 0 WHERE digest = ?", digest);
  }
}
