/**
 * The rows of the log on their way to the index: sent in their order, again and again, until the index has counted them. It
 * counts a row once, however often it is sent.
 */

import type { ApplyResult, SequencedItem } from "../rpc/rpc.ts";
import { withTimeout } from "../with-timeout.ts";

/** Under load the index is told so often: it counts what comes together for less. */
const SEND_INTERVAL_MS = 200;
const MAX_BATCH_ITEMS = 500;
/** One RPC takes 32 MiB, and a character may be three bytes. */
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
/** With its words, of what senders write; see `markOf` and `wordsOf`. Of the worst that one can write it is the half. */
const MAX_SUMMARY_CHARS = 9_000;
/** At most; see `limits.maxTallyWordChars`. */
const MAX_COUNTER_CHARS = 450;
/** Rows in memory, some 10 MB: what waits behind them is read from the log when its turn comes. */
const MAX_BUFFERED_ITEMS = 4_000;
/** An index that does not answer is asked again; nobody waits for it for ever. */
const APPLY_TIMEOUT_MS = 10_000;

/** What one log hands over with. */
export interface IndexOutboxDeps {
  readonly apply: (items: readonly SequencedItem[]) => Promise<ApplyResult>;
  /** Is told what the index has counted. */
  readonly onApplied: (result: ApplyResult) => void;
  /** What stands in the log behind what is counted, in order. */
  readonly readUnsent: () => Iterable<SequencedItem>;
  readonly nowMs: () => number;
}

/** What one log hands over. */
export class IndexOutbox {
  readonly #deps: IndexOutboxDeps;
  #items: SequencedItem[] = [];
  /** True while more waits in the log than is held. */
  #hasMore = false;
  /** Grows when everything begins anew: what was asked before says nothing then. */
  #epoch = 0;
  #sending: Promise<void> | null = null;
  #pacedSend: Promise<void> | null = null;
  #sentMs = 0;

  constructor(deps: IndexOutboxDeps) {
    this.#deps = deps;
  }

  /** True when the index has everything. */
  get isEmpty(): boolean {
    return this.#items.length === 0 && !this.#hasMore;
  }

  /** Puts something behind what waits already. */
  enqueue(item: SequencedItem): void {
    if (!this.#hasMore) this.#buffer(item);
  }

  /** Takes what stands in the log behind what is counted, as far as there is room. */
  reload(): void {
    this.#items = [];
    this.#hasMore = false;
    for (const item of this.#deps.readUnsent()) {
      this.#buffer(item);
      if (this.#hasMore) return;
    }
  }

  /** Rows of the log are held whole: the index would take the second half of one for a repetition. */
  #buffer(item: SequencedItem): void {
    this.#hasMore =
      this.#items.length >= MAX_BUFFERED_ITEMS && item.seq !== this.#items.at(-1)?.seq;
    if (!this.#hasMore) this.#items.push(item);
  }

  /** Nothing waits any more. */
  clear(): void {
    this.#items = [];
    this.#hasMore = false;
    this.#epoch += 1;
  }

  /** Resolves when everything is counted that waits now, whatever comes meanwhile; rejects when the index does not count. */
  async flush(): Promise<void> {
    while (this.#hasMore) await this.send();
    const last = this.#getLastSeq();
    while (this.#getFirstSeq() <= last) await this.send();
  }

  /** Hands over what waits now. One push at a time; whoever comes meanwhile waits for that one. */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  /**
   * Hands over what waits, at most every `PUSH_EVERY_MS`: at once when it is quiet, under load once for all that has come
   * since.
   */
  async sendPaced(): Promise<void> {
    this.#pacedSend ??= this.#sendWhenDue().finally(() => {
      this.#pacedSend = null;
    });
    await this.#pacedSend;
  }

  async #sendWhenDue(): Promise<void> {
    while (!this.isEmpty) {
      const waitMs = this.#sentMs + SEND_INTERVAL_MS - this.#deps.nowMs();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      await this.send();
    }
  }

  async #sendAll(): Promise<void> {
    let last = this.#getLastSeq();
    while (this.#getFirstSeq() <= last) {
      this.#sentMs = this.#deps.nowMs();
      const batch = this.#items.slice(0, this.#countBatchItems());
      const epoch = this.#epoch;
      const result = await withTimeout(this.#deps.apply(batch), APPLY_TIMEOUT_MS);
      if (epoch !== this.#epoch) continue;
      this.#items = this.#items.filter(({ seq }) => seq > result.seq);
      this.#deps.onApplied(result);
      if (this.#items.length > 0 || !this.#hasMore) continue;
      this.reload();
      last = this.#getLastSeq();
    }
  }

  #getFirstSeq(): number {
    return this.#items[0]?.seq ?? Number.POSITIVE_INFINITY;
  }

  #getLastSeq(): number {
    return this.#items.at(-1)?.seq ?? 0;
  }

  /** A row is sent whole: the index counts by rows, and the second half of one would look like a repetition. */
  #countBatchItems(): number {
    let size = 0;
    let chars = 0;
    for (const [i, item] of this.#items.entries()) {
      const isNewRow = item.seq !== this.#items[i - 1]?.seq;
      if (isNewRow && (i >= MAX_BATCH_ITEMS || chars >= MAX_BATCH_CHARS)) break;
      chars += estimateChars(item);
      size = i + 1;
    }
    return size;
  }
}

/** What a row weighs at most: to measure it exactly would be to write it once more. */
function estimateChars(item: SequencedItem): number {
  return "summary" in item
    ? MAX_SUMMARY_CHARS
    : item.dailyCounters.counters.length * MAX_COUNTER_CHARS;
}
