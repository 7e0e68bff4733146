/**
 * The SQLite tables of one ProjectIndex, and nothing else. Every method is synchronous.
 *
 *     issue    one row an issue, its JSON beside what lists are ordered and filtered by (`issue-lists.ts` reads them)
 *     list     when the list was copied into KV
 *     begun    a row once the project has a memory here
 *     counted  up to which row the log of each shard has been counted, and the place of the last report in it: what makes
 *              counts exact
 */
import type { Issue } from "../core/issue.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { COMMON_FROM_COUNT } from "../core/retention.ts";
import { FacetTable } from "./facet-table.ts";
import { LIST_COLUMN_DEFINITIONS, LIST_COLUMNS, listColumnsOf } from "./list-columns.ts";
import { storedIssue } from "./stored.ts";
import { holdsText } from "./written-text.ts";

/** Three bytes a character at most: well within the 2 MB that a row may have. */
const MAX_BODY_CHARS = 500_000;
const FORGOTTEN_AT_ONCE = 1_000;
/** Issues that are held in memory, and the largest of them: some 20 MB in all. */
const MAX_HOT = 500;
const MAX_HOT_CHARS = 20_000;
const SAVED = ["changed_ms", "body", "stale", ...LIST_COLUMNS];
/** A row that is there is changed in its place: to replace it would be to write it, and its line of the index, twice. */
const SAVE = `INSERT INTO issue(digest, ${SAVED.join(", ")}) VALUES (?, ?, ?, 1${", ?".repeat(LIST_COLUMNS.length)})
  ON CONFLICT(digest) DO UPDATE SET ${SAVED.map((name) => `${name} = excluded.${name}`).join(", ")}`;

/** The tables of the object that owns `storage`; they are made when they are missing. */
export class IndexTable {
  /** Which issues have which values. */
  readonly facets: FacetTable;
  readonly #sql: SqlStorage;
  /** Issues that were written, or read from the table, last, as they are there: the same few are counted and looked at again and again. */
  readonly #hot = new Map<Digest, Issue>();

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS issue(
        digest TEXT PRIMARY KEY, changed_ms INTEGER NOT NULL, body TEXT NOT NULL, stale INTEGER NOT NULL,
        ${LIST_COLUMN_DEFINITIONS}) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS issue_list ON issue(${LIST_COLUMNS.join(", ")});
      CREATE TABLE IF NOT EXISTS list(copied_ms INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS begun(one INTEGER PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS counted(shard TEXT PRIMARY KEY, seq INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID;`);
    this.facets = new FacetTable(storage.sql);
  }

  /** The last counted row of a shard's log, 0 before the first. */
  countedOf(shard: string): number {
    const [row] = this.#sql.exec<{ seq: number }>("SELECT seq FROM counted WHERE shard = ?", shard);
    return row?.seq ?? 0;
  }

  /** Notes the last counted row of a shard, and the place of the last report in it (`keys.ts` `orderOf`). */
  setCounted(shard: string, seq: number, place: number): void {
    this.#sql.exec(
      `INSERT INTO counted(shard, seq, place) VALUES (?1, ?2, ?3)
       ON CONFLICT(shard) DO UPDATE SET seq = ?2, place = max(place, ?3)`,
      shard,
      seq,
      place,
    );
  }

  /** Notes up to which place a shard is counted, whatever its rows. */
  setPlace(shard: string, place: number): void {
    this.#sql.exec(
      `INSERT INTO counted(shard, seq, place) VALUES (?1, 0, ?2)
       ON CONFLICT(shard) DO UPDATE SET place = max(place, ?2)`,
      shard,
      place,
    );
  }

  /** Up to which place each shard is counted. */
  upTo(): Readonly<Record<string, number>> {
    const rows = this.#sql
      .exec<{ shard: string; place: number }>("SELECT shard, place FROM counted")
      .toArray();
    return Object.fromEntries(rows.map(({ shard, place }) => [shard, place]));
  }

  /** False until `begin` was called once in this storage. */
  isBegun(): boolean {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM begun").one().n > 0;
  }

  begin(): void {
    this.#sql.exec("INSERT OR IGNORE INTO begun(one) VALUES (1)");
  }

  /** Takes an issue as its snapshot has it: that snapshot need not be written again. */
  recall(issue: Issue): void {
    this.save(issue);
    this.issueCopied(issue.digest);
  }

  remove(digest: Digest): void {
    this.facets.change(digest, this.issue(digest), undefined);
    this.#hot.delete(digest);
    this.#sql.exec("DELETE FROM issue WHERE digest = ?", digest);
  }

  /** The issue that a report counts in: the one with its digest; where there is none, the one that shows it. */
  issueOfReport(digest: Digest | undefined, id: ReportId): Issue | undefined {
    const own = digest === undefined ? undefined : this.issue(digest);
    if (own !== undefined) return own;
    const query = "SELECT digest FROM issue WHERE instr(body, ?) > 0 LIMIT 1";
    const [other] = this.#sql.exec<{ digest: string }>(query, id);
    return other === undefined ? undefined : this.issue(other.digest);
  }

  /** The issues that show a text. */
  holding(text: string): readonly Digest[] {
    const digests: Digest[] = [];
    const rows = this.#sql.exec<{ digest: string; body: string }>("SELECT digest, body FROM issue");
    for (const { digest, body } of rows)
      if (holdsText(JSON.parse(body), text)) digests.push(digest);
    return digests;
  }

  /** Forgets everything. */
  wipe(): void {
    this.#hot.clear();
    for (const table of ["issue", "list", "counted"]) {
      this.#sql.exec(`DELETE FROM ${table}`);
    }
    this.facets.wipe();
  }

  /** Holds nothing in memory any more: what was written is rolled back. */
  cool(): void {
    this.#hot.clear();
  }

  /** Every issue's digest. */
  digests(): readonly Digest[] {
    return this.#digests("");
  }

  /** Shards that have ever sent something. */
  shards(): readonly string[] {
    return this.#sql
      .exec<{ shard: string }>("SELECT shard FROM counted")
      .toArray()
      .map(({ shard }) => shard);
  }

  issue(digest: Digest): Issue | undefined {
    return this.#hot.get(digest) ?? this.#read(digest);
  }

  #read(digest: Digest): Issue | undefined {
    const [row] = this.#sql.exec<{ body: string }>(
      "SELECT body FROM issue WHERE digest = ?",
      digest,
    );
    if (row === undefined) return undefined;
    const issue = storedIssue(JSON.parse(row.body));
    if (issue === null) return undefined;
    this.#keepHot(issue, row.body.length);
    return issue;
  }

  /**
   * Writes an issue; its snapshot is stale from now on. One that would not fit into a row names fewer reports: what one
   * sender wrote must never keep the others from being counted. `before` is the issue as it is in the table, null for none.
   */
  save(issue: Issue, before: Issue | null = this.issue(issue.digest) ?? null): void {
    let fitting = issue;
    let body = JSON.stringify(fitting);
    while (body.length > MAX_BODY_CHARS && fitting.latest.length > 0) {
      fitting = { ...fitting, latest: fitting.latest.slice(0, fitting.latest.length >> 1) };
      body = JSON.stringify(fitting);
    }
    if (body.length > MAX_BODY_CHARS) {
      const {
        releases: _r,
        environments: _e,
        browsers: _b,
        pages: _p,
        tags: _t,
        ...least
      } = fitting;
      fitting = { ...least, aliases: [] };
      body = JSON.stringify(fitting);
    }
    this.#keepHot(fitting, body.length);
    this.facets.change(issue.digest, before ?? undefined, fitting);
    this.#sql.exec(SAVE, issue.digest, issue.asOfMs, body, ...listColumnsOf(fitting));
  }

  /**
   * Forgets issues that have not changed since `beforeMs`, some at a time; since `commonBeforeMs` those that are common: there
   * is plenty of them, and they were first seen before `newSinceMs` (`core/retention.ts` `isCommon`).
   */
  forget(beforeMs: number, commonBeforeMs: number, newSinceMs: number): void {
    this.#hot.clear();
    this.#sql.exec(
      `DELETE FROM issue WHERE digest IN (
         SELECT digest FROM issue
         WHERE changed_ms < ?1 OR (changed_ms < ?2 AND json_extract(body, '$.count') >= ?3
             AND json_extract(body, '$.firstSeenMs') <= ?4) LIMIT ?5)`,
      beforeMs,
      commonBeforeMs,
      COMMON_FROM_COUNT,
      newSinceMs,
      FORGOTTEN_AT_ONCE,
    );
    this.facets.forget();
  }

  /** The issues that were changed and are not in KV as they are here. */
  stale(): readonly Digest[] {
    return this.#digests("WHERE stale = 1");
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

  #keepHot(issue: Issue, chars: number): void {
    this.#hot.delete(issue.digest);
    if (chars > MAX_HOT_CHARS) return;
    this.#hot.set(issue.digest, issue);
    const [oldest] = this.#hot.keys();
    if (this.#hot.size > MAX_HOT && oldest !== undefined) this.#hot.delete(oldest);
  }

  #digests(where: string): readonly Digest[] {
    const rows = this.#sql.exec<{ digest: string }>(`SELECT digest FROM issue ${where}`);
    return rows.toArray().map(({ digest }) => digest);
  }
}
