/**
 * SQLite tables of the issues and of the log progress that makes their counts exact. Synchronous.
 *
 *     issue           one row per issue: JSON body and columns for lists (`issue-columns.ts`)
 *     list_snapshot   when the newest-issues list was last written to KV
 *     initialized     has a row once this storage holds the project's state
 *     shard_progress  per shard: the last applied log row, and the offset of the last applied
 *                     report (`keys.ts`, `toOffset`)
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { COMMON_MIN_COUNT } from "../../../core/issue/retention.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import { parseStoredIssue } from "../../kv/stored-json.ts";
import type { Watermarks } from "../../kv/watermarks.ts";
import { containsText } from "../../redact-text.ts";
import { DailyCapTable } from "./daily-cap-table.ts";
import { FacetTable } from "./facet-table.ts";
import { fitIssue } from "./fit-issue.ts";
import { ISSUE_COLUMNS, LIST_COLUMN_DEFINITIONS, toIssueColumns } from "./issue-columns.ts";

const MAX_DELETED_AT_ONCE = 1_000;
/** Issues in memory, and the largest body of one: about 20 MB in total. */
const MAX_CACHED_ISSUES = 500;
const MAX_CACHED_CHARS = 20_000;
const SAVED_COLUMNS = ["changed_ms", "body", "dirty", ...ISSUE_COLUMNS];
/** An update in place: `INSERT OR REPLACE` would write the row and its index entry twice. */
const UPSERT_ISSUE = `INSERT INTO issue(digest, ${SAVED_COLUMNS.join(", ")})
  VALUES (?, ?, ?, 1${", ?".repeat(ISSUE_COLUMNS.length)})
  ON CONFLICT(digest) DO UPDATE SET
  ${SAVED_COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")}`;

export class IssueTable {
  readonly facets: FacetTable;
  readonly #sql: SqlStorage;
  /** The issues last read or written: a few issues receive most reports and views. */
  readonly #cache = new Map<Digest, Issue>();

  constructor(storage: DurableObjectStorage, caps = new DailyCapTable(storage)) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS issue(
        digest TEXT PRIMARY KEY, changed_ms INTEGER NOT NULL, body TEXT NOT NULL,
        dirty INTEGER NOT NULL,
        ${LIST_COLUMN_DEFINITIONS}) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS issue_list ON issue(${ISSUE_COLUMNS.join(", ")});
      CREATE TABLE IF NOT EXISTS list_snapshot(saved_ms INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS initialized(id INTEGER PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS shard_progress(
        shard TEXT PRIMARY KEY, seq INTEGER NOT NULL, watermark INTEGER NOT NULL) WITHOUT ROWID;`);
    this.facets = new FacetTable(storage.sql, caps);
  }

  /** The last applied row of a shard's log; 0 before the first. */
  getAppliedSeq(shard: string): number {
    const query = "SELECT seq FROM shard_progress WHERE shard = ?";
    const [row] = this.#sql.exec<{ seq: number }>(query, shard);
    return row?.seq ?? 0;
  }

  /** Records the last applied row of a shard and the offset of the last report in it. */
  setApplied(shard: string, seq: number, watermark: number): void {
    this.#sql.exec(
      `INSERT INTO shard_progress(shard, seq, watermark) VALUES (?1, ?2, ?3)
       ON CONFLICT(shard) DO UPDATE SET seq = ?2, watermark = max(watermark, ?3)`,
      shard,
      seq,
      watermark,
    );
  }

  /** Raises the watermark of a shard; its last applied row stays. */
  raiseWatermark(shard: string, watermark: number): void {
    this.#sql.exec(
      `INSERT INTO shard_progress(shard, seq, watermark) VALUES (?1, 0, ?2)
       ON CONFLICT(shard) DO UPDATE SET watermark = max(watermark, ?2)`,
      shard,
      watermark,
    );
  }

  /** The offset of each shard up to which reports are applied. */
  getWatermarks(): Watermarks {
    const rows = this.#sql
      .exec<{ shard: string; watermark: number }>("SELECT shard, watermark FROM shard_progress")
      .toArray();
    return Object.fromEntries(rows.map(({ shard, watermark }) => [shard, watermark]));
  }

  /** True once `markInitialized` was called in this storage. */
  isInitialized(): boolean {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM initialized").one().n > 0;
  }

  markInitialized(): void {
    this.#sql.exec("INSERT OR IGNORE INTO initialized(id) VALUES (1)");
  }

  /** Writes an issue from its snapshot, which is not written to KV again. */
  restore(issue: Issue): void {
    this.save(issue);
    this.markClean(issue.digest);
  }

  remove(digest: Digest): void {
    this.facets.update(digest, this.get(digest), undefined);
    this.#cache.delete(digest);
    this.#sql.exec("DELETE FROM issue WHERE digest = ?", digest);
  }

  /** The issue with this digest; if there is none, the issue that shows the report. */
  findIssueOfReport(digest: Digest | undefined, id: ReportId): Issue | undefined {
    const direct = digest === undefined ? undefined : this.get(digest);
    if (direct !== undefined) return direct;
    const query = "SELECT digest FROM issue WHERE instr(body, ?) > 0 LIMIT 1";
    const [other] = this.#sql.exec<{ digest: string }>(query, id);
    return other === undefined ? undefined : this.get(other.digest);
  }

  /** The issues that contain a text. */
  findContaining(text: string): readonly Digest[] {
    const digests: Digest[] = [];
    const rows = this.#sql.exec<{ digest: string; body: string }>("SELECT digest, body FROM issue");
    for (const { digest, body } of rows)
      if (containsText(JSON.parse(body), text)) digests.push(digest);
    return digests;
  }

  wipe(): void {
    this.#cache.clear();
    for (const table of ["issue", "list_snapshot", "shard_progress"]) {
      this.#sql.exec(`DELETE FROM ${table}`);
    }
    this.facets.wipe();
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#cache.clear();
  }

  listDigests(): readonly Digest[] {
    return this.#queryDigests("");
  }

  /** Shards that have sent rows. */
  listShards(): readonly string[] {
    return this.#sql
      .exec<{ shard: string }>("SELECT shard FROM shard_progress")
      .toArray()
      .map(({ shard }) => shard);
  }

  get(digest: Digest): Issue | undefined {
    return this.#cache.get(digest) ?? this.#read(digest);
  }

  /** True if the issue has no trusted report. Reads no body. */
  isPublic(digest: Digest): boolean {
    const cached = this.#cache.get(digest);
    if (cached !== undefined) return cached.trust === "public";
    const query = "SELECT 1 FROM issue WHERE digest = ? AND trust = 'public'";
    return this.#sql.exec(query, digest).toArray().length > 0;
  }

  #read(digest: Digest): Issue | undefined {
    const [row] = this.#sql.exec<{ body: string }>(
      "SELECT body FROM issue WHERE digest = ?",
      digest,
    );
    if (row === undefined) return undefined;
    const issue = parseStoredIssue(JSON.parse(row.body));
    if (issue === null) return undefined;
    this.#addToCache(issue, row.body.length);
    return issue;
  }

  /**
   * Writes an issue, shortened if it is too large, and marks its snapshot as outdated. `before` is
   * the stored issue, null for none.
   */
  save(issue: Issue, before: Issue | null = this.get(issue.digest) ?? null): void {
    const { stored, body } = fitIssue(issue);
    this.#addToCache(stored, body.length);
    this.facets.update(issue.digest, before ?? undefined, stored);
    this.#sql.exec(UPSERT_ISSUE, issue.digest, issue.asOfMs, body, ...toIssueColumns(stored));
  }

  /**
   * Deletes issues that have not changed since `beforeMs`, and common ones that have not changed
   * since `commonBeforeMs`; at most `MAX_DELETED_AT_ONCE`. An issue is common if it has many
   * reports and was first seen before `newSinceMs` (`core/issue/retention.ts`).
   */
  deleteExpired(beforeMs: number, commonBeforeMs: number, newSinceMs: number): void {
    this.#cache.clear();
    this.#sql.exec(
      `DELETE FROM issue WHERE digest IN (
         SELECT digest FROM issue
         WHERE changed_ms < ?1 OR (changed_ms < ?2 AND json_extract(body, '$.count')
             - iif(trust = 'public', 0, json_extract(body, '$.publicCount')) >= ?3
             AND json_extract(body, '$.firstSeenMs') <= ?4) LIMIT ?5)`,
      beforeMs,
      commonBeforeMs,
      COMMON_MIN_COUNT,
      newSinceMs,
      MAX_DELETED_AT_ONCE,
    );
    this.facets.deleteOrphans();
  }

  /** Issues whose snapshot in KV is outdated. */
  listDirty(): readonly Digest[] {
    return this.#queryDigests("WHERE dirty = 1");
  }

  /** True if an issue changed after the list was last written to KV. */
  isListDirty(): boolean {
    const newest = "SELECT max(changed_ms) FROM issue";
    const savedList = "SELECT max(saved_ms) FROM list_snapshot";
    const query = `SELECT coalesce((${newest}), 0) > coalesce((${savedList}), 0) AS isDirty`;
    return this.#sql.exec<{ isDirty: number }>(query).one().isDirty === 1;
  }

  /** Records that KV has the list as of `asOfMs`. */
  markListClean(asOfMs: number): void {
    this.#sql.exec("DELETE FROM list_snapshot");
    this.#sql.exec("INSERT INTO list_snapshot(saved_ms) VALUES (?)", asOfMs);
  }

  markClean(digest: Digest): void {
    this.#sql.exec("UPDATE issue SET dirty = 0 WHERE digest = ?", digest);
  }

  #addToCache(issue: Issue, chars: number): void {
    this.#cache.delete(issue.digest);
    if (chars > MAX_CACHED_CHARS) return;
    this.#cache.set(issue.digest, issue);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_ISSUES && oldest !== undefined) this.#cache.delete(oldest);
  }

  #queryDigests(where: string): readonly Digest[] {
    const rows = this.#sql.exec<{ digest: string }>(`SELECT digest FROM issue ${where}`);
    return rows.toArray().map(({ digest }) => digest);
  }
}
