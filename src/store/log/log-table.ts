/**
 * The rows of one ReportLog in SQLite. No timers, no KV. Every method is synchronous: what one call
 * writes is one transaction.
 *
 *     log_row    one batch: its lines, and in `extra_ids` the ids that have no line of their own.
 *                Deleted when its chunk is in KV and the index has applied it.
 *     log_state  `applied_seq`      the index has applied the rows up to this one
 *                `reserved_chunk`   chunk numbers up to this one are used
 *                `unannounced_seq`  the log is new, and the index does not know it yet
 *     public_usage  what public reports used in the current hour
 */

import type { PublicUsage } from "../../core/issue/public-budget.ts";
import { toInitialChunk } from "../kv/keys.ts";
import { type IdAtLine, packIdsAtLines, unpackIdsAtLines } from "../kv/packed-ids.ts";
import { toSequencedItems } from "../rpc/log-entries.ts";
import type { SequencedItem } from "../rpc/rpc.ts";
import { ChunkCatalog } from "./chunk-catalog.ts";
import { LogRows } from "./log-rows.ts";
import type { OutboxLog } from "./outbox.ts";
import { PublicUsageRow } from "./public-usage-row.ts";

/** SQLite in a Durable Object takes at most 2 MB in one row. */
const MAX_ROW_CHARS = 512 * 1024;
const MAX_CLOSED_CHUNKS = 200;
/** A new log numbers its rows from the milliseconds since then: it writes fewer than one each. */
const SEQ_EPOCH_MS = Date.UTC(2026, 0, 1);

/** The lines of one batch, and the ids that have no line of their own. */
interface BatchLines {
  readonly chunk: number;
  readonly hour: string;
  readonly lines: readonly string[];
  readonly extraIds: readonly IdAtLine[];
  /** The usage of public reports, if it changed. */
  readonly publicUsage?: PublicUsage;
}

/** The tables in an object's storage. The constructor creates them. */
export class LogTable implements OutboxLog {
  /** The chunks in KV. */
  readonly catalog: ChunkCatalog;
  /** The rows that are not deleted yet. */
  readonly rows: LogRows;
  /** Written with the batches. */
  readonly publicUsage: PublicUsageRow;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #shard: string;
  #lastSeq: number;
  #appliedSeq = 0;

  /** A new log starts its numbers at `nowMs`: a log that lost its storage reuses none. */
  constructor(storage: DurableObjectStorage, shard: string, nowMs: number) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#shard = shard;
    this.catalog = new ChunkCatalog(storage, shard);
    this.rows = new LogRows(storage.sql, shard);
    this.publicUsage = new PublicUsageRow(storage.sql);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS log_row(
        seq INTEGER PRIMARY KEY, chunk INTEGER NOT NULL, hour TEXT NOT NULL,
        line_count INTEGER NOT NULL, body TEXT NOT NULL, extra_ids BLOB);
      CREATE INDEX IF NOT EXISTS log_row_by_chunk ON log_row(chunk, seq, line_count);
      CREATE TABLE IF NOT EXISTS log_state(
        name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;`);
    if (this.#isNew()) {
      this.reserveChunks(toInitialChunk(nowMs));
      this.#appliedSeq = nowMs - SEQ_EPOCH_MS;
      this.#saveAppliedSeq();
      this.#sql.exec(
        "INSERT INTO log_state(name, value) VALUES ('unannounced_seq', ?)",
        this.#appliedSeq,
      );
    }
    this.#appliedSeq = this.#queryNumber(
      "SELECT max(value) AS n FROM log_state WHERE name = 'applied_seq'",
    );
    // Rows are deleted once they are applied, so the highest number used is one of these two.
    this.#lastSeq = Math.max(
      this.#queryNumber("SELECT max(seq) AS n FROM log_row"),
      this.#appliedSeq,
    );
  }

  /** The highest chunk number in use; 0 if there is none. */
  getLastChunk(): number {
    return this.#queryNumber(
      `SELECT max(n) AS n FROM (
         SELECT max(chunk) AS n FROM log_row UNION ALL SELECT max(chunk) FROM chunk
         UNION ALL SELECT value FROM log_state WHERE name = 'reserved_chunk')`,
    );
  }

  /** The number before the first row, while the index does not know of this new log. */
  getUnannouncedSeq(): number | undefined {
    const query = "SELECT value FROM log_state WHERE name = 'unannounced_seq'";
    const [row] = this.#sql.exec<{ value: number }>(query);
    return row?.value;
  }

  /** The index knows this log now. */
  markAnnounced(): void {
    this.#sql.exec("DELETE FROM log_state WHERE name = 'unannounced_seq'");
  }

  /** Marks chunk numbers up to `chunk` as used: KV has chunks that this object has forgotten. */
  reserveChunks(chunk: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO log_state(name, value) VALUES ('reserved_chunk', ?)",
      Math.max(chunk, this.getLastChunk()),
    );
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
    const seqs: number[] = [];
    if (batch.publicUsage !== undefined) this.publicUsage.write(batch.publicUsage);
    let extraIds = batch.extraIds.length > 0 ? packIdsAtLines(batch.extraIds) : null;
    for (const lines of splitByLength(batch.lines, MAX_ROW_CHARS)) {
      const seq = this.#lastSeq + 1;
      this.#sql.exec(
        `INSERT INTO log_row(seq, chunk, hour, line_count, body, extra_ids)
         VALUES (?, ?, ?, ?, ?, ?)`,
        seq,
        batch.chunk,
        batch.hour,
        lines.length,
        lines.join("\n"),
        extraIds,
      );
      extraIds = null;
      this.#lastSeq = seq;
      seqs.push(...lines.map(() => seq));
    }
    return seqs;
  }

  /** The lines of a chunk, in order; none if its rows are deleted. */
  readLines(chunk: number): readonly string[] {
    return this.#sql
      .exec<{ body: string }>("SELECT body FROM log_row WHERE chunk = ? ORDER BY seq", chunk)
      .toArray()
      .flatMap(({ body }) => body.split("\n"));
  }

  /** The extra ids of a chunk; none if its rows are deleted. */
  readExtraIds(chunk: number): readonly IdAtLine[] {
    return this.#sql
      .exec<{ extra_ids: ArrayBuffer }>(
        "SELECT extra_ids FROM log_row WHERE chunk = ? AND extra_ids IS NOT NULL",
        chunk,
      )
      .toArray()
      .flatMap(({ extra_ids: extraIds }) => [...unpackIdsAtLines(extraIds)]);
  }

  /** True if every row is uploaded and applied. */
  isEmpty(): boolean {
    return this.#queryNumber("SELECT count(*) AS n FROM (SELECT 1 FROM log_row LIMIT 1)") === 0;
  }

  /** Replaces the lines of a chunk with the same number of lines, and adds extra ids. */
  replaceLines(chunk: number, lines: readonly string[], extraIds: readonly IdAtLine[]): void {
    this.#storage.transactionSync(() => {
      let at = 0;
      let ids = extraIds;
      const query =
        "SELECT seq, line_count AS lineCount, extra_ids FROM log_row WHERE chunk = ? ORDER BY seq";
      const rows = this.#sql.exec<{
        seq: number;
        lineCount: number;
        extra_ids: ArrayBuffer | null;
      }>(query, chunk);
      for (const { seq, lineCount, extra_ids: before } of rows.toArray()) {
        const body = lines.slice(at, at + lineCount).join("\n");
        const all = [...(before === null ? [] : unpackIdsAtLines(before)), ...ids];
        const packed = all.length > 0 ? packIdsAtLines(all) : null;
        this.#sql.exec(
          "UPDATE log_row SET body = ?, extra_ids = ? WHERE seq = ?",
          body,
          packed,
          seq,
        );
        at += lineCount;
        ids = [];
      }
    });
  }

  /** The chunks that have rows here. */
  listLocalChunks(): readonly { readonly chunk: number; readonly hour: string }[] {
    return this.#sql
      .exec<{ chunk: number; hour: string }>("SELECT DISTINCT chunk, hour FROM log_row")
      .toArray();
  }

  /** The number of the last row before those that are left. */
  getLastDeletedSeq(): number {
    const first = this.#queryNumber("SELECT min(seq) AS n FROM log_row");
    return first === 0 ? this.#lastSeq : first - 1;
  }

  /** Marks all rows as not applied: none is deleted before the index applies it again. */
  resetAppliedSeq(): void {
    // Without rows the numbers continue: the index applies no number twice.
    this.#appliedSeq = this.getLastDeletedSeq();
    this.#saveAppliedSeq();
  }

  /** Deletes everything except the numbers in use. Returns the last row's number. */
  wipe(): number {
    this.reserveChunks(this.getLastChunk());
    for (const table of ["log_row", "chunk", "erased_line"]) this.#sql.exec(`DELETE FROM ${table}`);
    this.#appliedSeq = this.#lastSeq;
    this.#saveAppliedSeq();
    return this.#lastSeq;
  }

  #isNew(): boolean {
    const tables = ["log_state", "log_row", "chunk"].map((name) => `EXISTS(SELECT 1 FROM ${name})`);
    return this.#queryNumber(`SELECT ${tables.join(" OR ")} AS n`) === 0;
  }

  #saveAppliedSeq(): void {
    const query = "INSERT OR REPLACE INTO log_state(name, value) VALUES ('applied_seq', ?)";
    this.#sql.exec(query, this.#appliedSeq);
  }

  /** Closed chunks that are not in KV, oldest first; at most `MAX_CLOSED_CHUNKS`. */
  listClosedChunks(openChunk: number): { chunk: number; hour: string }[] {
    return this.#sql
      .exec<{ chunk: number; hour: string }>(
        `SELECT DISTINCT chunk, hour FROM log_row
         WHERE chunk < ? AND chunk NOT IN (SELECT chunk FROM chunk) ORDER BY chunk LIMIT ?`,
        openChunk,
        MAX_CLOSED_CHUNKS,
      )
      .toArray();
  }

  /** Stored with the next deletion: after a crash, rows are sent again, which is harmless. */
  setAppliedSeq(seq: number): void {
    this.#appliedSeq = Math.max(this.#appliedSeq, seq);
  }

  /** Deletes rows whose chunk is in KV and applied, and catalog entries expired before `nowMs`. */
  deleteFinishedRows(nowMs: number): void {
    const finished = this.#sql
      .exec<{ chunk: number }>(
        // The plus keeps SQLite from scanning the catalog: it reads the few rows first.
        `SELECT chunk FROM log_row WHERE +chunk IN (SELECT chunk FROM chunk)
         GROUP BY chunk HAVING max(seq) <= ?`,
        this.#appliedSeq,
      )
      .toArray();
    if (finished.length === 0) return;
    this.catalog.deleteExpired(nowMs);
    this.#saveAppliedSeq();
    for (const { chunk } of finished) this.#sql.exec("DELETE FROM log_row WHERE chunk = ?", chunk);
  }

  /** The items of unapplied rows, in order. After a crash some of them may be applied already. */
  *readUnapplied(): Generator<SequencedItem> {
    for (const row of this.rows.readAfter(this.#appliedSeq)) {
      yield* toSequencedItems(row, this.#shard);
    }
  }

  /** The rows that are not uploaded or not applied, and the hour of the oldest. */
  getBacklog(): { readonly rows: number; readonly lines: number; readonly oldestHour?: string } {
    const { rows, lines, oldest } = this.#sql
      .exec<{ rows: number; lines: number | null; oldest: string | null }>(
        "SELECT count(*) AS rows, sum(line_count) AS lines, min(hour) AS oldest FROM log_row",
      )
      .one();
    return { rows, lines: lines ?? 0, ...(oldest !== null && { oldestHour: oldest }) };
  }

  #queryNumber(query: string): number {
    return this.#sql.exec<{ n: number | null }>(query).one().n ?? 0;
  }
}

function splitByLength(lines: readonly string[], maxChars: number): readonly string[][] {
  const groups: string[][] = [];
  let chars = 0;
  for (const line of lines) {
    const group = groups.at(-1);
    if (group === undefined || chars + line.length > maxChars) {
      groups.push([line]);
      chars = line.length;
    } else {
      group.push(line);
      chars += line.length;
    }
  }
  return groups;
}
