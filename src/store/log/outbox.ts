/**
 * Sends the rows of one log to the index, in order, until the index has applied them. The index
 * applies each row once, even if it is sent again. Under load it stores applied rows later. If it
 * restarts before that, the outbox sends these rows again.
 */

import { limits } from "../../core/limits.ts";
import { withTimeout } from "../with-timeout.ts";
import { yieldToRequests } from "../yield-to-requests.ts";
import type { ApplyResult, SequencedItem } from "./log-entries.ts";

/** The interval of calls under load: the index applies a large batch at lower cost. */
const SEND_INTERVAL_MS = 400;
const MAX_BATCH_ITEMS = 500;
/** An RPC is limited to 32 MiB, and a character can be three bytes. */
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
/** The assumed size of a summary with its search text: about twice the largest possible one. */
const MAX_SUMMARY_CHARS = 9_000;
/** The maximum size of a counter; see `limits.maxCounterPartChars`. */
const MAX_COUNTER_CHARS = 450;
/**
 * The maximum number of items in memory, about 10 MB. Further items are read from the log after
 * these are sent.
 */
const MAX_BUFFERED_ITEMS = 4_000;
const APPLY_TIMEOUT_MS = 10_000;

/** The log that an outbox reads from; `LogTable` implements it. */
export interface OutboxLog {
  /** The last row that the index has stored. */
  readonly storedSeq: number;
  /** The rows after `seq`, in order. */
  readItemsAfter(seq: number): Iterable<SequencedItem>;
  setStoredSeq(seq: number): void;
}

export class IndexOutbox {
  readonly #deps;
  #items: SequencedItem[] = [];
  /** True while the log has more unapplied items than `#items`. */
  #hasMore = false;
  /** Increases with `clear`, so that results of earlier calls are ignored. */
  #epoch = 0;
  /** The last row that the index has applied, and which index that was. */
  #appliedSeq = 0;
  #startId: string | undefined;
  #sending: Promise<void> | null = null;
  #pacedSend: Promise<void> | null = null;
  #sentMs = 0;

  constructor(deps: {
    readonly log: OutboxLog;
    /** Sends items to the index. `startId`: see `ProjectIndex.applyRows`. */
    readonly apply: (items: readonly SequencedItem[], startId?: string) => Promise<ApplyResult>;
    readonly retention: { addCommonIssues(digests: ApplyResult["commonIssues"]): void };
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** True when the index has applied everything. */
  get isEmpty(): boolean {
    return this.#items.length === 0 && !this.#hasMore;
  }

  /** Adds an item that the log has stored. */
  enqueue(item: SequencedItem): void {
    if (!this.#hasMore) this.#buffer(item);
  }

  /** Reads unapplied items from the log, up to `MAX_BUFFERED_ITEMS`. */
  reload(): void {
    const { log } = this.#deps;
    this.#items = [];
    this.#hasMore = false;
    for (const item of log.readItemsAfter(Math.max(this.#appliedSeq, log.storedSeq))) {
      this.#buffer(item);
      if (this.#hasMore) return;
    }
  }

  /** Buffers whole rows only: the index would ignore a later part of a row as a repetition. */
  #buffer(item: SequencedItem): void {
    this.#hasMore =
      this.#items.length >= MAX_BUFFERED_ITEMS && item.seq !== this.#items.at(-1)?.seq;
    if (!this.#hasMore) this.#items.push(item);
  }

  /** Removes all items and the state of the index. */
  clear(): void {
    this.#items = [];
    this.#hasMore = false;
    this.#epoch += 1;
    this.#forgetApplied();
  }

  #forgetApplied(): void {
    this.#appliedSeq = 0;
    this.#startId = undefined;
  }

  /**
   * Resolves when the index has applied the current items; rejects if it does not. With the
   * `startId` of the index, it also resends rows that the index lost in a restart.
   */
  async flush(startId = this.#startId): Promise<void> {
    if (this.#startId !== undefined && startId !== this.#startId) {
      this.#forgetApplied();
      this.reload();
    }
    while (this.#hasMore) await this.send();
    const last = this.#getLastSeq();
    while (this.#getFirstSeq() <= last) await this.send();
  }

  /** Sends the current items. Concurrent callers share one send. */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  /** Sends the current items, and asks the index to store all applied rows. */
  async sendAndStore(): Promise<void> {
    await this.send();
    if (this.#appliedSeq <= this.#deps.log.storedSeq || this.#sending !== null) return;
    this.#sending = this.#apply([]).finally(() => {
      this.#sending = null;
    });
    await this.#sending;
    await this.send();
  }

  /** Sends until the outbox is empty: immediately, then at most every `SEND_INTERVAL_MS`. */
  async sendPaced(): Promise<void> {
    this.#pacedSend ??= this.#sendWhenDue().finally(() => {
      this.#pacedSend = null;
    });
    await this.#pacedSend;
  }

  async #sendWhenDue(): Promise<void> {
    while (!this.isEmpty) {
      // The clock can be set back by hours.
      const waitMs = SEND_INTERVAL_MS - Math.max(0, this.#deps.nowMs() - this.#sentMs);
      if (waitMs > 0) await scheduler.wait(waitMs);
      await this.send();
    }
  }

  async #sendAll(): Promise<void> {
    let last = this.#getLastSeq();
    while (this.#getFirstSeq() <= last) {
      this.#sentMs = this.#deps.nowMs();
      const batch = this.#items.slice(0, this.#countBatchItems());
      const hasMore = this.#hasMore;
      await this.#apply(batch);
      if (hasMore) last = this.#getLastSeq();
      if (this.#getFirstSeq() <= last) await yieldToRequests();
    }
  }

  async #apply(batch: readonly SequencedItem[]): Promise<void> {
    const { log, apply, retention } = this.#deps;
    const [epoch, startId] = [this.#epoch, this.#startId];
    const applied = await withTimeout(apply(batch, startId), APPLY_TIMEOUT_MS);
    if (epoch !== this.#epoch) return;
    log.setStoredSeq(applied.storedSeq);
    retention.addCommonIssues(applied.commonIssues);
    this.#startId = applied.startId;
    const hasRestarted = startId !== undefined && startId !== applied.startId;
    // In this case the index has applied nothing.
    this.#appliedSeq = hasRestarted ? 0 : applied.seq;
    this.#items = this.#items.filter(({ seq }) => seq > applied.seq);
    if (hasRestarted || (this.#items.length === 0 && this.#hasMore)) this.reload();
  }

  #getFirstSeq(): number {
    return this.#items[0]?.seq ?? Number.POSITIVE_INFINITY;
  }

  #getLastSeq(): number {
    return this.#items.at(-1)?.seq ?? 0;
  }

  /** The number of items of the next batch. Takes whole rows only (see `#buffer`). */
  #countBatchItems(): number {
    let size = 0;
    let chars = 0;
    let hasImported = false;
    for (const [i, item] of this.#items.entries()) {
      if ("isImported" in item) hasImported = true;
      const maxItems = hasImported ? limits.importLinesPerRow : MAX_BATCH_ITEMS;
      const isNewRow = item.seq !== this.#items[i - 1]?.seq;
      if (isNewRow && (i >= maxItems || chars >= MAX_BATCH_CHARS)) break;
      chars += estimateChars(item);
      size = i + 1;
    }
    return size;
  }
}

/** An upper bound, because an exact size would need another serialization. */
function estimateChars(item: SequencedItem): number {
  return "summary" in item
    ? MAX_SUMMARY_CHARS
    : item.dailyCounters.counters.length * MAX_COUNTER_CHARS;
}
