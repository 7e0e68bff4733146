/**
 * SQLite table of aliases: codes of other systems (such as a Next.js digest) and the issues that
 * they lead to, one row per pair, with the highest rank of the reports that link it. Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import { AbsentKeys } from "../../sqlite/absent-keys.ts";

/**
 * The certainty of a link. Ranks of `page` and above need a page token, those of `trusted` and
 * above a server key.
 */
export const LinkRank = { public: 0, publicServer: 1, page: 2, trusted: 3, server: 4 } as const;

export type LinkRank = (typeof LinkRank)[keyof typeof LinkRank];

export class AliasTable {
  readonly absent = new AbsentKeys("alias", "alias");
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /**
   * The issues of an alias, links of servers first, then the newest; at most
   * `limits.maxIssuesPerAlias`. Once a trusted report links the alias, links of public reports are
   * ignored.
   */
  findDigests(alias: string): readonly Digest[] {
    return this.#findDigests(alias, `max(rank) >= ${LinkRank.page}`, (highest) => {
      return `(rank >= ${LinkRank.page}) = (${highest})`;
    });
  }

  /** The issues of an alias by the links of the highest rank only. */
  findHighestDigests(alias: string): readonly Digest[] {
    return this.#findDigests(alias, "max(rank)", (highest) => `rank = (${highest})`);
  }

  #findDigests(
    alias: string,
    highest: string,
    toCondition: (query: string) => string,
  ): readonly Digest[] {
    const condition = toCondition(`SELECT ${highest} FROM alias WHERE alias = ?1`);
    return this.#sql
      .exec<{ digest: string }>(
        `SELECT digest FROM alias WHERE alias = ?1 AND ${condition}
         ORDER BY max(rank, ${LinkRank.page}) DESC, first_seen_ms DESC, digest LIMIT ?2`,
        alias,
        limits.maxIssuesPerAlias,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  has(alias: string, digest: Digest): boolean {
    const query = "SELECT 1 FROM alias WHERE alias = ? AND digest = ?";
    return this.#sql.exec(query, alias, digest).toArray().length > 0;
  }

  /** The highest level of the reports that link the alias; `server` for an unknown one. */
  getTrust(alias: string): Trust {
    const query = "SELECT max(rank) AS rank FROM alias WHERE alias = ?";
    const { rank } = this.#sql.exec<{ rank: number | null }>(query, alias).one();
    if (rank === null || rank > LinkRank.page) return "server";
    return rank === LinkRank.page ? "page" : "public";
  }

  /** Raises the rank of an existing link; true if it was lower. */
  raiseRank(alias: string, digest: Digest, rank: LinkRank): boolean {
    if (rank === LinkRank.public) return false;
    const query = `UPDATE alias SET rank = ?3
      WHERE alias = ?1 AND digest = ?2 AND rank < ?3`;
    const isRaised = this.#sql.exec(query, alias, digest, rank).rowsWritten > 0;
    if (isRaised) this.#dropOldest(alias, rank);
    return isRaised;
  }

  /**
   * Links an alias to an issue; true if the link is new. An alias keeps the newest
   * `limits.maxIssuesPerAlias` links of each of the levels public and page, because a lookup reads
   * all links.
   */
  add(alias: string, digest: Digest, nowMs: number, rank: LinkRank): boolean {
    const { rowsWritten } = this.#sql.exec(
      `INSERT OR IGNORE INTO alias(alias, digest, first_seen_ms, rank)
       VALUES (?, ?, ?, ?)`,
      alias,
      digest,
      nowMs,
      rank,
    );
    this.absent.delete(alias);
    if (rowsWritten > 0) this.#dropOldest(alias, rank);
    return rowsWritten > 0;
  }

  /** Removes the oldest links of this level above the limit. */
  #dropOldest(alias: string, rank: LinkRank): void {
    if (rank > LinkRank.page) return;
    const ofLevel = rank === LinkRank.page ? `rank = ${LinkRank.page}` : `rank < ${LinkRank.page}`;
    this.#sql.exec(
      `DELETE FROM alias WHERE alias = ?1 AND digest IN (
         SELECT digest FROM alias WHERE alias = ?1 AND ${ofLevel}
         ORDER BY first_seen_ms DESC, digest LIMIT -1 OFFSET ?2)`,
      alias,
      limits.maxIssuesPerAlias,
    );
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
    this.#sql.exec(
      `UPDATE alias SET rank = max(rank, (SELECT rank FROM alias AS moved
         WHERE moved.alias = alias.alias AND moved.digest = ?2))
       WHERE digest = ?1 AND alias IN (SELECT alias FROM alias WHERE digest = ?2)`,
      into,
      from,
    );
    const update = "UPDATE OR IGNORE alias SET digest = ? WHERE digest = ?";
    this.#sql.exec(update, into, from);
    this.#sql.exec("DELETE FROM alias WHERE digest = ?", from);
    return aliases;
  }

  /** Removes the links of reports below a level; true if there were any. */
  removeLowerLinks(alias: string, trust: "page" | "server"): boolean {
    if (this.absent.has(alias)) return false;
    const lowest = trust === "server" ? LinkRank.trusted : LinkRank.page;
    const query = "DELETE FROM alias WHERE alias = ? AND rank < ?";
    return this.#sql.exec(query, alias, lowest).rowsWritten > 0;
  }

  removeLink(alias: string, digest: Digest): void {
    this.#sql.exec("DELETE FROM alias WHERE alias = ? AND digest = ?", alias, digest);
  }

  /** At most `limit` aliases after one, in order. */
  listNames(after: string, limit: number): readonly string[] {
    const query = "SELECT DISTINCT alias FROM alias WHERE alias > ? ORDER BY alias LIMIT ?";
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query, after, limit));
  }

  /** Removes every link of an alias. */
  removeAlias(alias: string): void {
    this.#sql.exec("DELETE FROM alias WHERE alias = ?", alias);
  }

  /** The aliases that lead to this issue and to no other. */
  listExclusiveAliases(digest: Digest): readonly string[] {
    const query = `SELECT alias FROM alias WHERE digest = ?1 AND NOT EXISTS (
      SELECT 1 FROM alias AS other WHERE other.alias = alias.alias AND other.digest <> ?1)`;
    return this.#toAliases(this.#sql.exec<{ alias: string }>(query, digest));
  }

  #toAliases(rows: Iterable<{ alias: string }>): readonly string[] {
    return [...rows].map(({ alias }) => alias);
  }
}
