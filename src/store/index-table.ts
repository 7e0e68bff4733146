/**
 * The SQLite tables of one ProjectIndex, and nothing else. Every method is synchronous.
 *
 *     issue    one row an issue, its JSON beside what lists are ordered by
 *     alias    one row for each pair of a foreign code and a digest that it leads to; `server` where a server's report said so
 *     list     when the list was copied into KV
 *     counted  up to which row the log of each shard has been counted: what makes counts exact
 */
import type { Issue } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import type { Digest } from "../core/report.ts";
import { addColumn } from "./columns.ts";
import { storedIssue } from "./stored.ts";

/** Three bytes a character at most: well within the 2 MB that a row may have. */
const MAX_BODY_CHARS = 500_000;
const FORGOTTEN_AT_ONCE = 1_000;

/** Issues of the page itself, or what is kept apart from them. */
export type ListOf = "page" | "noise";

/** The tables of the object that owns `storage`; they are made when they are missing. */
export class IndexTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS issue(
        digest TEXT PRIMARY KEY, last_ms INTEGER NOT NULL, changed_ms INTEGER NOT NULL, body TEXT NOT NULL,
        stale INTEGER NOT NULL) WITHOUT ROWID;
      DROP INDEX IF EXISTS issue_newest;
      CREATE TABLE IF NOT EXISTS alias(
        alias TEXT NOT NULL, digest TEXT NOT NULL, seen_ms INTEGER NOT NULL, stale INTEGER NOT NULL,
        PRIMARY KEY(alias, digest)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS list(copied_ms INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS counted(shard TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;`);
    addColumn(this.#sql, "issue", "noise", "INTEGER NOT NULL DEFAULT 0");
    addColumn(this.#sql, "alias", "server", "INTEGER NOT NULL DEFAULT 0");
    this.#sql.exec("CREATE INDEX IF NOT EXISTS issue_apart ON issue(noise, last_ms)");
  }

  /** The last counted row of a shard's log, 0 before the first. */
  countedOf(shard: string): number {
    const [row] = this.#sql.exec<{ seq: number }>("SELECT seq FROM counted WHERE shard = ?", shard);
    return row?.seq ?? 0;
  }

  setCounted(shard: string, seq: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO counted(shard, seq) VALUES (?, ?)", shard, seq);
  }

  /** Shards that have ever sent something. */
  shards(): readonly string[] {
    return this.#sql
      .exec<{ shard: string }>("SELECT shard FROM counted")
      .toArray()
      .map(({ shard }) => shard);
  }

  issue(digest: Digest): Issue | undefined {
    const [row] = this.#sql.exec<{ body: string }>(
      "SELECT body FROM issue WHERE digest = ?",
      digest,
    );
    return row === undefined ? undefined : (storedIssue(JSON.parse(row.body)) ?? undefined);
  }

  /**
   * Writes an issue; its snapshot is stale from now on. One that would not fit into a row names fewer reports: what one
   * sender wrote must never keep the others from being counted.
   */
  save(issue: Issue): void {
    let fitting = issue;
    let body = JSON.stringify(fitting);
    while (body.length > MAX_BODY_CHARS && fitting.latest.length > 0) {
      fitting = { ...fitting, latest: fitting.latest.slice(0, fitting.latest.length >> 1) };
      body = JSON.stringify(fitting);
    }
    this.#sql.exec(
      `INSERT OR REPLACE INTO issue(digest, last_ms, changed_ms, body, noise, stale)
       VALUES (?, ?, ?, ?, ?, 1)`,
      issue.digest,
      issue.lastSeenMs,
      issue.asOfMs,
      body,
      issue.noise === undefined ? 0 : 1,
    );
  }

  /** Forgets issues without a report since a moment, some at a time, and the codes that led to them. */
  forget(beforeMs: number): void {
    this.#sql.exec(
      "DELETE FROM issue WHERE digest IN (SELECT digest FROM issue WHERE changed_ms < ? LIMIT ?)",
      beforeMs,
      FORGOTTEN_AT_ONCE,
    );
    this.#sql.exec(
      "DELETE FROM alias WHERE seen_ms < ? AND digest NOT IN (SELECT digest FROM issue)",
      beforeMs,
    );
  }

  /** The issues that were seen last, newest first: of the project itself, or of what is kept apart as noise. */
  newest(count: number, of: ListOf): readonly Issue[] {
    const query = "SELECT body FROM issue WHERE noise = ? ORDER BY last_ms DESC, digest LIMIT ?";
    return this.#sql
      .exec<{ body: string }>(query, of === "noise" ? 1 : 0, count)
      .toArray()
      .map(({ body }) => storedIssue(JSON.parse(body)))
      .filter((issue) => issue !== null);
  }

  /** How many issues there are, of the project itself or of noise. */
  total(of: ListOf = "page"): number {
    const query = "SELECT count(*) AS n FROM issue WHERE noise = ?";
    return this.#sql.exec<{ n: number }>(query, of === "noise" ? 1 : 0).one().n;
  }

  /** The newest digests that a foreign code leads to, by when it first led there; at most `limits.maxIssuesPerAlias`. */
  digestsOf(alias: string): readonly Digest[] {
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
  serverDigestsOf(alias: string): readonly Digest[] {
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
  markServer(alias: string, digest: Digest, level: number): void {
    const query = "UPDATE alias SET server = ?3 WHERE alias = ?1 AND digest = ?2 AND server < ?3";
    this.#sql.exec(query, alias, digest, level);
  }

  /** Notes that a code leads to a digest. True when that is new. */
  addAlias(alias: string, digest: Digest, nowMs: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO alias(alias, digest, seen_ms, stale) VALUES (?, ?, ?, 1)",
      alias,
      digest,
      nowMs,
    );
    return rowsWritten > 0;
  }

  /** What was changed and not copied into KV when the object was last awake. */
  stale(): { readonly digests: readonly Digest[]; readonly aliases: readonly string[] } {
    const digests = this.#sql.exec<{ digest: string }>("SELECT digest FROM issue WHERE stale = 1");
    const aliases = this.#sql.exec<{ alias: string }>(
      "SELECT DISTINCT alias FROM alias WHERE stale = 1",
    );
    return {
      digests: digests.toArray().map(({ digest }) => digest),
      aliases: aliases.toArray().map(({ alias }) => alias),
    };
  }

  /** True when an issue has changed since the list was copied. */
  isListStale(): boolean {
    const newest = "SELECT max(changed_ms) FROM issue";
    const copied = "SELECT max(copied_ms) FROM list";
    const query = `SELECT coalesce((${newest}), 0) > coalesce((${copied}), 0) AS stale`;
    return this.#sql.exec<{ stale: number }>(query).one().stale === 1;
  }

  /** Notes that the list as it was at a moment is in KV. */
  listCopied(asOfMs: number): void {
    this.#sql.exec("DELETE FROM list");
    this.#sql.exec("INSERT INTO list(copied_ms) VALUES (?)", asOfMs);
  }

  issueCopied(digest: Digest): void {
    this.#sql.exec("UPDATE issue SET stale = 0 WHERE digest = ?", digest);
  }

  aliasCopied(alias: string): void {
    this.#sql.exec("UPDATE alias SET stale = 0 WHERE alias = ?", alias);
  }
}
