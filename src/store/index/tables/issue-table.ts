/**
 * The SQLite tables of one ProjectIndex, and nothing else. Every method is synchronous.
 *
 *     issue    one row an issue, its JSON beside what lists are ordered and filtered by (`issue-lists.ts` reads them)
 *     list     when the list was copied into KV
 *     begun    a row once the project has a memory here
 *     counted  up to which row the log of each shard has been counted, and the place of the last report in it: what makes
 *              counts exact
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { COMMON_MIN_COUNT } from "../../../core/issue/retention.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import { parseStoredIssue } from "../../kv/stored-json.ts";
import { containsText } from "../../redact-text.ts";
import { FacetTable } from "./facet-table.ts";
import { ISSUE_COLUMNS, LIST_COLUMN_DEFINITIONS, toIssueColumns } from "./issue-columns.ts";

/** Three bytes a character at most: well within the 2 MB that a row may have. */
const MAX_BODY_CHARS = 500_000;
const MAX_DELETED_AT_ONCE = 1_000;
/** Issues that are held in memory, and the largest of them: some 20 MB in all. */
const MAX_CACHED_ISSUES = 500;
const MAX_CACHED_CHARS = 20_000;
const SAVED_COLUMNS = ["changed_ms", "body", "stale", ...ISSUE_COLUMNS];
/** A row that is there is changed in its place: to replace it would be to write it, and its line of the index, twice. */
const UPSERT_ISSUE = `INSERT INTO issue(digest, ${SAVED_COLUMNS.join(", ")}) VALUES (?, ?, ?, 1${", ?".repeat(ISSUE_COLUMNS.length)})
  ON CONFLICT(digest) DO UPDATE SET ${SAVED_COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")}`;

/** The tables of the object that owns `storage`; they are made when they are missing. */
export class IssueTable {
  /** Which issues have which values. */
  readonly facets: FacetTable;
  readonly #sql: SqlStorage;
  /** Issues that were written, or read from the table, last, as they are there: the same few are counted and looked at again and again. */
  readonly #cache = new Map<Digest, Issue>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS issue(
        digest TEXT PRIMARY KEY, changed_ms INTEGER NOT NULL, body TEXT NOT NULL, stale INTEGER NOT NULL,
        ${LIST_COLUMN_DEFINITIONS}) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS issue_list ON issue(${ISSUE_COLUMNS.join(", ")});
      CREATE TABLE IF NOT EXISTS list(copied_ms INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS begun(one INTEGER PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS counted(shard TEXT PRIMARY KEY, seq INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID;`);
    this.facets = new FacetTable(storage.sql);
  }

  /** The last counted row of a shard's log, 0 before the first. */
  getAppliedSeq(shard: string): number {
    const [row] = this.#sql.exec<{ seq: number }>("SELECT seq FROM counted WHERE shard = ?", shard);
    return row?.seq ?? 0;
  }

  /** Notes the last counted row of a shard, and the place of the last report in it (`keys.ts` `orderOf`). */
  setApplied(shard: string, seq: number, watermark: number): void {
    this.#sql.exec(
      `INSERT INTO counted(shard, seq, place) VALUES (?1, ?2, ?3)
       ON CONFLICT(shard) DO UPDATE SET seq = ?2, place = max(place, ?3)`,
      shard,
      seq,
      watermark,
    );
  }

  /** Notes up to which place a shard is counted, whatever its rows. */
  raiseWatermark(shard: string, watermark: number): void {
    this.#sql.exec(
      `INSERT INTO counted(shard, seq, place) VALUES (?1, 0, ?2)
       ON CONFLICT(shard) DO UPDATE SET place = max(place, ?2)`,
      shard,
      watermark,
    );
  }

  /** Up to which place each shard is counted. */
  getWatermarks(): Readonly<Record<string, number>> {
    const rows = this.#sql
      .exec<{ shard: string; place: number }>("SELECT shard, place FROM counted")
      .toArray();
    return Object.fromEntries(rows.map(({ shard, place: watermark }) => [shard, watermark]));
  }

  /** False until `begin` was called once in this storage. */
  isInitialized(): boolean {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM begun").one().n > 0;
  }

  markInitialized(): void {
    this.#sql.exec("INSERT OR IGNORE INTO begun(one) VALUES (1)");
  }

  /** Takes an issue as its snapshot has it: that snapshot need not be written again. */
  restore(issue: Issue): void {
    this.save(issue);
    this.markClean(issue.digest);
  }

  remove(digest: Digest): void {
    this.facets.update(digest, this.get(digest), undefined);
    this.#cache.delete(digest);
    this.#sql.exec("DELETE FROM issue WHERE digest = ?", digest);
  }

  /** The issue that a report counts in: the one with its digest; where there is none, the one that shows it. */
  findIssueOfReport(digest: Digest | undefined, id: ReportId): Issue | undefined {
    const direct = digest === undefined ? undefined : this.get(digest);
    if (direct !== undefined) return direct;
    const query = "SELECT digest FROM issue WHERE instr(body, ?) > 0 LIMIT 1";
    const [other] = this.#sql.exec<{ digest: string }>(query, id);
    return other === undefined ? undefined : this.get(other.digest);
  }

  /** The issues that show a text. */
  findContaining(text: string): readonly Digest[] {
    const digests: Digest[] = [];
    const rows = this.#sql.exec<{ digest: string; body: string }>("SELECT digest, body FROM issue");
    for (const { digest, body } of rows)
      if (containsText(JSON.parse(body), text)) digests.push(digest);
    return digests;
  }

  /** Forgets everything. */
  wipe(): void {
    this.#cache.clear();
    for (const table of ["issue", "list", "counted"]) {
      this.#sql.exec(`DELETE FROM ${table}`);
    }
    this.facets.wipe();
  }

  /** Holds nothing in memory any more: what was written is rolled back. */
  clearCache(): void {
    this.#cache.clear();
  }

  /** Every issue's digest. */
  listDigests(): readonly Digest[] {
    return this.#queryDigests("");
  }

  /** Shards that have ever sent something. */
  listShards(): readonly string[] {
    return this.#sql
      .exec<{ shard: string }>("SELECT shard FROM counted")
      .toArray()
      .map(({ shard }) => shard);
  }

  get(digest: Digest): Issue | undefined {
    return this.#cache.get(digest) ?? this.#read(digest);
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
   * Writes an issue; its snapshot is stale from now on. One that would not fit into a row names fewer reports: what one
   * sender wrote must never keep the others from being counted. `before` is the issue as it is in the table, null for none.
   */
  save(issue: Issue, before: Issue | null = this.get(issue.digest) ?? null): void {
    let stored = issue;
    let body = JSON.stringify(stored);
    while (body.length > MAX_BODY_CHARS && stored.latestReports.length > 0) {
      stored = {
        ...stored,
        latestReports: stored.latestReports.slice(0, stored.latestReports.length >> 1),
      };
      body = JSON.stringify(stored);
    }
    if (body.length > MAX_BODY_CHARS) {
      const {
        releases: _r,
        environments: _e,
        browsers: _b,
        pages: _p,
        tags: _t,
        ...minimal
      } = stored;
      stored = { ...minimal, aliases: [] };
      body = JSON.stringify(stored);
    }
    this.#addToCache(stored, body.length);
    this.facets.update(issue.digest, before ?? undefined, stored);
    this.#sql.exec(UPSERT_ISSUE, issue.digest, issue.asOfMs, body, ...toIssueColumns(stored));
  }

  /**
   * Forgets issues that have not changed since `beforeMs`, some at a time; since `commonBeforeMs` those that are common: there
   * is plenty of them, and they were first seen before `newSinceMs` (`core/retention.ts` `isCommon`).
   */
  deleteExpired(beforeMs: number, commonBeforeMs: number, newSinceMs: number): void {
    this.#cache.clear();
    this.#sql.exec(
      `DELETE FROM issue WHERE digest IN (
         SELECT digest FROM issue
         WHERE changed_ms < ?1 OR (changed_ms < ?2 AND json_extract(body, '$.count') >= ?3
             AND json_extract(body, '$.firstSeenMs') <= ?4) LIMIT ?5)`,
      beforeMs,
      commonBeforeMs,
      COMMON_MIN_COUNT,
      newSinceMs,
      MAX_DELETED_AT_ONCE,
    );
    this.facets.deleteOrphans();
  }

  /** The issues that were changed and are not in KV as they are here. */
  listDirty(): readonly Digest[] {
    return this.#queryDigests("WHERE stale = 1");
  }

  /** True when an issue has changed since the list was copied. */
  isListDirty(): boolean {
    const newest = "SELECT max(changed_ms) FROM issue";
    const savedList = "SELECT max(copied_ms) FROM list";
    const query = `SELECT coalesce((${newest}), 0) > coalesce((${savedList}), 0) AS isDirty`;
    return this.#sql.exec<{ isDirty: number }>(query).one().isDirty === 1;
  }

  /** Notes that the list as it was at a moment is in KV. */
  markListClean(asOfMs: number): void {
    this.#sql.exec("DELETE FROM list");
    this.#sql.exec("INSERT INTO list(copied_ms) VALUES (?)", asOfMs);
  }

  markClean(digest: Digest): void {
    this.#sql.exec("UPDATE issue SET stale = 0 WHERE digest = ?", digest);
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
