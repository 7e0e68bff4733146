/**
 * The SQLite tables of one project's index, and its transactions. Everything else in this folder
 * reads and writes these tables; nothing here depends on it. Synchronous: a `transaction` stores
 * all of its writes or none.
 */

import type { MatchedCounts } from "../../../core/alerts/triggers/judged-counts.ts";
import type { Decision } from "../../../core/issue/issue.ts";
import { NEW_ISSUE_MS } from "../../../core/issue/retention.ts";
import type { SavedViews } from "../../../core/issue/saved-view.ts";
import type { Digest } from "../../../core/report.ts";
import type { CodeOwnersFiles, RepositorySettings } from "../../../core/repositories/repository.ts";
import { UNDO_STEPS, type UndoStep } from "../../../core/triage/undo-step.ts";
import { toUtcDay } from "../../../core/utc-time.ts";
import {
  CODE_OWNERS_JSON,
  DECISION_JSON,
  REPOSITORIES_JSON,
  SAVED_VIEWS_JSON,
} from "../../kv/stored-json.ts";
import { RowMeter } from "../../row-meter.ts";
import { lookUpAbsent } from "../../sqlite/absent-keys.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { AlertOutbox } from "../alerts/alert-outbox.ts";
import { ReleaseTable } from "../releases/release-table.ts";
import { AliasTable } from "../tables/alias-table.ts";
import { AnnotationTable } from "../tables/annotation-table.ts";
import { AwaitedCommitTable } from "../tables/awaited-commit-table.ts";
import { CounterTable } from "../tables/counter-table.ts";
import { DailyCapTable } from "../tables/daily-cap-table.ts";
import { type ChangedDocument, DocumentTable } from "../tables/document-table.ts";
import { ErasureTable } from "../tables/erasures/erasure-table.ts";
import {
  CODE_OWNERS,
  DECISION,
  INDEX_SCHEMA,
  REPOSITORIES,
  SAVED_VIEWS,
  UNDO,
} from "../tables/index-schema.ts";
import { IssueTable } from "../tables/issue-table.ts";
import { SearchTable } from "../tables/search-table.ts";
import { ShardProgressTable } from "../tables/shard-progress-table.ts";
import {
  type BatchChanges,
  isFull,
  isLarge,
  NOTHING_STAGED,
  type ShardProgress,
  type StagedChanges,
  stageBatch,
  stageMatches,
  stageProgress,
} from "../tables/staged-changes.ts";
import { TombstoneTable } from "../tables/tombstone-table.ts";
import { TraceTable } from "../tables/trace-table.ts";
import { FloodTable } from "./flood-table.ts";
import { MergeMap } from "./merge-map.ts";
import { PublicRows } from "./public-rows.ts";
import { writeChanges } from "./write-changes.ts";

/** Rows that expire in one turn. */
const MAX_EXPIRED_ROWS = 500;

export class IndexTables {
  readonly issues: IssueTable;
  readonly shardProgress: ShardProgressTable;
  readonly aliases: AliasTable;
  readonly decisions: DocumentTable<Decision>;
  readonly annotations: AnnotationTable;
  readonly views: DocumentTable<SavedViews>;
  readonly repositories: DocumentTable<RepositorySettings>;
  readonly codeOwners: DocumentTable<CodeOwnersFiles>;
  readonly counters: CounterTable;
  readonly caps: DailyCapTable;
  readonly floods: FloodTable;
  readonly publicRows: PublicRows;
  readonly erasures: ErasureTable;
  readonly search: SearchTable;
  readonly releases: ReleaseTable;
  readonly traces: TraceTable;
  readonly awaitedCommits: AwaitedCommitTable;
  readonly tombstones: TombstoneTable;
  readonly alerts: AlertOutbox;
  /** The documents with copies in KV. */
  readonly copied: readonly DocumentTable<unknown>[];
  /** The last actions of members that can be undone. */
  readonly undo: DocumentTable<readonly UndoStep[]>;
  /** Merges and splits, as the annotations record them. */
  readonly merges: MergeMap;
  readonly meter: RowMeter;
  readonly #storage: DurableObjectStorage;
  readonly #database: Database;
  #staged = NOTHING_STAGED;
  #rowsOfStaged = 0;

  /** `meter` counts the rows of the object; `rowScale` as in `readStoreSettings`. */
  constructor(
    ofObject: DurableObjectStorage,
    meter = new RowMeter(ofObject),
    rowScale = 1,
    database: Database = openDatabase(ofObject, INDEX_SCHEMA),
  ) {
    const { storage } = meter;
    this.meter = meter;
    this.#database = database;
    this.#storage = storage;
    this.caps = new DailyCapTable(storage);
    this.publicRows = new PublicRows(this.caps, rowScale);
    this.floods = new FloodTable(storage);
    const getStaged = () => this.#staged;
    this.issues = new IssueTable(storage, this.caps, {
      get changes() {
        return getStaged();
      },
      write: () => this.writeStaged(),
    });
    this.shardProgress = new ShardProgressTable(storage, getStaged);
    this.aliases = new AliasTable(storage);
    this.tombstones = new TombstoneTable(storage);
    const { tombstones } = this;
    this.decisions = new DocumentTable(storage, DECISION, tombstones, DECISION_JSON);
    this.annotations = new AnnotationTable(storage, tombstones);
    this.views = new DocumentTable(storage, SAVED_VIEWS, tombstones, SAVED_VIEWS_JSON);
    this.repositories = new DocumentTable(storage, REPOSITORIES, tombstones, REPOSITORIES_JSON);
    this.codeOwners = new DocumentTable(storage, CODE_OWNERS, tombstones, CODE_OWNERS_JSON);
    const { decisions, annotations, views, repositories, codeOwners } = this;
    this.copied = [decisions, annotations, views, repositories, codeOwners];
    this.counters = new CounterTable(storage);
    this.erasures = new ErasureTable(storage);
    this.search = new SearchTable(storage);
    this.releases = new ReleaseTable(storage);
    this.traces = new TraceTable(storage);
    this.awaitedCommits = new AwaitedCommitTable(storage);
    this.alerts = new AlertOutbox(storage, () => this.#staged.matches);
    this.undo = new DocumentTable(storage, UNDO, tombstones, UNDO_STEPS);
    this.merges = new MergeMap(this.annotations);
  }

  /**
   * Runs `work` in a transaction. If it throws, its writes are rolled back and caches are cleared.
   * Nothing is staged afterwards.
   */
  transaction<T>(work: () => T): T {
    return this.stagingTransaction(() => {
      this.writeStaged();
      const result = work();
      this.writeStaged();
      return result;
    });
  }

  /** Runs `work` in a transaction, as `transaction` does. The work may stage changes. */
  stagingTransaction<T>(work: () => T): T {
    const staged = this.#staged;
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      this.#staged = staged;
      this.#clearCaches();
      throw error;
    }
  }

  /** True if changes or progress are only in memory. */
  get hasStaged(): boolean {
    return this.#staged !== NOTHING_STAGED;
  }

  /** False if what is staged should be stored, or is progress without changes of issues. */
  shouldStage(nowMs: number): boolean {
    if (this.isGathering(nowMs)) return true;
    return this.#staged.issues.size > 0 && !isFull(this.#staged);
  }

  /** True if what is staged is of public reports, and they have used up the day's rows. */
  isGathering(nowMs: number): boolean {
    return this.#staged.isPublic && this.publicRows.isGathering(nowMs);
  }

  /** True if a public report may change this issue now, besides `changed` others of its batch. */
  mayChange(digest: Digest, changed: number, nowMs: number): boolean {
    const { issues } = this.#staged;
    const gathered = isLarge(this.#staged) ? Number.POSITIVE_INFINITY : issues.size + changed;
    return issues.has(digest) || this.publicRows.takeChange(gathered, nowMs);
  }

  /** Looks up together which tables know the digests, so that none of them reads each. */
  lookAhead(digests: readonly Digest[]): void {
    const { issues, decisions, annotations, alerts, aliases } = this;
    const absent = [issues, decisions, annotations, alerts, aliases].map((one) => one.absent);
    lookUpAbsent(this.#storage.sql, digests, absent);
  }

  /** The rows so far that `writeStaged` has written. */
  get rowsOfStaged(): number {
    return this.#rowsOfStaged;
  }

  stageBatch(batch: BatchChanges): void {
    this.#staged = stageBatch(this.#staged, batch);
  }

  /** Stages what rules counted of an issue. */
  stageMatches(
    digest: Digest,
    counted: readonly (readonly [rule: string, counts: MatchedCounts])[],
  ): void {
    if (counted.length > 0) this.#staged = stageMatches(this.#staged, digest, counted);
  }

  stageProgress(
    shard: string,
    progress: ShardProgress,
    rows: Pick<StagedChanges, "appliedMs" | "isPublic">,
  ): void {
    this.#staged = stageProgress(this.#staged, shard, progress, rows);
  }

  /** Stores what is staged, for a query that need not see gathered counters. */
  writeForQuery(nowMs: number): void {
    if (!this.isGathering(nowMs)) this.writeStaged();
  }

  /** Stores what is staged. Call before a change of the tables. */
  writeStaged(): void {
    if (!this.hasStaged) return;
    this.stagingTransaction(() => {
      const staged = this.#staged;
      this.#staged = NOTHING_STAGED;
      const before = this.meter.rows;
      writeChanges(this, staged);
      this.#rowsOfStaged += this.meter.rows - before;
    });
  }

  /**
   * Deletes everything except the state of the object; triage (decisions, annotations, views,
   * repositories) only on request.
   */
  wipe({ includeTriage }: { includeTriage: boolean }): void {
    this.transaction(() => {
      this.#database.wipe(includeTriage ? ["reported", "triage"] : ["reported"]);
      this.#clearCaches();
    });
  }

  /** Deletes some rows of a large table that `wipe` deletes; false if none is left. */
  wipeSome({ includeTriage }: { includeTriage: boolean }): boolean {
    return this.#database.wipeSome(includeTriage ? ["reported", "triage"] : ["reported"]);
  }

  /** The copies of documents in KV that changed since the last call. */
  takeChangedDocuments(): readonly ChangedDocument[] {
    return this.copied.flatMap((table) => table.takeChanged());
  }

  /** Call after a rollback, or after rows were wiped. */
  #clearCaches(): void {
    for (const table of this.copied) table.clearCache();
    const cached = [this.issues, this.releases, this.counters, this.merges, this.caps];
    for (const table of [...cached, this.floods, this.alerts, this.search]) table.clearCache();
    this.aliases.absent.clear();
  }

  /**
   * Deletes at most `limit` issues that were last updated before `beforeMs`, common ones before
   * `commonBeforeMs`, with everything that refers to them. Returns their number.
   */
  deleteExpiredIssues(
    beforeMs: number,
    commonBeforeMs: number,
    nowMs: number,
    limit: number,
  ): number {
    const newSinceMs = nowMs - NEW_ISSUE_MS;
    return this.transaction(() => {
      const expired = this.issues.listExpired(beforeMs, commonBeforeMs, newSinceMs, limit);
      for (const digest of expired) {
        this.aliases.remove(digest);
        this.search.remove(digest);
        this.alerts.removeHistory(digest);
        this.issues.remove(digest);
      }
      return expired.length;
    });
  }

  /**
   * Deletes some rows that belong to no issue and were last updated before `beforeMs`. True if more
   * may be left.
   */
  deleteExpired(beforeMs: number, nowMs: number): boolean {
    if (this.#database.expireSome({ nowMs, beforeMs }, MAX_EXPIRED_ROWS)) {
      this.counters.clearCache();
      return true;
    }
    if (this.releases.deleteExpired(beforeMs, MAX_EXPIRED_ROWS)) return true;
    this.caps.deleteExpired(toUtcDay(beforeMs), toUtcDay(nowMs));
    this.floods.deleteExpired(nowMs);
    return false;
  }
}
