/** Writes one shard's log: each batch, and each part of an import, as one row of the open chunk. */

import type { ImportLine } from "../../core/ports/storage-ports.ts";
import type { ReportId } from "../../core/report.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import type { SeenIds } from "./dedupe/seen-ids.ts";
import { type SequencedItem, toSequencedItems } from "./log-entries.ts";
import type { LogTable } from "./log-table.ts";
import { OpenChunk } from "./open-chunk.ts";
import type { PendingBatch } from "./pending-batch.ts";
import { PublicRowBudget } from "./public-row-budget.ts";
import type { ReportBatcher } from "./report-batcher.ts";

/** The result of `commit`. */
export interface CommitResult {
  /** The items for the index, in the order of the rows; empty if nothing was written. */
  readonly items: readonly SequencedItem[];
  /** True when the chunk was full: it takes no more lines and can be uploaded. */
  readonly hasClosedChunk: boolean;
  /** False if a batch could not be written: its appends reject. */
  readonly isWritten: boolean;
}

/** The writer of one shard. */
export class LogWriter {
  readonly #shard: string;
  readonly #table: LogTable;
  readonly #seenIds: SeenIds;
  readonly #batcher: ReportBatcher;
  readonly #publicRows: PublicRowBudget;
  #chunk: OpenChunk;

  constructor(
    shard: string,
    table: LogTable,
    seenIds: SeenIds,
    batcher: ReportBatcher,
    publicRows = new PublicRowBudget(1),
  ) {
    this.#shard = shard;
    this.#publicRows = publicRows;
    this.#table = table;
    this.#seenIds = seenIds;
    this.#batcher = batcher;
    const open = table.localChunks.readOpen();
    this.#chunk = new OpenChunk(open?.chunk ?? table.getLastChunk() + 1, open);
  }

  /** The chunk that takes lines. */
  get openChunkNumber(): number {
    return this.#chunk.number;
  }

  /** Writes every batch as one row. `canUpload`: the write budget allows a write to KV. */
  commit(nowMs: number, canUpload: boolean): CommitResult {
    let hasClosedChunk = false;
    let isWritten = true;
    const items = this.#batcher.take().flatMap((batch) => {
      const written = this.#writeBatch(batch, nowMs);
      if (written === null) isWritten = false;
      if (written !== null && written.length > 0 && this.#closeIfFull(canUpload))
        hasClosedChunk = true;
      return written ?? [];
    });
    return { items, hasClosedChunk, isWritten };
  }

  /** Writes those exported lines whose ids are all unknown. Each report keeps its body. */
  importLines(
    imported: readonly ImportLine[],
    nowMs: number,
    canUpload: boolean,
  ): Omit<CommitResult, "isWritten"> & { readonly lineCount: number } {
    const unseen = this.#filterUnseen(imported);
    if (unseen.length === 0) return { items: [], hasClosedChunk: false, lineCount: 0 };
    const open = this.#chunk.startAt(nowMs);
    const { number: chunk, hour, lineCount: firstLine } = open;
    const lines = unseen.map(({ line }) => line);
    const extraIds = unseen.flatMap(({ line, ids }, i) =>
      parseStoredReport(line) === null ? ids.map((id) => ({ id, line: firstLine + i })) : [],
    );
    const seqs = this.#table.insert({ chunk, hour, lines, extraIds, firstLine, isImported: true });
    open.add(lines, extraIds.length);
    const items = unseen.flatMap(({ line, ids }, i) => {
      const place = { chunk, hour, shard: this.#shard, line: firstLine + i };
      for (const id of ids) this.#seenIds.add(id, formatPosition(place), nowMs);
      const row = { seq: seqs[i] ?? 0, chunk, hour, firstLine: firstLine + i, lines: [line] };
      return [...toSequencedItems({ ...row, isImported: true }, this.#shard)];
    });
    return { items, hasClosedChunk: this.#closeIfFull(canUpload), lineCount: lines.length };
  }

  /**
   * Closes the open chunk, unless it is empty. It takes no more lines, also after a restart,
   * because a repeated upload must have the same bytes.
   */
  closeChunk(): void {
    if (this.#chunk.lineCount === 0) return;
    this.#table.localChunks.close(this.#chunk.number);
    this.#chunk = new OpenChunk(this.#chunk.number + 1);
  }

  /** Closes the open chunk if it was begun before a UTC day (`20261121`). */
  closeChunkBefore(day: string): void {
    if (this.#chunk.hour < day) this.closeChunk();
  }

  /** Opens a chunk after the last one of the table, if the open one is empty. */
  skipUsedChunks(): void {
    const lastChunk = this.#table.getLastChunk();
    if (this.#chunk.number <= lastChunk && this.#chunk.lineCount === 0)
      this.#chunk = new OpenChunk(lastChunk + 1);
  }

  /** Opens a chunk after the last one of the table, which was wiped. */
  reset(): void {
    this.#chunk = new OpenChunk(this.#table.getLastChunk() + 1);
  }

  /**
   * Writes one batch, and resolves or rejects its promise. Returns the items for the index; null if
   * the write fails.
   */
  #writeBatch(batch: PendingBatch, nowMs: number): readonly SequencedItem[] | null {
    try {
      const open = this.#chunk.startAt(nowMs);
      const { number: chunk, hour, lineCount: firstLine } = open;
      batch.counters.addAll(this.#batcher.drainDuplicates());
      const daily = { day: toUtcDay(nowMs), atMs: nowMs, counters: batch.counters.drain() };
      const first = { hour, shard: this.#shard, chunk, line: firstLine };
      const { lines, items, extraIds, positions, unstoredIds } = batch.serialize(first, daily);
      const { sampler } = this.#batcher;
      const { isPublic } = batch;
      const isDue = !isPublic || this.#publicRows.isUsageDue(nowMs);
      const publicUsage = isDue ? sampler.unsavedUsage : undefined;
      const rows = { chunk, hour, lines, extraIds, firstLine };
      const seqs = this.#table.insert({ ...rows, publicUsage });
      if (publicUsage !== undefined) sampler.markSaved(publicUsage);
      if (isPublic) this.#publicRows.add(new Set(seqs).size, publicUsage !== undefined, nowMs);
      open.add(lines, extraIds.length);
      for (const [id, position] of positions) {
        if (unstoredIds.has(id)) this.#seenIds.addUnstored(id, position, nowMs);
        else this.#seenIds.add(id, position, nowMs);
      }
      batch.resolve(positions);
      return items.map((item, i) => ({ seq: seqs[i] ?? 0, ...item }));
    } catch (error) {
      batch.reject(error instanceof Error ? error : new Error(String(error)));
      return null;
    } finally {
      this.#batcher.onWritten(batch);
    }
  }

  #closeIfFull(canUpload: boolean): boolean {
    const isFull = this.#chunk.isFull(canUpload);
    if (isFull) this.closeChunk();
    return isFull;
  }

  /** The lines whose ids are all unknown, each once. */
  #filterUnseen(lines: readonly ImportLine[]): readonly ImportLine[] {
    const seen = new Set<ReportId>();
    const isKnown = (id: ReportId) => this.#seenIds.getOfAnyAge(id) !== undefined;
    // A line that was imported before is recognized by one of its thousands of ids.
    const repeated = new Set(lines.filter(({ ids: [id, other] }) => id && other && isKnown(id)));
    const ids = lines.flatMap((line) => (repeated.has(line) ? [] : line.ids));
    const stored = this.#seenIds.findAllOfAnyAge(ids);
    return lines.filter((line) => {
      const isUnseen =
        !repeated.has(line) &&
        !line.ids.some((id) => seen.has(id) || this.#batcher.has(id) || stored.has(id));
      for (const id of line.ids) seen.add(id);
      return isUnseen;
    });
  }
}
