/**
 * SQLite table of the issues: one row each, with the columns of `issue-columns.ts` and the body of
 * `issue-body.ts`. Ids ascend, so that new rows are appended and fill their pages; digests are
 * random. Synchronous.
 */
import type { Issue, IssueSummary } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { toDayNumber } from "../../../core/utc-time.ts";
import { containsText } from "../../redact-text.ts";
import { AbsentKeys } from "../../sqlite/absent-keys.ts";
import { RowInserter } from "../../sqlite/row-inserter.ts";
import { DailyCapTable } from "./daily-cap-table.ts";
import { FacetTable } from "./facet-table.ts";
import { packIssue, unpackIssue } from "./issue-body.ts";
import {
  ISSUE_COLUMN_NAMES,
  type IssueColumns,
  toIssueColumns,
  toIssueSummary,
} from "./issue-columns.ts";
import { NOTHING_STAGED, type StagedChanges } from "./staged-changes.ts";

const ROW_COLUMNS = ["id", ...ISSUE_COLUMN_NAMES].join(", ");
const INSERTED_COLUMNS = ["id", "digest", ...ISSUE_COLUMN_NAMES, "body"];

type ColumnValues = Readonly<Record<string, SqlStorageValue | Uint8Array>>;

/** An issue by both of its keys. */
export interface IssueRef {
  readonly id: number;
  readonly digest: Digest;
}

/** The changes in memory, and `write`, which stores them. */
interface StagedStore {
  readonly changes: StagedChanges;
  write(): void;
}

const EMPTY_STORE: StagedStore = { changes: NOTHING_STAGED, write: () => undefined };

export class IssueTable {
  readonly facets: FacetTable;
  readonly #sql: SqlStorage;
  readonly #staged: StagedStore;
  readonly #cache = new IssueCache();
  readonly #totals: IssueTotals;
  readonly absent = new AbsentKeys("issue", "digest");
  readonly #inserts: RowInserter;
  /** The id of the next new issue; undefined if it is not known. */
  #nextId: number | undefined;

  constructor(
    storage: DurableObjectStorage,
    caps = new DailyCapTable(storage),
    staged: StagedStore = EMPTY_STORE,
  ) {
    this.#sql = storage.sql;
    this.#staged = staged;
    this.#totals = new IssueTotals(storage.sql);
    this.facets = new FacetTable(storage.sql, caps);
    this.#inserts = new RowInserter(storage.sql, "issue", INSERTED_COLUMNS);
  }

  remove(digest: Digest): void {
    this.#staged.write();
    const row = this.#getRow(digest);
    if (row === undefined) return;
    this.facets.update(row.id, this.get(digest), undefined);
    this.#cache.remove(digest);
    this.#sql.exec("DELETE FROM issue WHERE id = ?", row.id);
    this.#totals.add(row.noise, -1);
    this.#totals.save();
    this.facets.save();
  }

  /**
   * The issues that contain a text, among the next `limit` after a cursor, 0 at first. `next` is
   * the next cursor, absent after the last issue. New issues come last.
   */
  findContainingAfter(
    text: string,
    cursor: number,
    limit: number,
  ): { readonly found: readonly IssueRef[]; readonly next?: number } {
    this.#staged.write();
    const found: IssueRef[] = [];
    const rows = this.#sql.exec<IssueRow & { digest: string; body: ArrayBuffer }>(
      `SELECT digest, body, ${ROW_COLUMNS} FROM issue WHERE id > ? ORDER BY id LIMIT ?`,
      cursor,
      limit,
    );
    let [count, last] = [0, cursor];
    for (const { digest, body, ...row } of rows) {
      if (containsText(unpackIssue(digest, row, body).stored, text))
        found.push({ id: row.id, digest });
      [count, last] = [count + 1, row.id];
    }
    return { found, ...(count === limit && { next: last }) };
  }

  /** Call after a rollback, or after the rows were wiped. */
  clearCache(): void {
    this.#cache.clear();
    this.#totals.clearChanges();
    this.absent.clear();
    this.#inserts.clear();
    this.#nextId = undefined;
    this.facets.clearCache();
  }

  /** True if `get` reads the issue from memory. */
  isCached(digest: Digest): boolean {
    return this.#staged.changes.issues.has(digest) || this.#cache.get(digest) !== undefined;
  }

  /** At most `limit` digests after one, in order. */
  listNames(after: Digest, limit: number): readonly Digest[] {
    const query = "SELECT digest FROM issue WHERE digest > ? ORDER BY digest LIMIT ?";
    return this.#queryDigests(query, after, limit);
  }

  countIssues(isNoise: boolean): number {
    return this.#totals.get(isNoise);
  }

  get(digest: Digest): Issue | undefined {
    const staged = this.#staged.changes.issues.get(digest);
    if (staged !== undefined) return staged.issue;
    const cached = this.#cache.get(digest);
    if (cached !== undefined) return cached.stored;
    if (this.absent.has(digest)) return undefined;
    const query = `SELECT body, ${ROW_COLUMNS} FROM issue WHERE digest = ?`;
    const [found] = this.#sql.exec<IssueRow & { body: ArrayBuffer }>(query, digest);
    if (found === undefined) return undefined;
    const { body, ...row } = found;
    const issue = unpackIssue(digest, row, body);
    this.#cache.add({ ...issue, row });
    return issue.stored;
  }

  /** The length of the JSON of an issue; 0 if it is staged, infinite if it is large. */
  getUnstagedChars(digest: Digest): number {
    if (this.#staged.changes.issues.has(digest)) return 0;
    return this.#cache.get(digest)?.bodyChars ?? Number.POSITIVE_INFINITY;
  }

  /** The part of an issue that lists show. Reads no body. */
  getSummary(digest: Digest): IssueSummary | undefined {
    const row = this.#getRow(digest);
    return row && toIssueSummary(digest, row);
  }

  /** The parts of several issues that lists show, in the order of the ids. */
  listSummaries(ids: readonly number[]): readonly IssueSummary[] {
    const query = `SELECT digest, ${ROW_COLUMNS} FROM issue
      WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = this.#sql.exec<IssueRow & { digest: string }>(query, JSON.stringify(ids));
    const summaries = new Map(Array.from(rows, (row) => [row.id, toIssueSummary(row.digest, row)]));
    return ids.map((id) => summaries.get(id)).filter((summary) => summary !== undefined);
  }

  /** The id of an issue; undefined if the table does not have it. */
  getId(digest: Digest): number | undefined {
    return this.#getRow(digest)?.id;
  }

  /** True if the issue has no trusted report. Reads no body. */
  isPublic(digest: Digest): boolean {
    return this.#getRow(digest)?.trust === "public";
  }

  /** Writes an issue, shortened if it is too large. `before` is the stored issue, null for none. */
  save(issue: Issue, before: Issue | null = this.get(issue.digest) ?? null): void {
    this.#staged.write();
    this.saveAll([issue], new Map([[issue.digest, before]]));
  }

  /** Writes issues like `save`. `before` has the stored ones, null for none. */
  saveAll(issues: Iterable<Issue>, before: ReadonlyMap<Digest, Issue | null>): void {
    const isNew = ({ digest }: Issue) => before.get(digest) === null;
    const all = Array.from(issues, (issue) => ({
      issue,
      row: isNew(issue) ? undefined : this.#getRow(issue.digest),
    }));
    // FTS5 merges consecutive writes only while the rowids grow.
    all.sort((a, b) => (a.row?.id ?? Number.MAX_VALUE) - (b.row?.id ?? Number.MAX_VALUE));
    for (const { issue, row } of all) this.#save(issue, row, before.get(issue.digest) ?? null);
    this.#inserts.flush();
    this.#totals.save();
    this.facets.save();
  }

  #save(issue: Issue, row: IssueRow | undefined, before: Issue | null): void {
    const { stored, body, bodyChars } = packIssue(issue);
    const columns = toIssueColumns(stored);
    const changed = { ...columns, body };
    const id = row?.id ?? this.#takeId();
    if (row === undefined) this.#insert(id, issue.digest, changed);
    else this.#update(row, changed);
    this.facets.update(id, before ?? undefined, stored);
    if (row !== undefined) this.#totals.add(row.noise, -1);
    this.#totals.add(columns.noise, 1);
    this.#cache.add({ stored, bodyChars, row: { ...columns, id } });
  }

  /** The new issues of a batch have consecutive ids. */
  #takeId(): number {
    const query = "SELECT coalesce(max(id), 0) + 1 AS id FROM issue";
    const id = this.#nextId ?? this.#sql.exec<{ id: number }>(query).one().id;
    this.#nextId = id + 1;
    return id;
  }

  #insert(id: number, digest: Digest, columns: ColumnValues): void {
    this.absent.delete(digest);
    const names = INSERTED_COLUMNS.slice(2);
    this.#inserts.add(id, digest, ...names.map((name) => columns[name] ?? null));
  }

  /** Writes only changed columns, because SQL indexes of other columns then cost nothing. */
  #update(row: IssueRow, columns: ColumnValues): void {
    const changed = Object.entries(columns).filter(([name, value]) => row[name] !== value);
    if (changed.length === 0) return;
    const assignments = changed.map(([name]) => `${name} = ?`).join(", ");
    const values = changed.map(([, value]) => value);
    this.#sql.exec(`UPDATE issue SET ${assignments} WHERE id = ?`, ...values, row.id);
  }

  /**
   * At most `limit` issues that have not changed since the day of `beforeMs`, or that are common
   * and have not changed since that of `commonBeforeMs`. An issue is common if it has many reports
   * and was first seen before `newSinceMs` (`core/issue/retention.ts`).
   */
  listExpired(
    beforeMs: number,
    commonBeforeMs: number,
    newSinceMs: number,
    limit: number,
  ): readonly Digest[] {
    const expired = this.#queryDigests(
      "SELECT digest FROM issue WHERE is_frequent IN (0, 1) AND changed_day < ? LIMIT ?",
      toDayNumber(beforeMs),
      limit,
    );
    if (expired.length > 0) return expired;
    return this.#queryDigests(
      `SELECT digest FROM issue WHERE is_frequent = 1 AND changed_day < ? AND first_seen_ms <= ?
       LIMIT ?`,
      toDayNumber(commonBeforeMs),
      newSinceMs,
      limit,
    );
  }

  #getRow(digest: Digest): IssueRow | undefined {
    const cached = this.#cache.get(digest);
    if (cached !== undefined) return cached.row;
    const query = `SELECT ${ROW_COLUMNS} FROM issue WHERE digest = ?`;
    return this.#sql.exec<IssueRow>(query, digest).toArray()[0];
  }

  #queryDigests(query: string, ...values: readonly SqlStorageValue[]): readonly Digest[] {
    return Array.from(this.#sql.exec<{ digest: string }>(query, ...values), (row) => row.digest);
  }
}

const MAX_ISSUES = 1_000;
/** The limit for the JSON of all bodies. */
const MAX_CHARS = 12_000_000;
/** Larger bodies are not cached. */
const MAX_BODY_CHARS = 60_000;

/** A row of `issue`, without the body. */
export interface IssueRow extends IssueColumns {
  readonly id: number;
}

interface CachedIssue {
  readonly stored: Issue;
  readonly row: IssueRow;
  /** The length of its JSON. */
  readonly bodyChars: number;
}

/**
 * The issues read or written last, with their rows: a few issues receive most reports and views.
 * About 25 MB of memory: two bytes for each character of their JSON. An issue with many reports has
 * 12,000 to 16,000 characters, so 500 of these fit.
 */
export class IssueCache {
  readonly #issues = new Map<Digest, CachedIssue>();
  #chars = 0;

  get(digest: Digest): CachedIssue | undefined {
    return this.#issues.get(digest);
  }

  add(issue: CachedIssue): void {
    const { digest } = issue.stored;
    this.remove(digest);
    if (issue.bodyChars > MAX_BODY_CHARS) return;
    this.#issues.set(digest, issue);
    this.#chars += issue.bodyChars;
    for (const oldest of this.#issues.keys()) {
      if (this.#issues.size <= MAX_ISSUES && this.#chars <= MAX_CHARS) return;
      this.remove(oldest);
    }
  }

  remove(digest: Digest): void {
    this.#chars -= this.#issues.get(digest)?.bodyChars ?? 0;
    this.#issues.delete(digest);
  }

  clear(): void {
    this.#issues.clear();
    this.#chars = 0;
  }
}

/** SQLite table of the number of issues, and of noise issues, so that no list counts its rows. */
class IssueTotals {
  readonly #sql: SqlStorage;
  /** Changes that are not written yet, by `noise`. */
  readonly #changes = new Map<number, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(isNoise: boolean): number {
    const query = "SELECT total FROM issue_total WHERE noise = ?";
    return this.#sql.exec<{ total: number }>(query, isNoise ? 1 : 0).toArray()[0]?.total ?? 0;
  }

  /** Stored by `save`. */
  add(noise: number, change: number): void {
    this.#changes.set(noise, (this.#changes.get(noise) ?? 0) + change);
  }

  save(): void {
    const query = `INSERT INTO issue_total(noise, total) VALUES (?1, ?2)
      ON CONFLICT(noise) DO UPDATE SET total = total + ?2`;
    for (const [noise, change] of this.#changes)
      if (change !== 0) this.#sql.exec(query, noise, change);
    this.#changes.clear();
  }

  /** Forgets what is not stored. */
  clearChanges(): void {
    this.#changes.clear();
  }
}
