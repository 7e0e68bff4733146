/**
 * The intake of one shard: what comes in becomes rows. Everything that arrives within a turn is one commit, written once; whoever
 * sent it is answered when it is durable. An id that is known, or on its way, is not written again.
 */
import { toUtcDay } from "../../core/issue/aggregate-report.ts";
import { ReportSampler } from "../../core/issue/sampling.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { AppendResult, ImportLine } from "../../core/ports/storage-ports.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { CounterBatch, type CounterDelta } from "../../core/stats/counters.ts";
import { formatPosition } from "../kv/keys.ts";
import { parseStoredReport } from "../kv/stored-json.ts";
import { toSequencedItems } from "../rpc/log-entries.ts";
import type { LogEntry, SequencedItem } from "../rpc/rpc.ts";
import type { LogTable } from "./log-table.ts";
import { OpenChunk } from "./open-chunk.ts";
import { SeenIds } from "./seen-ids.ts";
import { WriteBatch } from "./write-batch.ts";

/** What is committed together: a chunk that is full must not become many times as large at once. */
const MAX_BATCH_CHARS = 2 * 1024 * 1024;

/** What one shard takes in with. */
export interface LogWriterDeps {
  readonly shard: string;
  readonly table: LogTable;
  readonly nowMs: () => number;
  /** True when a closed chunk could be copied now. */
  readonly canUpload: () => boolean;
  /** Is told what the index must be told. */
  readonly enqueue: (item: SequencedItem) => void;
  /** Is told that something was written, and whether it closed a chunk. */
  readonly onWritten: (closed: boolean) => void;
}

/** What became of one entry: it is in a commit, or its place is known already. */
interface PendingEntry {
  readonly batch?: WriteBatch;
  readonly id: ReportId;
  readonly position?: LogPosition;
  readonly isDuplicate: boolean;
  readonly isRolledUp?: boolean;
}

/** The intake of one shard. */
export class LogWriter {
  readonly #deps: LogWriterDeps;
  readonly #sampling = new ReportSampler();
  /** Ids that a commit is under way for. */
  readonly #pendingIds = new Map<ReportId, WriteBatch>();
  /** Counted with the next commit: a retry alone is no reason to write. */
  readonly #duplicates = new CounterBatch();
  #batch: WriteBatch | null = null;
  #seenIds: SeenIds;
  #chunk: OpenChunk;

  constructor(deps: LogWriterDeps) {
    this.#deps = deps;
    // A restart always opens a new chunk: one that was being put is only ever put again with the same bytes.
    this.#chunk = new OpenChunk(deps.table.getLastChunk() + 1);
    this.#seenIds = new SeenIds(deps.table, deps.shard, deps.nowMs());
  }

  /** The ids that are known. */
  get seenIds(): SeenIds {
    return this.#seenIds;
  }

  /** The chunk that takes lines; those before it take no more. */
  get openChunkNumber(): number {
    return this.#chunk.number;
  }

  /**
   * Resolves when everything is durable, with one answer an entry; rejects when it could not be written. With `ifNew` the tallies
   * count only if one of the entries is new: two who bring the same count it once.
   */
  async append(
    entries: readonly LogEntry[],
    counters: readonly CounterDelta[],
    ifNew = false,
  ): Promise<readonly AppendResult[]> {
    const pending = entries.map((entry) => this.#addEntry(entry));
    const counts =
      counters.length > 0 && (!ifNew || pending.some(({ isDuplicate }) => !isDuplicate));
    const counterBatches = counts ? this.#addCounters(counters) : [];
    const answers: AppendResult[] = [];
    for (const [
      i,
      { batch, id: pendingId, position: knownPosition, isDuplicate, isRolledUp },
    ] of pending.entries()) {
      const id = entries[i]?.id ?? "";
      // A retry whose first copy is still on its way is durable when that copy is.
      const position = knownPosition ?? (await batch?.written)?.get(pendingId);
      if (position === undefined) throw new Error("the log lost track of a report");
      const storedId = pendingId === id ? undefined : pendingId;
      answers.push({ id, position, isDuplicate, ...omitUndefined({ storedId, isRolledUp }) });
    }
    for (const { written } of counterBatches) await written;
    return answers;
  }

  /** Writes lines of an export, those of which no id is known; gives how many. None is counted without its body here. */
  importLines(imported: readonly ImportLine[]): number {
    const { table, shard, nowMs, enqueue } = this.#deps;
    const unseen = this.#filterUnseen(imported);
    if (unseen.length === 0) return 0;
    const open = this.#chunk.startAt(nowMs());
    const { number, hour, lineCount: firstLine } = open;
    const lines = unseen.map(({ line }) => line);
    const extraIds = unseen.flatMap(({ line, ids }, i) =>
      parseStoredReport(line) === null ? ids.map((id) => ({ id, line: firstLine + i })) : [],
    );
    const seqs = table.insert({ chunk: number, hour, lines, extraIds });
    open.add(lines, extraIds.length);
    for (const [i, { line, ids }] of unseen.entries()) {
      const place = { chunk: number, hour, shard, line: firstLine + i };
      const row = {
        seq: seqs[i] ?? 0,
        chunk: number,
        hour,
        firstLine: place.line,
        lines: [line],
        extraIds: [],
      };
      for (const item of toSequencedItems(row, shard)) enqueue(item);
      for (const id of ids) this.#seenIds.add(id, formatPosition(place), nowMs());
    }
    this.#afterWrite();
    return unseen.length;
  }

  /** Resolves when the retries that were counted meanwhile are written. */
  async flush(): Promise<void> {
    if (this.#duplicates.isEmpty) return;
    for (const { written } of this.#addCounters([])) await written;
  }

  /** From here on the open chunk takes no more lines, if it has any, and may be copied. */
  closeChunk(): void {
    if (this.#chunk.lineCount > 0) this.#chunk = new OpenChunk(this.#chunk.number + 1);
  }

  /** Goes on behind the last chunk that the table knows of. */
  skipUsedChunks(): void {
    const lastChunk = this.#deps.table.getLastChunk();
    if (this.#chunk.number <= lastChunk && this.#chunk.lineCount === 0)
      this.#chunk = new OpenChunk(lastChunk + 1);
  }

  /** Begins anew, with what the table holds now. */
  reset(): void {
    const { table, shard, nowMs } = this.#deps;
    this.#seenIds = new SeenIds(table, shard, nowMs());
    this.#chunk = new OpenChunk(table.getLastChunk() + 1);
  }

  /** Puts a report into the next commit, unless it is known or on its way already. */
  #addEntry(entry: LogEntry): PendingEntry {
    for (const id of [entry.id, entry.retryId ?? entry.id]) {
      const knownPosition = this.#seenIds.get(id);
      const batch = this.#pendingIds.get(id);
      if (knownPosition === undefined && batch === undefined) continue;
      this.#duplicates.add(["duplicate", entry.summary.kind]);
      if (entry.fileCount !== undefined)
        this.#duplicates.add(["duplicate", "attachment"], entry.fileCount);
      return { id, ...omitUndefined({ position: knownPosition, batch }), isDuplicate: true };
    }
    const batch = this.#getBatch();
    const nowMs = this.#deps.nowMs();
    const isNew = this.#sampling.isNew(entry.summary, nowMs);
    const keepsBody = this.#sampling.shouldStore(entry.summary, nowMs);
    if (keepsBody) batch.add(entry, isNew);
    else batch.rollUp(entry);
    this.#pendingIds.set(entry.id, batch);
    return { batch, id: entry.id, isDuplicate: false, ...(!keepsBody && { isRolledUp: true }) };
  }

  /** Puts tallies into the next commit; gives what has to be written until all of them are counted. */
  #addCounters(counters: readonly CounterDelta[]): readonly WriteBatch[] {
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
      const [, , dedupeId] = counter;
      // The same twice in one call counts once, too.
      if (dedupeId !== undefined && this.#pendingIds.has(dedupeId)) continue;
      batch.addCounter(counter);
      if (dedupeId !== undefined) this.#pendingIds.set(dedupeId, batch);
    }
    return [...batches, batch];
  }

  #hasSeen(id: ReportId): boolean {
    return this.#pendingIds.has(id) || this.#seenIds.get(id) !== undefined;
  }

  /** Everything that arrives before the timer fires becomes one row: one durable write for all. */
  #getBatch(): WriteBatch {
    if (this.#batch !== null && this.#batch.chars < MAX_BATCH_CHARS) return this.#batch;
    const batch = new WriteBatch();
    setTimeout(() => this.#writeBatch(batch), 0);
    this.#batch = batch;
    return batch;
  }

  #writeBatch(batch: WriteBatch): void {
    if (this.#batch === batch) this.#batch = null;
    try {
      const { table, shard, enqueue } = this.#deps;
      const nowMs = this.#deps.nowMs();
      const open = this.#chunk.startAt(nowMs);
      batch.counters.addAll(this.#duplicates.drain());
      const dailyCounters = { day: toUtcDay(nowMs), counters: batch.counters.drain() };
      const first = { hour: open.hour, shard, chunk: open.number, line: open.lineCount };
      const { lines, summaries, counters, extraIds, positions } = batch.serialize(
        first,
        dailyCounters,
      );
      const seqs = table.insert({ chunk: open.number, hour: open.hour, lines, extraIds });
      open.add(lines, extraIds.length);
      for (const [i, summary] of summaries.entries()) enqueue({ seq: seqs[i] ?? 0, ...summary });
      for (const [i, dailyCounters] of counters.entries()) {
        enqueue({ seq: seqs[summaries.length + i] ?? 0, dailyCounters });
      }
      for (const [id, position] of positions) this.#seenIds.add(id, position, nowMs);
      batch.settle(positions);
      this.#afterWrite();
    } catch (error) {
      batch.settle(error instanceof Error ? error : new Error(String(error)));
    } finally {
      for (const id of batch.ids) this.#pendingIds.delete(id);
    }
  }

  #afterWrite(): void {
    const isFull = this.#chunk.isFull(this.#deps.canUpload());
    if (isFull) this.closeChunk();
    this.#deps.onWritten(isFull);
  }

  /** Lines of which no id is known; a line that comes twice counts once. */
  #filterUnseen(lines: readonly ImportLine[]): readonly ImportLine[] {
    const seen = new Set<ReportId>();
    return lines.filter(({ ids }) => {
      const isKnown = ids.some((id) => seen.has(id) || this.#hasSeen(id));
      for (const id of ids) seen.add(id);
      return !isKnown;
    });
  }
}
