/**
 * Adds reports and counters to the batch that the next commit writes. Skips ids that are stored or
 * in a batch, and samples busy issues.
 */
import { hash } from "node:crypto";
import { toOtherAnonymousSummary } from "../../core/issue/other-anonymous-reports.ts";
import type { AppendResult } from "../../core/ports/storage-ports.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { createRollupKey, ReportSampler } from "../../core/sampling/report-sampler.ts";
import { CounterBatch, type CounterDelta, getCounterTrust } from "../../core/stats/counters.ts";
import type { SeenIds } from "./dedupe/seen-ids.ts";
import type { AppendPart, LogEntry } from "./log-entries.ts";
import type { LogTable } from "./log-table.ts";
import { PendingBatch } from "./pending-batch.ts";

/** A larger batch is split, so that a nearly full chunk does not grow to many times its size. */
const MAX_BATCH_CHARS = 2 * 1024 * 1024;

/** One entry of an append: in a batch, or already stored at a position. */
interface PendingEntry {
  readonly batch?: PendingBatch;
  readonly id: ReportId;
  readonly position?: LogPosition;
  readonly isDuplicate: boolean;
  readonly isRolledUp?: boolean;
}

/** The batcher of one shard, with the batches that are not written yet. */
export class ReportBatcher {
  /** Chooses which reports keep their body. */
  readonly sampler: ReportSampler;
  readonly #seenIds: SeenIds;
  /** Ids in batches that are not written yet. */
  readonly #pendingIds = new Map<ReportId, PendingBatch>();
  /** Duplicates are counted with the next batch, because a retry alone causes no write. */
  readonly #duplicates = new CounterBatch();
  #batches: PendingBatch[] = [];

  constructor(table: LogTable, seenIds: SeenIds) {
    this.#seenIds = seenIds;
    const digestText = (text: string) => hash("sha256", text, "buffer");
    this.sampler = new ReportSampler(digestText, table.publicUsage.read());
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** True if a batch has this id. */
  has(id: ReportId): boolean {
    return this.#pendingIds.has(id);
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
      // A retry of a report in a batch is durable when the batch is durable.
      const position = known.position ?? (await batch?.written)?.get(storedId);
      if (position === undefined) throw new Error("the batch has no position for a report");
      const otherId = storedId === id ? undefined : storedId;
      results.push({ id, position, isDuplicate, storedId: otherId, isRolledUp });
    }
    for (const { written } of counterBatches) await written;
    return results;
  }

  /** Resolves when the duplicates counted so far are written. */
  async appendDuplicateCounts(): Promise<void> {
    if (this.#duplicates.isEmpty) return;
    for (const { written } of this.#addCounters([], 0)) await written;
  }

  /** Removes all batches; the caller writes them. */
  take(): readonly PendingBatch[] {
    return this.#batches.splice(0);
  }

  /** Removes the counted duplicates; the caller writes them. */
  drainDuplicates(): ReturnType<CounterBatch["drain"]> {
    return this.#duplicates.drain();
  }

  /** Removes the ids of a batch that is written or failed. */
  onWritten(batch: PendingBatch): void {
    for (const id of batch.ids) this.#pendingIds.delete(id);
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
      return { id, position, batch, isDuplicate: true };
    }
    const batch = this.#getBatch();
    const isNew = this.sampler.isNew(entry.summary, nowMs);
    let rollupKey: string | undefined;
    const added = {
      bodyChars: entry.line.length,
      hasRollup: (key: string) => batch.hasRollup(key),
      getRollupKey: () => (rollupKey ??= createRollupKey(entry.summary)),
    };
    const decision = this.sampler.decide(entry.summary, added, nowMs);
    if (decision === "body") batch.add(entry, isNew);
    else if (decision === "issue") batch.rollUp(entry.id, entry.summary, rollupKey);
    // The time is the log's: with the sender's, each hour would have a separate rollup.
    else batch.rollUp(entry.id, toOtherAnonymousSummary({ ...entry.summary, atMs: nowMs }));
    this.#pendingIds.set(entry.id, batch);
    const isRolledUp = decision !== "body";
    if (isRolledUp && !this.sampler.takeId(entry.summary.trust, nowMs)) batch.leaveOutId(entry.id);
    return { batch, id: entry.id, isDuplicate: false, ...(isRolledUp && { isRolledUp }) };
  }

  /** Adds counters to the batch. Returns the batches to wait for. */
  #addCounters(counters: readonly CounterDelta[], nowMs: number): readonly PendingBatch[] {
    const batches = new Set<PendingBatch>();
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
      // An id counts once, even if it is twice in one call.
      if (dedupeId !== undefined && this.#pendingIds.has(dedupeId)) continue;
      batch.addCounter(counter);
      if (dedupeId === undefined) continue;
      this.#pendingIds.set(dedupeId, batch);
      if (!this.sampler.takeId(getCounterTrust(name), nowMs)) batch.leaveOutId(dedupeId);
    }
    return [...batches, batch];
  }

  /** Everything that arrives before `commit` shares one batch, which is one durable write. */
  #getBatch(): PendingBatch {
    const last = this.#batches.at(-1);
    if (last !== undefined && last.chars < MAX_BATCH_CHARS) return last;
    const batch = new PendingBatch();
    this.#batches.push(batch);
    return batch;
  }
}
