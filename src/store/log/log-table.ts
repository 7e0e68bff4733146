/**
 * The rows of one ReportLog in SQLite. No timers, no KV. Every method is synchronous, and its
 * writes are one transaction.
 *
 *     log_row    one batch: its lines, and in `extra_ids` the ids that have no line of their own.
 *                Imported lines have rows of their own.
 *                Deleted when its chunk is in KV and the index has stored it.
 *     log_chunk  one row per chunk that has rows (`local-chunks.ts`)
 *     log_state  `stored_seq`       the index has stored the rows up to this one
 *                `reserved_chunk`   chunk numbers up to this one are used
 *                `unannounced_seq`  the log is new, and the index does not know it yet
 *                `swept_ms`         when expired chunks were deleted
 *     public_usage  what public reports used in the current hour
 */
import { limits } from "../../core/limits.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import type { PublicUsage } from "../../core/sampling/public-budget.ts";
import { toInitialChunk } from "../kv/keys.ts";
import { type IdAtLine, packIdsAtLines } from "../kv/packed-ids.ts";
import { type Database, openDatabase } from "../sqlite/database.ts";
import { upsert } from "../sqlite/table.ts";
import { ChunkCatalog } from "./catalog/chunk-catalog.ts";
import { LocalChunks } from "./local-chunks.ts";
import { type SequencedItem, toSequencedItems } from "./log-entries.ts";
import { LogRows } from "./log-rows.ts";
import { LOG_SCHEMA } from "./log-schema.ts";
import type { OutboxLog } from "./outbox.ts";

const SAVE_STATE = upsert("log_state", ["name"], ["value"]);

/** SQLite in a Durable Object takes at most 2 MB in one row. */
const MAX_ROW_CHARS = 512 * 1024;
/** A new log numbers its rows from the milliseconds since then: it writes fewer than one per ms. */
const SEQ_EPOCH_MS = Date.UTC(2026, 0, 1);

/** The lines of one batch, and the ids that have no line. */
interface BatchLines {
  readonly chunk: number;
  readonly hour: string;
  readonly lines: readonly string[];
  readonly extraIds: readonly IdAtLine[];
  /** The number of lines in the chunk before these. */
  readonly firstLine: number;
  /** The usage of public reports, if it changed. */
  readonly publicUsage?: PublicUsage;
  /** The lines were imported and cause no alert, also after a restart. */
  readonly isImported?: true;
}

export class LogTable implements OutboxLog {
  /** The chunks in KV. */
  readonly catalog: ChunkCatalog;
  /** The chunks whose rows are not deleted yet, with their lines. */
  readonly localChunks: LocalChunks;
  readonly rows: LogRows;
  /** Written with the batches. */
  readonly publicUsage: PublicUsageRow;
  readonly #storage: DurableObjectStorage;
  readonly #database: Database;
  readonly #sql: SqlStorage;
  readonly #shard: string;
  #lastSeq: number;
  #storedSeq = 0;

  /** Numbers of a new log start at `nowMs`, so that a log that lost its storage reuses none. */
  constructor(
    storage: DurableObjectStorage,
    shard: string,
    nowMs: number,
    database: Database = openDatabase(storage, LOG_SCHEMA),
  ) {
    this.#storage = storage;
    this.#database = database;
    this.#sql = storage.sql;
    this.#shard = shard;
    this.catalog = new ChunkCatalog(storage, shard);
    this.localChunks = new LocalChunks(storage);
    this.rows = new LogRows(storage.sql, shard);
    this.publicUsage = new PublicUsageRow(storage.sql);
    if (this.#isNew()) {
      this.reserveChunks(toInitialChunk(nowMs));
      this.#storedSeq = nowMs - SEQ_EPOCH_MS;
      this.#saveStoredSeq();
      this.#saveState("unannounced_seq", this.#storedSeq);
    }
    this.#storedSeq = this.#readState("stored_seq") ?? 0;
    // Rows are deleted once the index has stored them, so the highest number is one of these two.
    const lastSeq = this.#queryNumber("SELECT max(seq) AS n FROM log_row");
    this.#lastSeq = Math.max(lastSeq, this.#storedSeq);
  }

  /** The highest chunk number in use; 0 if there is none. */
  getLastChunk(): number {
    const lastLocal = this.#queryNumber("SELECT max(chunk) AS n FROM log_chunk");
    const reserved = this.#readState("reserved_chunk") ?? 0;
    return Math.max(lastLocal, reserved, this.catalog.getLastChunk());
  }

  /** The number before the first row of a new log that the index does not know yet. */
  getUnannouncedSeq(): number | undefined {
    return this.#readState("unannounced_seq");
  }

  /** Records that the index knows this log. */
  markAnnounced(): void {
    this.#sql.exec("DELETE FROM log_state WHERE name = 'unannounced_seq'");
  }

  /** Marks chunk numbers up to `chunk` as used, because KV has chunks that are unknown here. */
  reserveChunks(chunk: number): void {
    this.#saveState("reserved_chunk", Math.max(chunk, this.getLastChunk()));
  }

  /** Writes the lines of a batch, all or none. Returns the row number of each line, in order. */
  insert(batch: BatchLines): readonly number[] {
    const before = this.#lastSeq;
    try {
      return this.#storage.transactionSync(() => this.#insertRows(batch));
    } catch (error) {
      this.#lastSeq = before;
      throw error;
    }
  }

  #insertRows(batch: BatchLines): readonly number[] {
    const { chunk, hour, publicUsage } = batch;
    const seqs: number[] = [];
    if (publicUsage !== undefined) this.publicUsage.write(publicUsage);
    if (batch.lines.length > 0) this.localChunks.add(chunk, hour, this.#lastSeq + 1);
    let extraIds = batch.extraIds.length > 0 ? packIdsAtLines(batch.extraIds) : null;
    const maxLines = batch.isImported === true ? limits.importLinesPerRow : batch.lines.length;
    for (const lines of splitIntoRows(batch.lines, maxLines)) {
      const seq = this.#lastSeq + 1;
      this.#sql.exec(
        `INSERT INTO log_row(seq, chunk, hour, first_line, line_count, body, extra_ids,
           is_imported)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[seq, chunk, hour, batch.firstLine + seqs.length, lines.length, lines.join("\n")],
        ...[extraIds, batch.isImported === true ? 1 : 0],
      );
      extraIds = null;
      this.#lastSeq = seq;
      seqs.push(...lines.map(() => seq));
    }
    return seqs;
  }

  /** The reports of a trace or Ray ID, newest first: see `LogRows.findByTrace`. */
  findByTrace(id: ReportId, part: string): readonly LogPosition[] {
    return [...this.rows.findByTrace(id, part), ...this.catalog.findByTrace(id)];
  }

  /** True if every row is uploaded and stored in the index. */
  isEmpty(): boolean {
    return this.#queryNumber("SELECT count(*) AS n FROM (SELECT 1 FROM log_row LIMIT 1)") === 0;
  }

  /** The number before the first remaining row. */
  getLastDeletedSeq(): number {
    const first = this.#queryNumber("SELECT min(seq) AS n FROM log_row");
    return first === 0 ? this.#lastSeq : first - 1;
  }

  /** Marks all rows as not stored: none is deleted before the index stores it again. */
  resetStoredSeq(): void {
    // The numbers continue without rows, because the index applies no number twice.
    this.#storedSeq = this.getLastDeletedSeq();
    this.#saveStoredSeq();
  }

  /** Deletes everything except the numbers in use. Returns the last row's number. */
  wipe(): number {
    this.reserveChunks(this.getLastChunk());
    this.#database.wipe(["reported"]);
    this.catalog.clearCache();
    this.#storedSeq = this.#lastSeq;
    this.#saveStoredSeq();
    return this.#lastSeq;
  }

  #isNew(): boolean {
    return this.#queryNumber("SELECT EXISTS(SELECT 1 FROM log_state) AS n") === 0;
  }

  /** When the catalog was swept last, ms; 0 if never. */
  getSweptMs(): number {
    return this.#readState("swept_ms") ?? 0;
  }

  saveSweptMs(sweptMs: number): void {
    this.#saveState("swept_ms", sweptMs);
  }

  #saveStoredSeq(): void {
    this.#saveState("stored_seq", this.#storedSeq);
  }

  #saveState(name: string, value: number): void {
    this.#sql.exec(SAVE_STATE, name, value);
  }

  /** Stored with the next deletion. After a crash, rows are sent again, which is harmless. */
  setStoredSeq(seq: number): void {
    this.#storedSeq = Math.max(this.#storedSeq, seq);
  }

  /** Deletes rows whose chunk is in KV and stored in the index. */
  deleteFinishedRows(): void {
    const finished = this.localChunks.listFinished(this.#storedSeq);
    if (finished.length === 0) return;
    this.#saveStoredSeq();
    for (const chunk of finished) this.localChunks.delete(chunk);
  }

  /** The last row that the index has stored; after a restart it may have stored later ones. */
  get storedSeq(): number {
    return this.#storedSeq;
  }

  /** The items of the rows after `seq`, in order. */
  *readItemsAfter(seq: number): Generator<SequencedItem> {
    for (const row of this.rows.readAfter(seq)) yield* toSequencedItems(row, this.#shard);
  }

  #readState(name: string): number | undefined {
    const query = "SELECT value FROM log_state WHERE name = ?";
    return this.#sql.exec<{ value: number }>(query, name).toArray()[0]?.value;
  }

  #queryNumber(query: string): number {
    return this.#sql.exec<{ n: number | null }>(query).one().n ?? 0;
  }
}

function splitIntoRows(lines: readonly string[], maxLines: number): readonly string[][] {
  const rows: string[][] = [];
  let chars = 0;
  for (const line of lines) {
    const row = rows.at(-1);
    if (row === undefined || row.length >= maxLines || chars + line.length > MAX_ROW_CHARS) {
      rows.push([line]);
      chars = line.length;
    } else {
      row.push(line);
      chars += line.length;
    }
  }
  return rows;
}

const SAVE = upsert(
  "public_usage",
  ["id"],
  [
    "hour",
    "reportBodies",
    "reportChars",
    "personBodies",
    "personChars",
    "pageBodies",
    "pageChars",
    "rollupChars",
    "pageRollupChars",
    "ids",
    "pageIds",
  ],
);

/** The row with the usage of public and page reports in the current hour of one shard. */
class PublicUsageRow {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The usage as last written; undefined if there was none. */
  read(): PublicUsage | undefined {
    const query = `SELECT hour, reportBodies, reportChars, personBodies, personChars,
      pageBodies, pageChars, rollupChars, pageRollupChars, ids, pageIds FROM public_usage`;
    return this.#sql.exec<Record<keyof PublicUsage, number>>(query).toArray()[0];
  }

  /** Replaces the row. */
  write(usage: PublicUsage): void {
    this.#sql.exec(
      SAVE,
      0,
      usage.hour,
      usage.reportBodies,
      usage.reportChars,
      usage.personBodies,
      usage.personChars,
      usage.pageBodies,
      usage.pageChars,
      usage.rollupChars,
      usage.pageRollupChars,
      usage.ids,
      usage.pageIds,
    );
  }
}
