/**
 * SQLite table of aliases: codes of other systems (such as a Next.js digest) and the issues that
 * they lead to, one row per pair. `server_trust` is 0 until a server's report links the pair, then
 * the rank of that report's trust plus 1. Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";

export class AliasTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS alias(
        alias TEXT NOT NULL, digest TEXT NOT NULL, first_seen_ms INTEGER NOT NULL,
        dirty INTEGER NOT NULL, server_trust INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(alias, digest)) WITHOUT ROWID;`);
  }

  /** The issues of an alias, the newest link first; at most `limits.maxIssuesPerAlias`. */
  findDigests(alias: string): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        "SELECT digest FROM alias WHERE alias = ? ORDER BY first_seen_ms DESC, digest LIMIT ?",
        alias,
        limits.maxIssuesPerAlias,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /**
   * The issues that servers' reports linked to an alias, only those with the highest trust; at
   * most `limits.maxIssuesPerAlias`.
   */
  findServerDigests(alias: string): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        `SELECT digest FROM alias WHERE alias = ?1 AND server_trust > 0
           AND server_trust = (SELECT max(server_trust) FROM alias WHERE alias = ?1) LIMIT ?2`,
        alias,
        limits.maxIssuesPerAlias,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /**
   * Raises the trust of an existing link: the rank of a server's report plus 1.
   */
  raiseServerTrust(alias: string, digest: Digest, trust: number): void {
    this.#sql.exec(
      `UPDATE alias SET server_trust = ?3
       WHERE alias = ?1 AND digest = ?2 AND server_trust < ?3`,
      alias,
      digest,
      trust,
    );
  }

  /** Links an alias to an issue; true if the link is new. */
  add(alias: string, digest: Digest, nowMs: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO alias(alias, digest, first_seen_ms, dirty) VALUES (?, ?, ?, 1)",
      alias,
      digest,
      nowMs,
    );
    return rowsWritten > 0;
  }

  /** Adds a link from an issue's snapshot. The alias's own snapshot in KV is not rewritten. */
  restore(alias: string, digest: Digest, firstSeenMs: number): void {
    if (this.add(alias, digest, firstSeenMs)) this.markClean(alias);
  }

  /** Removes every link to an issue; returns the aliases. */
  remove(digest: Digest): readonly string[] {
    const query = "DELETE FROM alias WHERE digest = ? RETURNING alias";
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query, digest));
  }

  /** Moves every link from one issue to another; returns the aliases. */
  move(from: Digest, into: Digest): readonly string[] {
    const query = "SELECT alias FROM alias WHERE digest = ?";
    const aliases = this.#toAliases(this.#sql.exec<{ alias: string }>(query, from));
    const update = "UPDATE OR IGNORE alias SET digest = ?, dirty = 1 WHERE digest = ?";
    this.#sql.exec(update, into, from);
    this.#sql.exec("DELETE FROM alias WHERE digest = ?", from);
    return aliases;
  }

  /** Removes one link. */
  removeLink(alias: string, digest: Digest): void {
    this.#sql.exec("DELETE FROM alias WHERE alias = ? AND digest = ?", alias, digest);
  }

  /** Deletes links that are older than `beforeMs` and whose issue no longer exists. */
  deleteExpired(beforeMs: number): void {
    const query =
      "DELETE FROM alias WHERE first_seen_ms < ? AND digest NOT IN (SELECT digest FROM issue)";
    this.#sql.exec(query, beforeMs);
  }

  /** Every alias. */
  listAliases(): readonly string[] {
    return this.#toAliases(this.#sql.exec<{ alias: string }>("SELECT DISTINCT alias FROM alias"));
  }

  /** The aliases that lead to this issue and to no other. */
  listExclusiveAliases(digest: Digest): readonly string[] {
    const query = `SELECT alias FROM alias WHERE digest = ?1
      AND alias NOT IN (SELECT alias FROM alias WHERE digest <> ?1)`;
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query, digest));
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM alias");
  }

  /** Aliases whose snapshot in KV is outdated. */
  listDirty(): readonly string[] {
    const query = "SELECT DISTINCT alias FROM alias WHERE dirty = 1";
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query));
  }

  markClean(alias: string): void {
    this.#sql.exec("UPDATE alias SET dirty = 0 WHERE alias = ?", alias);
  }

  #toAliases(rows: Iterable<{ alias: string }>): readonly string[] {
    return [...rows].map(({ alias }) => alias);
  }
}
