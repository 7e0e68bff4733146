/**
 * Writes one shard's log: skips known ids, samples busy issues, and collects what arrives in one
 * turn of the event loop into a batch, which `commit` writes as one row.
 */
import { hash } from "node:crypto";
import { toUtcDay } from "../../core/issue/aggregate-report.ts";
import { toOtherAnonymous } from "../../core/issue/other-anonymous-reports.ts";
import { createRollupKey, ReportSampler } from "../../core/issue/sampling.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { AppendResult, ImportLine } from "../../core/ports/storage-ports.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { CounterBatch, type CounterDelta, getCounterTrust } from "../../core/stats/counters.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import type { SequencedItem } from "../rpc/index-rpc.ts";
import { toSequencedItems } from "../rpc/log-entries.ts";
import type { AppendPart, LogEntry } from "../rpc/log-rpc.ts";
import type { LogTable } from "./log-table.ts";
import { OpenChunk } from "./open-chunk.ts";
import type { SeenIds } from "./seen-ids.ts";
import { WriteBatch } from "./write-batch.ts";

/** A larger batch is split, so that a full chunk does not grow by many times its size at once. */
const MAX_BATCH_CHARS = 2 * 1024 * 1024;

/** What `commit` wrote. */
export interface CommitResult {
  /** For the index, in the order of the rows; empty if nothing was written. */
  readonly items: readonly SequencedItem[];
  /** True when the chunk was full: it takes no more lines and can be uploaded. */
  readonly hasClosedChunk: boolean;
}

/** One entry of an append: in a batch, or stored already at a position. */
interface PendingEntry {
  readonly batch?: WriteBatch;
  readonly id: ReportId;
  readonly position?: LogPosition;
  readonly isDuplicate: boolean;
  readonly isRolledUp?: boolean;
}

/** The writer of one shard. */
export class LogWriter {
  readonly #shard: string;
  readonly #table: LogTable;
  readonly #seenIds: SeenIds;
  readonly #sampler: ReportSampler;
  /** Ids in batches that are not written yet. */
  readonly #pendingIds = new Map<ReportId, WriteBatch>();
  /** Duplicates, counted with the next batch: a retry alone does not cause a write. */
  readonly #duplicates = new CounterBatch();
  #batches: WriteBatch[] = [];
  #chunk: OpenChunk;

  constructor(shard: string, table: LogTable, seenIds: SeenIds) {
    this.#shard = shard;
    this.#table = table;
    this.#seenIds = seenIds;
    this.#sampler = new ReportSampler(
      (text) => hash("sha256", text, "buffer"),
      table.publicUsage.read(),
    );
    const open = table.readOpenChunk();
    this.#chunk = new OpenChunk(open?.chunk ?? table.getLastChunk() + 1, open);
  }

  /** The chunk that takes lines. */
  get openChunkNumber(): number {
    return this.#chunk.number;
  }

  get hasBatches(): boolean {
    return this.#batches.length > 0;
  }

  /**
   * Adds reports and counters to the batch. Resolves when they are written, with one result per
   * entry; rejects if the write failed. With `ifNew`, the counters count only if an entry is new.
   */
  async append(
    { entries, counters, ifNew }: AppendPart,
    nowMs: number,
  ): Promise<readonly AppendResult[]> {
    const pending = entries.map((entry) => this.#addEntry(entry, nowMs));
    const isCounted =
      counters.length > 0 && (!ifNew || pending.some(({ isDuplicate }) => !isDuplicate));
    const counterBatches = isCounted ? this.#addCounters(counters, nowMs) : [];
    const results: AppendResult[] = [];
    for (const [
      i,
      { batch, id: storedId, isDuplicate, isRolledUp, ...known },
    ] of pending.entries()) {
      const id = entries[i]?.id ?? "";
      // A retry of a report in a batch is durable when the batch is.
      const position = known.position ?? (await batch?.written)?.get(storedId);
      if (position === undefined) throw new Error("the batch has no position for a report");
      const otherId = storedId === id ? undefined : storedId;
      results.push({
        id,
        position,
        isDuplicate,
        ...omitUndefined({ storedId: otherId, isRolledUp }),
      });
    }
    for (const { written } of counterBatches) await written;
    return results;
  }

  /** Resolves when the duplicates counted so far are written. */
  async appendDuplicateCounts(): Promise<void> {
    if (this.#duplicates.isEmpty) return;
    for (const { written } of this.#addCounters([], 0)) await written;
  }

  /** Writes every batch as one row. `canUpload`: the write budget allows a write to KV now. */
  commit(nowMs: number, canUpload: boolean): CommitResult {
    let hasClosedChunk = false;
    const items = this.#batches.splice(0).flatMap((batch) => {
      const written = this.#writeBatch(batch, nowMs);
      if (written.length > 0 && this.#closeIfFull(canUpload)) hasClosedChunk = true;
      return written;
    });
    return { items, hasClosedChunk };
  }

  /** Writes exported lines of which no id is known. Each report keeps its body. */
  importLines(
    imported: readonly ImportLine[],
    nowMs: number,
    canUpload: boolean,
  ): CommitResult & { readonly lineCount: number } {
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
   * Closes the open chunk, unless it is empty. It takes no more lines, also after a restart: an
   * upload that is repeated must have the same bytes.
   */
  closeChunk(): void {
    if (this.#chunk.lineCount === 0) return;
    this.#table.localChunks.close(this.#chunk.number);
    this.#chunk = new OpenChunk(this.#chunk.number + 1);
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

  /** Adds a report to the batch, unless its id is stored or in a batch already. */
  #addEntry(entry: LogEntry, nowMs: number): PendingEntry {
    for (const id of [entry.id, entry.retryId ?? entry.id]) {
      const position = this.#seenIds.get(id);
      const batch = this.#pendingIds.get(id);
      if (position === undefined && batch === undefined) continue;
      this.#duplicates.add(["duplicate", entry.summary.kind]);
      if (entry.fileCount !== undefined)
        this.#duplicates.add(["duplicate", "attachment"], entry.fileCount);
      return { id, ...omitUndefined({ position, batch }), isDuplicate: true };
    }
    const batch = this.#getBatch();
    const isNew = this.#sampler.isNew(entry.summary, nowMs);
    let rollupKey: string | undefined;
    const added = {
      bodyChars: entry.line.length,
      hasRollup: (key: string) => batch.hasRollup(key),
      getRollupKey: () => (rollupKey ??= createRollupKey(entry.summary)),
    };
    const decision = this.#sampler.decide(entry.summary, added, nowMs);
    if (decision === "body") batch.add(entry, isNew);
    else if (decision === "issue") batch.rollUp(entry.id, entry.summary, rollupKey);
    else batch.rollUp(entry.id, toOther(entry, nowMs));
    this.#pendingIds.set(entry.id, batch);
    const isRolledUp = decision !== "body";
    if (isRolledUp && !this.#sampler.takeId(entry.summary.trust, nowMs)) batch.leaveOutId(entry.id);
    return { batch, id: entry.id, isDuplicate: false, ...(isRolledUp && { isRolledUp }) };
  }

  /** Adds counters to the batch. Returns the batches that must be written until all are counted. */
  #addCounters(counters: readonly CounterDelta[], nowMs: number): readonly WriteBatch[] {
    const batches = new Set<WriteBatch>();
    const unseen = counters.filter(([, , dedupeId]) => {
      const pendingBatch = dedupeId === undefined ? undefined : this.#pendingIds.get(dedupeId);
      if (pendingBatch !== undefined) batches.add(pendingBatch);
      return (
        dedupeId === undefined ||
        (pendingBatch === undefined && this.#seenIds.get(dedupeId) === undefined)
      );
    });
    if (unseen.length === 0 && counters.length > 0) return [...batches];
    const batch = this.#getBatch();
    for (const counter of unseen) {
      const [name, , dedupeId] = counter;
      // The same id twice in one call counts once.
      if (dedupeId !== undefined && this.#pendingIds.has(dedupeId)) continue;
      batch.addCounter(counter);
      if (dedupeId === undefined) continue;
      this.#pendingIds.set(dedupeId, batch);
      if (!this.#sampler.takeId(getCounterTrust(name), nowMs)) batch.leaveOutId(dedupeId);
    }
    return [...batches, batch];
  }

  /** Everything that arrives before `commit` shares one batch: one durable write. */
  #getBatch(): WriteBatch {
    const last = this.#batches.at(-1);
    if (last !== undefined && last.chars < MAX_BATCH_CHARS) return last;
    const batch = new WriteBatch();
    this.#batches.push(batch);
    return batch;
  }

  /**
   * Writes one batch, and resolves or rejects its promise. Returns nothing for the index if the
   * write fails.
   */
  #writeBatch(batch: WriteBatch, nowMs: number): readonly SequencedItem[] {
    try {
      const open = this.#chunk.startAt(nowMs);
      const { number: chunk, hour, lineCount: firstLine } = open;
      batch.counters.addAll(this.#duplicates.drain());
      const daily = { day: toUtcDay(nowMs), atMs: nowMs, counters: batch.counters.drain() };
      const first = { hour, shard: this.#shard, chunk, line: firstLine };
      const { lines, items, extraIds, positions, unstoredIds } = batch.serialize(first, daily);
      const publicUsage = this.#sampler.unsavedUsage;
      const rows = { chunk, hour, lines, extraIds, firstLine };
      const seqs = this.#table.insert({ ...rows, ...omitUndefined({ publicUsage }) });
      if (publicUsage !== undefined) this.#sampler.markSaved(publicUsage);
      open.add(lines, extraIds.length);
      for (const [id, position] of positions) {
        if (unstoredIds.has(id)) this.#seenIds.addUnstored(id, position, nowMs);
        else this.#seenIds.add(id, position, nowMs);
      }
      batch.resolve(positions);
      return items.map((item, i) => ({ seq: seqs[i] ?? 0, ...item }));
    } catch (error) {
      batch.reject(error instanceof Error ? error : new Error(String(error)));
      return [];
    } finally {
      for (const id of batch.ids) this.#pendingIds.delete(id);
    }
  }

  #closeIfFull(canUpload: boolean): boolean {
    const isFull = this.#chunk.isFull(canUpload);
    if (isFull) this.closeChunk();
    return isFull;
  }

  /** Lines of which no id is known. A line that occurs twice is kept once. */
  #filterUnseen(lines: readonly ImportLine[]): readonly ImportLine[] {
    const seen = new Set<ReportId>();
    const isKnown = (id: ReportId) =>
      seen.has(id) || this.#pendingIds.has(id) || this.#seenIds.getOfAnyAge(id) !== undefined;
    return lines.filter(({ ids }) => {
      const isUnseen = !ids.some(isKnown);
      for (const id of ids) seen.add(id);
      return isUnseen;
    });
  }
}

/** Its time is that of the log: the sender's would make a rollup of its own for each hour. */
function toOther({ summary }: LogEntry, atMs: number): LogEntry["summary"] {
  return toOtherAnonymous({ ...summary, atMs });
}
