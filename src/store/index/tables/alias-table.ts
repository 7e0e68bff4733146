/**
 * Where foreign codes lead, in the object of the index: a row for each pair of a code and an issue. `server` says whether a server's
 * report has led it there, and how sure that is. Every method is synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class AliasTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS alias(
        alias TEXT NOT NULL, digest TEXT NOT NULL, seen_ms INTEGER NOT NULL, stale INTEGER NOT NULL,
        server INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(alias, digest)) WITHOUT ROWID;`);
  }

  /** The newest digests that a foreign code leads to, by when it first led there; at most `limits.maxIssuesPerAlias`. */
  findDigests(alias: string): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        "SELECT digest FROM alias WHERE alias = ? ORDER BY seen_ms DESC, digest LIMIT ?",
        alias,
        limits.maxIssuesPerAlias,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /**
   * The digests to which servers' reports have led a code, at most `limits.maxIssuesPerAlias`: those that were marked with the
   * highest level alone.
   */
  findServerDigests(alias: string): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        `SELECT digest FROM alias WHERE alias = ?1 AND server > 0
           AND server = (SELECT max(server) FROM alias WHERE alias = ?1) LIMIT ?2`,
        alias,
        limits.maxIssuesPerAlias,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /** Notes that a server's report led a code, which is known, to a digest: 1 for anybody's, 2 for one that came with the key. */
  raiseServerTrust(alias: string, digest: Digest, trust: number): void {
    const query = "UPDATE alias SET server = ?3 WHERE alias = ?1 AND digest = ?2 AND server < ?3";
    this.#sql.exec(query, alias, digest, trust);
  }

  /** Notes that a code leads to a digest. True when that is new. */
  add(alias: string, digest: Digest, nowMs: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO alias(alias, digest, seen_ms, stale) VALUES (?, ?, ?, 1)",
      alias,
      digest,
      nowMs,
    );
    return rowsWritten > 0;
  }

  /** Takes a code as an issue's snapshot has it: its own snapshot need not be written again. */
  restore(alias: string, digest: Digest, seenMs: number): void {
    if (this.add(alias, digest, seenMs)) this.markClean(alias);
  }

  /** Forgets what led to an issue; gives the codes that did. */
  remove(digest: Digest): readonly string[] {
    const query = "DELETE FROM alias WHERE digest = ? RETURNING alias";
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query, digest));
  }

  /** Has everything that led to one issue lead to another; gives the codes that did. */
  move(from: Digest, into: Digest): readonly string[] {
    const query = "SELECT alias FROM alias WHERE digest = ?";
    const aliases = this.#toAliases(this.#sql.exec<{ alias: string }>(query, from));
    this.#sql.exec("UPDATE OR IGNORE alias SET digest = ?, stale = 1 WHERE digest = ?", into, from);
    this.#sql.exec("DELETE FROM alias WHERE digest = ?", from);
    return aliases;
  }

  /** Has a code no longer lead to an issue. */
  removeLink(alias: string, digest: Digest): void {
    this.#sql.exec("DELETE FROM alias WHERE alias = ? AND digest = ?", alias, digest);
  }

  /** Forgets codes that first led somewhere before a moment, where that issue is gone. */
  deleteExpired(beforeMs: number): void {
    const query =
      "DELETE FROM alias WHERE seen_ms < ? AND digest NOT IN (SELECT digest FROM issue)";
    this.#sql.exec(query, beforeMs);
  }

  /** Every code that leads somewhere. */
  listAliases(): readonly string[] {
    return this.#toAliases(this.#sql.exec<{ alias: string }>("SELECT DISTINCT alias FROM alias"));
  }

  /** The codes that lead to this issue and to no other. */
  listExclusiveAliases(digest: Digest): readonly string[] {
    const query = `SELECT alias FROM alias WHERE digest = ?1
      AND alias NOT IN (SELECT alias FROM alias WHERE digest <> ?1)`;
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query, digest));
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM alias");
  }

  /** The codes that were changed and are not in KV as they are here. */
  listDirty(): readonly string[] {
    const query = "SELECT DISTINCT alias FROM alias WHERE stale = 1";
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query));
  }

  markClean(alias: string): void {
    this.#sql.exec("UPDATE alias SET stale = 0 WHERE alias = ?", alias);
  }

  #toAliases(rows: Iterable<{ alias: string }>): readonly string[] {
    return [...rows].map(({ alias }) => alias);
  }
}
