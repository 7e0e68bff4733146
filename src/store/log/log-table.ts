/**
 * The rows of one ReportLog in SQLite, and nothing else: no timers, no KV. Every method is synchronous, so what one call
 * writes is one transaction.
 *
 *     row    one group commit: the lines that arrived together, and in `extra_ids` the ids of reports that a sum stands for, and of what
 *            counts once, each with its line. Gone when its chunk is copied and counted.
 *     state  up to which row everything is counted, the highest chunk number that counts as used, and whether the log is new
 */

import { toInitialChunk } from "../kv/keys.ts";
import { type IdAtLine, packIdsAtLines, unpackIdsAtLines } from "../kv/packed-ids.ts";
import { ChunkCatalog } from "./chunk-catalog.ts";
import { type LogRow, LogRows } from "./log-rows.ts";

/** SQLite in a Durable Object takes at most 2 MB in one row. */
const MAX_ROW_CHARS = 512 * 1024;
const MAX_CLOSED_CHUNKS = 200;
/** Rows are numbered from the milliseconds since then: a log writes fewer than one each. */
const SEQ_EPOCH_MS = Date.UTC(2026, 0, 1);

/** What is written together: lines, and ids that have no line of their own. */
export interface BatchLines {
  readonly chunk: number;
  readonly hour: string;
  readonly lines: readonly string[];
  readonly extraIds: readonly IdAtLine[];
}

/** The tables of the object that owns `storage`; they are made when they are missing. */
export class LogTable {
  /** What is in KV already. */
  readonly catalog: ChunkCatalog;
  /** What is here, to be read. */
  readonly rows: LogRows;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #lastSeq: number;
  #appliedSeq = 0;

  /** `nowMs` is what a log's numbers begin with that has never written: one that has lost its storage takes none twice. */
  constructor(storage: DurableObjectStorage, nowMs: number) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.catalog = new ChunkCatalog(storage);
    this.rows = new LogRows(storage.sql);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS log_row(
        seq INTEGER PRIMARY KEY, chunk INTEGER NOT NULL, hour TEXT NOT NULL, line_count INTEGER NOT NULL,
        body TEXT NOT NULL, extra_ids BLOB);
      CREATE INDEX IF NOT EXISTS log_row_by_chunk ON log_row(chunk, seq, line_count);
      CREATE TABLE IF NOT EXISTS log_state(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;`);
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
    // Rows are deleted when they are counted, so the highest number ever given is one of these two.
    this.#lastSeq = Math.max(
      this.#queryNumber("SELECT max(seq) AS n FROM log_row"),
      this.#appliedSeq,
    );
  }

  /** The highest chunk number ever used, 0 when there is none. */
  getLastChunk(): number {
    return this.#queryNumber(
      `SELECT max(n) AS n FROM (
         SELECT max(chunk) AS n FROM log_row UNION ALL SELECT max(chunk) FROM chunk
         UNION ALL SELECT value FROM log_state WHERE name = 'reserved_chunk')`,
    );
  }

  /** The number behind which a log began of which the index has not been told; undefined when it has. */
  getUnannouncedSeq(): number | undefined {
    const query = "SELECT value FROM log_state WHERE name = 'unannounced_seq'";
    const [row] = this.#sql.exec<{ value: number }>(query);
    return row?.value;
  }

  /** Notes that the index knows. */
  markAnnounced(): void {
    this.#sql.exec("DELETE FROM log_state WHERE name = 'unannounced_seq'");
  }

  /** From now on chunk numbers up to this one count as used: KV has chunks that this object has forgotten. */
  reserveChunks(chunk: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO log_state(name, value) VALUES ('reserved_chunk', ?)",
      Math.max(chunk, this.getLastChunk()),
    );
  }

  /** Writes the lines of one commit, all or none. Gives the row number of each line, in their order. */
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
    let extraIds = batch.extraIds.length > 0 ? packIdsAtLines(batch.extraIds) : null;
    for (const lines of splitByLength(batch.lines, MAX_ROW_CHARS)) {
      const seq = this.#lastSeq + 1;
      this.#sql.exec(
        "INSERT INTO log_row(seq, chunk, hour, line_count, body, extra_ids) VALUES (?, ?, ?, ?, ?, ?)",
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

  /** All lines of a chunk that are still here, in their order; none when the chunk has been copied and deleted. */
  readLines(chunk: number): readonly string[] {
    return this.#sql
      .exec<{ body: string }>("SELECT body FROM log_row WHERE chunk = ? ORDER BY seq", chunk)
      .toArray()
      .flatMap(({ body }) => body.split("\n"));
  }

  /** The ids that sums of a chunk stand for, while its rows are here. */
  readExtraIds(chunk: number): readonly IdAtLine[] {
    return this.#sql
      .exec<{ extra_ids: ArrayBuffer }>(
        "SELECT extra_ids FROM log_row WHERE chunk = ? AND extra_ids IS NOT NULL",
        chunk,
      )
      .toArray()
      .flatMap(({ extra_ids: extraIds }) => [...unpackIdsAtLines(extraIds)]);
  }

  /** True when every row has been copied and counted. */
  isEmpty(): boolean {
    return this.#queryNumber("SELECT count(*) AS n FROM (SELECT 1 FROM log_row LIMIT 1)") === 0;
  }

  /** Writes the lines of a chunk whose rows are here anew, as many as there were; these ids have no line of their own any more. */
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

  /** The chunks that still have rows here. */
  listLocalChunks(): readonly { readonly chunk: number; readonly hour: string }[] {
    return this.#sql
      .exec<{ chunk: number; hour: string }>("SELECT DISTINCT chunk, hour FROM log_row")
      .toArray();
  }

  /** The number of the last row before those that are here. */
  getLastDeletedSeq(): number {
    const first = this.#queryNumber("SELECT min(seq) AS n FROM log_row");
    return first === 0 ? this.#lastSeq : first - 1;
  }

  /** Takes every row that is here as not counted; none is deleted before it is counted again. */
  resetAppliedSeq(): void {
    // Where nothing is left the numbers go on: the index takes no number twice.
    this.#appliedSeq = this.getLastDeletedSeq();
    this.#saveAppliedSeq();
  }

  /** Forgets everything but which numbers were used; gives the last row's. */
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

  /** Chunks that take no more lines and are not in KV yet, oldest first. */
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

  /** Notes up to which row everything is counted. It is written with the next deletion: a lower number is harmless. */
  setAppliedSeq(seq: number): void {
    this.#appliedSeq = Math.max(this.#appliedSeq, seq);
  }

  /**
   * Deletes the rows of chunks that are both in KV and wholly counted, and forgets chunks that KV has let expire before
   * `nowMs`.
   */
  deleteFinishedRows(nowMs: number): void {
    const finished = this.#sql
      .exec<{ chunk: number }>(
        // The plus keeps SQLite from walking the whole catalogue: it reads the few rows first.
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

  /** Rows that the index has not confirmed, oldest first. After a crash some of them may be counted already. */
  readUnapplied(): Iterable<LogRow> {
    return this.rows.readAfter(this.#appliedSeq);
  }

  /** How much waits to be copied or counted, and since which chunk's hour. */
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
