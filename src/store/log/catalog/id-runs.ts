/**
 * The older part of the catalog. Chunks that expire on the same day are merged into runs, so the
 * number of rows and the cost of a lookup do not grow with the number of chunks. Synchronous.
 *
 *     id_run      one row per run: which chunks it has, and when they expire
 *     run_chunks  the chunks of a run, packed
 *
 * A run accepts chunks until it has `RUN_ENTRIES` ids, and is deleted when its chunks have expired.
 * A shard has one or two runs for each day, or more if it has more ids.
 */

import { limits } from "../../../core/limits.ts";
import { DAY_MS, parseUtcHour } from "../../../core/utc-time.ts";
import { upsert } from "../../sqlite/table.ts";
import { IdBlocks, type SlicedRun } from "./id-blocks.ts";
import type { IdKey } from "./id-key.ts";
import {
  CHUNK_BYTES,
  findPackedChunk,
  packChunks,
  type UploadedChunk,
  unpackChunks,
} from "./packed-chunks.ts";
import { type IdEntry, packEntries } from "./packed-entries.ts";

/** A run with this number of entries takes no more chunks: a slice stays below SQLite's 2 MB. */
export const RUN_ENTRIES = 65_536;
const RUN_CHUNKS = 32_768;

/** A chunk with the ids of its lines. */
export interface ChunkEntries extends UploadedChunk {
  readonly entries: readonly Omit<IdEntry, "chunk">[];
}

/** Chunks with higher numbers than `after`, from one hour to before another: `2026112117`. */
export interface ChunkRange {
  readonly after: number;
  readonly fromHour: string;
  readonly beforeHour: string;
}

export interface FoundLine extends Pick<UploadedChunk, "chunk" | "hour"> {
  readonly line: number;
}

/** A row of `id_run`. Times in ms. */
interface Run extends SlicedRun {
  readonly expiryDay: number;
  readonly chunkCount: number;
  readonly lineCount: number;
  readonly firstChunk: number;
  readonly lastChunk: number;
  /** The newest upload. */
  readonly newestMs: number;
  readonly expiresMs: number;
  /** 1 if its ids were deleted because the storage was full, otherwise 0. */
  readonly isDropped: number;
}

const RUN_COLUMNS = [
  ...["run", "expiryDay", "entryCount", "sliceBits", "chunkCount", "lineCount"],
  ...["firstChunk", "lastChunk", "newestMs", "expiresMs", "isDropped"],
] as const satisfies readonly (keyof Run)[];
const SAVE = upsert("id_run", ["run"], RUN_COLUMNS.slice(1));

export class IdRuns {
  readonly #sql: SqlStorage;
  readonly #blocks: IdBlocks;
  /** All runs, the newest first; undefined if they must be read again. */
  #cache: readonly Run[] | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#blocks = new IdBlocks(sql, limits.maxReportsPerCode);
  }

  /** Adds chunks, each to a run of its expiry day. Call it in a transaction. */
  add(chunks: readonly ChunkEntries[]): void {
    const byDay = Map.groupBy(chunks, ({ expiresAtMs }) => Math.floor(expiresAtMs / DAY_MS));
    for (const [day, ofDay] of byDay) {
      this.#addToDay(day, ofDay);
      this.#cache = undefined;
    }
  }

  #addToDay(expiryDay: number, chunks: readonly ChunkEntries[]): void {
    const open = this.#runs.find(
      (run) =>
        run.expiryDay === expiryDay &&
        run.isDropped === 0 &&
        run.entryCount < RUN_ENTRIES &&
        run.chunkCount < RUN_CHUNKS,
    );
    const lastRun = this.#runs.reduce((last, { run }) => Math.max(last, run), 0);
    const before = open ?? { run: lastRun + 1, entryCount: 0, sliceBits: 0 };
    const chunkCount = open?.chunkCount ?? 0;
    const entries = chunks.flatMap((one, n) =>
      one.entries.map((entry) => ({ ...entry, chunk: chunkCount + n })),
    );
    const sliced = this.#blocks.add(before, packEntries(entries, limits.maxReportsPerCode));
    const numbers = chunks.map(({ chunk }) => chunk);
    this.#write({
      ...sliced,
      expiryDay,
      chunkCount: chunkCount + chunks.length,
      lineCount: chunks.reduce((sum, { lineCount }) => sum + lineCount, open?.lineCount ?? 0),
      firstChunk: Math.min(open?.firstChunk ?? Number.MAX_SAFE_INTEGER, ...numbers),
      lastChunk: Math.max(open?.lastChunk ?? 0, ...numbers),
      newestMs: Math.max(open?.newestMs ?? 0, ...chunks.map(({ uploadedMs }) => uploadedMs)),
      expiresMs: Math.max(open?.expiresMs ?? 0, ...chunks.map(({ expiresAtMs }) => expiresAtMs)),
      isDropped: 0,
    });
    this.#sql.exec(
      `INSERT INTO run_chunks(run, chunks) VALUES (?1, ?2)
       ON CONFLICT DO UPDATE SET chunks = CAST(chunks || ?2 AS BLOB)`,
      sliced.run,
      packChunks(chunks).buffer,
    );
  }

  countTotals(): { readonly chunks: number; readonly lines: number } {
    const sum = (column: "chunkCount" | "lineCount") =>
      this.#runs.reduce((total, run) => total + run[column], 0);
    return { chunks: sum("chunkCount"), lines: sum("lineCount") };
  }

  /** The lowest and the highest chunk number; undefined without chunks. */
  getChunkRange(): { readonly first: number; readonly last: number } | undefined {
    const runs = this.#runs;
    if (runs.length === 0) return undefined;
    return {
      first: runs.reduce((first, run) => Math.min(first, run.firstChunk), Number.MAX_SAFE_INTEGER),
      last: runs.reduce((last, run) => Math.max(last, run.lastChunk), 0),
    };
  }

  findChunk(chunk: number): UploadedChunk | undefined {
    for (const { run, firstChunk, lastChunk } of this.#runs) {
      if (chunk < firstChunk || chunk > lastChunk) continue;
      const found = findPackedChunk(this.#readPackedChunks(run), chunk);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The chunks uploaded since `sinceMs`, in no order. */
  *listUploadedSince(sinceMs: number): Generator<UploadedChunk> {
    for (const { run, newestMs } of this.#runs) {
      if (newestMs < sinceMs) continue;
      for (const chunk of this.#readChunks(run)) if (chunk.uploadedMs >= sinceMs) yield chunk;
    }
  }

  /**
   * Unexpired chunks of a range, in no order: at least the first `count` by their numbers, or all
   * if there are fewer. Reads the runs that may have them: hours increase with the numbers.
   */
  listRange(range: ChunkRange, count: number, nowMs: number): readonly UploadedChunk[] {
    const { after, fromHour, beforeHour } = range;
    const fromMs = parseUtcHour(fromHour);
    const runs = this.#runs
      .filter(({ lastChunk, newestMs }) => lastChunk > after && newestMs >= fromMs)
      .sort((a, b) => a.firstChunk - b.firstChunk);
    const found: UploadedChunk[] = [];
    for (const { run, firstChunk } of runs) {
      const nth = found[count - 1];
      if (nth !== undefined && nth.chunk < firstChunk) break;
      const chunks = [...this.#readChunks(run)];
      if (chunks.every(({ hour }) => hour >= beforeHour)) break;
      const isInRange = ({ chunk, hour, expiresAtMs }: UploadedChunk) =>
        chunk > after && hour >= fromHour && hour < beforeHour && expiresAtMs > nowMs;
      found.push(...chunks.filter(isInRange));
      found.sort((a, b) => a.chunk - b.chunk);
    }
    return found;
  }

  /** The lines of a key, those of the newest run first. Reads one slice of each run. */
  *find(key: IdKey): Generator<FoundLine> {
    const runs = this.#runs.filter(({ isDropped }) => isDropped === 0);
    if (runs.length === 0) return;
    for (const { run, chunk: number, line } of this.#blocks.find(key, runs)) {
      const [row] = this.#sql.exec<{ chunk: ArrayBuffer }>(
        "SELECT substr(chunks, ?, ?) AS chunk FROM run_chunks WHERE run = ?",
        ...[number * CHUNK_BYTES + 1, CHUNK_BYTES, run],
      );
      for (const { chunk, hour } of unpackChunks(row?.chunk ?? new ArrayBuffer(0)))
        yield { chunk, hour, line };
    }
  }

  /** The keys in runs with uploads since `sinceMs`, with the newest upload of the run. */
  *readKeysSince(sinceMs: number): Generator<{ readonly key: IdKey; readonly uploadedMs: number }> {
    for (const { run, newestMs, isDropped } of this.#runs) {
      if (newestMs < sinceMs || isDropped === 1) continue;
      for (const key of this.#blocks.readKeys(run)) yield { key, uploadedMs: newestMs };
    }
  }

  /** Deletes at most `maxRuns` runs expired before `nowMs`. True if there may be more. */
  deleteExpired(nowMs: number, maxRuns: number): boolean {
    const expired = this.#runs.filter(({ expiresMs }) => expiresMs < nowMs).slice(-maxRuns);
    for (const { run } of expired) {
      this.#blocks.delete(run);
      this.#sql.exec("DELETE FROM run_chunks WHERE run = ?", run);
      this.#sql.exec("DELETE FROM id_run WHERE run = ?", run);
    }
    if (expired.length > 0) this.#cache = undefined;
    return expired.length === maxRuns;
  }

  /**
   * Deletes the ids of the `maxRuns` oldest runs, but keeps their chunks. False if there are none.
   */
  dropOldestIds(maxRuns: number): boolean {
    const oldest = this.#runs.filter(({ isDropped }) => isDropped === 0).slice(-maxRuns);
    for (const { run } of oldest) {
      this.#blocks.delete(run);
      this.#sql.exec("UPDATE id_run SET isDropped = 1 WHERE run = ?", run);
    }
    this.#cache = undefined;
    return oldest.length > 0;
  }

  /** The newest upload of the runs whose ids were dropped, ms; undefined if none was. */
  getDroppedMs(): number | undefined {
    return this.#runs.find(({ isDropped }) => isDropped === 1)?.newestMs;
  }

  /** Call after the rows were wiped. */
  clearCache(): void {
    this.#cache = undefined;
  }

  get #runs(): readonly Run[] {
    this.#cache ??= this.#sql
      .exec<Record<keyof Run, number>>("SELECT * FROM id_run")
      .toArray()
      .sort((a, b) => b.newestMs - a.newestMs || b.run - a.run);
    return this.#cache;
  }

  #readChunks(run: number): Generator<UploadedChunk> {
    return unpackChunks(this.#readPackedChunks(run));
  }

  #readPackedChunks(run: number): ArrayBuffer {
    const query = "SELECT chunks FROM run_chunks WHERE run = ?";
    return this.#sql.exec<{ chunks: ArrayBuffer }>(query, run).one().chunks;
  }

  #write(run: Run): void {
    this.#sql.exec(SAVE, ...RUN_COLUMNS.map((column) => run[column]));
  }
}
