/**
 * The copies that an object has in KV: what must survive the loss of the object, and what requests
 * read without it. A change marks its copy as outdated, in the transaction of the change. Outdated
 * copies are written in the order of their ranks (`copy-queue.ts`), some at a time, after the
 * response or in the alarm. KV accepts one write per second and key, so a key that was just written
 * waits. A refused write is retried.
 *
 * The write budget is the limit per day. The available writes are spread over five minutes, so that
 * many new issues reach KV within minutes if the budget allows it. Erasures come before all other
 * writes and may exceed the budget, which is for writes that can wait. Keys that only public
 * reports changed come last and use at most half of the budget, so that a flood of invented issues
 * does not delay the others.
 */

import type { StoredFormat } from "../../core/schema/stored.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { SharedAlarm } from "../shared-alarm.ts";
import { withTimeout } from "../with-timeout.ts";
import { COPY_RANKS, CopyQueue, CopyRank, type CopyRef } from "./copy-queue.ts";
import type { WriteBudget } from "./write-budget.ts";

const MIN_REWRITE_INTERVAL_MS = 10_000;
/** KV accepts one write per second and key. */
export const KV_INTERVAL_MS = 1_100;
const RETRY_AFTER_MS = 2_000;
const PUT_TIMEOUT_MS = 20_000;
const READ_TIMEOUT_MS = 5_000;
/** If the object stops during a write, the alarm starts it after this time. */
const RESTART_AFTER_MS = 5_000;
/** Values in memory at the same time. */
const WRITES_PER_BATCH = 50;
/** Need not be exact, since KV refuses a key that is written again too soon. */
const MAX_REMEMBERED_WRITES = 600;
/** Well below the 1,000 operations of an invocation. */
const MAX_WRITES_PER_RUN = 400;
const MAX_RUN_MS = 10_000;
/** The window for pacing writes. The maximum is 50 a second. */
const WINDOW_MS = 5_000;
const MIN_WRITES_PER_WINDOW = 50;
const MAX_WRITES_PER_WINDOW = 250;
/** The number of windows that share the writes left in the budget. */
const SPREAD_WINDOWS = 60;
/** Keys of page and public issues are written while less than this part of the budget is spent. */
const PAGE_PART = 3 / 4;
const PUBLIC_PART = 1 / 2;

type CopyBudget = Pick<WriteBudget, "getAvailable" | "getWaitMs" | "spend">;

/** Writes that no budget limits. */
const NO_BUDGET: CopyBudget = {
  getAvailable: () => Infinity,
  getWaitMs: () => 0,
  spend: () => undefined,
};

/** The values of copies. */
export interface CopySource {
  /** The key and its value as of now; a null value deletes the key. */
  read(ref: CopyRef): {
    readonly key: string;
    readonly value: unknown;
    readonly ttlSeconds?: number;
  };
  /** Called before values are read. Never rejects. */
  prepare?(refs: readonly CopyRef[]): Promise<void>;
  /** Called when KV has the value that was read last. */
  onWritten?(ref: CopyRef): void;
  /** Keys that wait outside of the queue. */
  readonly reserve?: CopyReserve;
}

/** Keys that wait in another form until they can be written: many at once take one row. */
export interface CopyReserve {
  /** When the first key of a rank is due, in ms; null if there is none. */
  getNextDueMs(rank: CopyRank): number | null;
  /** The first keys of a rank, at most `count`. They stay in reserve. */
  list(rank: CopyRank, count: number): readonly CopyRef[];
  /** Removes the keys that were listed last: KV or the queue has them. */
  removeListed(rank: CopyRank): void;
}

/** A copy that is due now, from the queue or from the reserve. */
interface DueCopy {
  readonly ref: CopyRef;
  readonly rank: CopyRank;
  readonly isReserved: boolean;
}

interface Mark {
  readonly rank: CopyRank;
  readonly dueMs: number;
}

export class CopyWriter {
  readonly queue: CopyQueue;
  readonly #deps;
  readonly #budget: CopyBudget;
  /** The keys that are being written, and how each was marked again during the write. */
  readonly #writing = new Map<string, Mark | null>();
  /** When each recently written key was written, in ms. */
  readonly #writtenMs = new Map<string, number>();
  #window = { endMs: 0, writes: 0 };
  #run: Promise<void> | null = null;
  /** No key is due before this time, in ms. */
  #nextMs = 0;

  constructor(deps: {
    readonly storage: DurableObjectStorage;
    readonly alarm: Pick<SharedAlarm, "setBy">;
    readonly kv: () => Pick<KVNamespace, "put" | "delete" | "get">;
    readonly source: CopySource;
    readonly nowMs: () => number;
    readonly budget?: CopyBudget;
    /** How long a key waits that was just written. */
    readonly intervalMs?: number;
    /** True while the state of the object must not be written to KV. */
    readonly isPaused?: () => boolean;
  }) {
    this.#deps = deps;
    this.#budget = deps.budget ?? NO_BUDGET;
    this.queue = new CopyQueue(deps.storage);
  }

  /** The number of keys in memory. */
  get size(): number {
    return this.#writing.size + this.#writtenMs.size;
  }

  /** A copy in KV; null without one. Rejects if KV does not answer, or with `Unreadable`. */
  async readCopy<T>(key: string, format: StoredFormat<T>): Promise<T | null> {
    const value = await withTimeout(this.#deps.kv().get(key, "json"), READ_TIMEOUT_MS);
    return value === null ? null : format.parse(value);
  }

  /**
   * Marks a key as outdated: it is due after `delayMs` at the earliest. Call in the turn of the
   * change: both are stored or neither.
   */
  mark(ref: CopyRef, rank: CopyRank = CopyRank.triage, delayMs = 0): void {
    const { nowMs, intervalMs = MIN_REWRITE_INTERVAL_MS } = this.#deps;
    const id = toId(ref);
    // An erasure waits only as long as KV requires.
    const waitMs = rank === CopyRank.erasure ? KV_INTERVAL_MS : intervalMs;
    const freeMs = (this.#writtenMs.get(id) ?? -Infinity) + waitMs;
    const dueMs = Math.max(nowMs() + delayMs, freeMs);
    if (this.#writing.has(id)) this.#remark(id, { rank, dueMs });
    this.queue.add(ref, rank, dueMs, nowMs());
    this.#nextMs = Math.min(this.#nextMs, dueMs);
  }

  /** Writes what an earlier object or run left. Never rejects. */
  resume(): Promise<void> {
    this.#nextMs = 0;
    return this.write();
  }

  /**
   * Writes what is due; the alarm writes the rest. Concurrent calls share one run. `isAlarm`:
   * called by the alarm, which the runtime repeats if the object stops. Never rejects.
   */
  write({ isAlarm = false } = {}): Promise<void> {
    if (this.#isPaused) return Promise.resolve();
    this.#run ??= this.#writeBefore(isAlarm).finally(() => {
      this.#run = null;
    });
    return this.#run;
  }

  /** Resolves when no copy is being written. */
  async waitForWrite(): Promise<void> {
    await this.#run;
  }

  get #isPaused(): boolean {
    return this.#deps.isPaused?.() ?? false;
  }

  async #writeBefore(isAlarm: boolean): Promise<void> {
    const { alarm, nowMs } = this.#deps;
    const nextMs = this.#nextMs <= nowMs() ? this.getNextMs() : this.#nextMs;
    if (nextMs !== null && nextMs <= nowMs()) {
      // Set before the first put: if the object stops during the write, the alarm continues it.
      if (!isAlarm) await alarm.setBy(nowMs() + RESTART_AFTER_MS);
      this.#nextMs = Infinity;
      this.#nextMs = Math.min(this.#nextMs, (await this.writeDue()) ?? Infinity);
    } else this.#nextMs = nextMs ?? Infinity;
    if (this.#nextMs < Infinity) await alarm.setBy(this.#nextMs);
  }

  /** Marks keys of a kind together. None may be marked for erasure. */
  markAll(kind: string, names: readonly string[], rank: CopyRank, delayMs = 0): void {
    const plain = names.filter((name) => !this.isRecent({ kind, name }));
    for (const name of names) if (!plain.includes(name)) this.mark({ kind, name }, rank, delayMs);
    if (plain.length === 0) return;
    const nowMs = this.#deps.nowMs();
    this.queue.addAll(kind, plain, rank, nowMs + delayMs, nowMs);
    this.#nextMs = Math.min(this.#nextMs, nowMs + delayMs);
  }

  /** Notes that the reserve has a key that is due now. */
  onReserved(): void {
    this.#nextMs = Math.min(this.#nextMs, this.#deps.nowMs());
  }

  /** True if a key is being written or was just written, so that it must wait. */
  isRecent(ref: CopyRef): boolean {
    const id = toId(ref);
    return this.#writing.has(id) || this.#writtenMs.has(id);
  }

  #remark(id: string, { rank, dueMs }: Mark): void {
    const before = this.#writing.get(id) ?? { rank, dueMs };
    const [first, firstMs] = [Math.min(rank, before.rank), Math.min(dueMs, before.dueMs)];
    this.#writing.set(id, { rank: first as CopyRank, dueMs: firstMs });
  }

  /**
   * Writes due keys until none is left, or until the budget or the limit of a run is reached.
   * Resolves to the time (ms) at which the next key is due, null if there is none. Never rejects.
   */
  async writeDue(): Promise<number | null> {
    const { nowMs, source } = this.#deps;
    const deadlineMs = nowMs() + MAX_RUN_MS;
    let remaining = MAX_WRITES_PER_RUN;
    while (remaining > 0 && nowMs() < deadlineMs && !this.#isPaused) {
      this.#forgetWritten();
      const batch = this.#takeBatch(Math.min(remaining, WRITES_PER_BATCH));
      if (batch.length === 0) break;
      remaining -= batch.length;
      await source.prepare?.(batch.map(({ ref }) => ref));
      await forEachConcurrently(batch, (due) => this.#write(due));
      if (this.#isPaused) break;
      const reserved = batch.flatMap(({ rank, isReserved }) => (isReserved ? rank : []));
      for (const rank of new Set(reserved)) source.reserve?.removeListed(rank);
    }
    return this.getNextMs();
  }

  /** When the next key may be written, in ms; null if there is none. */
  getNextMs(): number | null {
    const now = this.#deps.nowMs();
    const times = COPY_RANKS.flatMap((rank) => {
      const { reserve } = this.#deps.source;
      const times = [this.queue.getNextDueMs(rank), reserve?.getNextDueMs(rank) ?? null];
      const dueMs = Math.min(...times.map((ms) => ms ?? Infinity));
      if (dueMs === Infinity) return [];
      if (rank === CopyRank.erasure) return Math.max(dueMs, now);
      const windowEndMs = isPaced(rank) && this.#countPaced(rank) === 0 ? this.#window.endMs : 0;
      return Math.max(dueMs, now + this.#budget.getWaitMs(now, toPart(rank)), windowEndMs);
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The next keys, which count as written from now on. */
  #takeBatch(count: number): readonly DueCopy[] {
    const { nowMs } = this.#deps;
    const batch: DueCopy[] = [];
    for (const rank of COPY_RANKS) {
      const allowed = Math.min(count - batch.length, this.#countAllowed(rank));
      const due = allowed > 0 ? this.#listDue(rank, allowed) : [];
      if (due.length === 0) continue;
      this.#budget.spend(nowMs(), due.length);
      if (isPaced(rank)) this.#countInWindow(due.length);
      batch.push(...due);
    }
    return batch;
  }

  /** The queue comes first: the reserve is from a storm, when the queue was long. */
  #listDue(rank: CopyRank, count: number): readonly DueCopy[] {
    const { source, nowMs } = this.#deps;
    const queued = this.queue.listDue(rank, nowMs(), count);
    const reserved = queued.length < count ? source.reserve?.list(rank, count - queued.length) : [];
    const names = new Set(queued.map(toId));
    return [
      ...queued.map((ref) => ({ ref, rank, isReserved: false })),
      ...(reserved ?? [])
        .filter((ref) => !names.has(toId(ref)))
        .map((ref) => ({ ref, rank, isReserved: true })),
    ];
  }

  #countAllowed(rank: CopyRank): number {
    if (rank === CopyRank.erasure) return Infinity;
    const available = this.#budget.getAvailable(this.#deps.nowMs(), toPart(rank));
    return isPaced(rank) ? Math.min(available, this.#countPaced(rank)) : available;
  }

  /** The writes of a rank that the current window has left. */
  #countPaced(rank: CopyRank): number {
    const { nowMs } = this.#deps;
    const share = this.#budget.getAvailable(nowMs(), toPart(rank)) / SPREAD_WINDOWS;
    const most = Math.min(Math.max(share, MIN_WRITES_PER_WINDOW), MAX_WRITES_PER_WINDOW);
    const written = nowMs() < this.#window.endMs ? this.#window.writes : 0;
    return Math.max(0, Math.floor(most) - written);
  }

  #countInWindow(writes: number): void {
    const now = this.#deps.nowMs();
    if (now >= this.#window.endMs) this.#window = { endMs: now + WINDOW_MS, writes: 0 };
    this.#window.writes += writes;
  }

  async #write({ ref, rank, isReserved }: DueCopy): Promise<void> {
    const { source, nowMs } = this.#deps;
    const { queue } = this;
    if (this.#isPaused) return;
    const id = toId(ref);
    this.#writing.set(id, null);
    this.#writtenMs.delete(id);
    this.#writtenMs.set(id, nowMs());
    try {
      await withTimeout(this.#put(ref), PUT_TIMEOUT_MS);
      const mark = this.#writing.get(id) ?? null;
      queue.remove(ref);
      if (mark === null) source.onWritten?.(ref);
      else queue.add(ref, mark.rank, mark.dueMs, nowMs());
    } catch (error) {
      console.warn("a copy was not written to KV, will retry", { ...ref, error: String(error) });
      const retryMs = nowMs() + RETRY_AFTER_MS;
      if (isReserved) queue.add(ref, rank, retryMs, nowMs());
      else queue.postpone(ref, retryMs);
    } finally {
      this.#writing.delete(id);
    }
  }

  #put(ref: CopyRef): Promise<void> {
    const { kv, source } = this.#deps;
    const { key, value, ttlSeconds } = source.read(ref);
    if (value === null) return kv().delete(key);
    const options = ttlSeconds === undefined ? {} : { expirationTtl: ttlSeconds };
    return kv().put(key, JSON.stringify(value), options);
  }

  /** The map is in the order of the writes. */
  #forgetWritten(): void {
    const beforeMs = this.#deps.nowMs() - MIN_REWRITE_INTERVAL_MS;
    for (const [id, writtenMs] of this.#writtenMs) {
      if (writtenMs > beforeMs && this.#writtenMs.size <= MAX_REMEMBERED_WRITES) break;
      this.#writtenMs.delete(id);
    }
  }
}

function toId({ kind, name }: CopyRef): string {
  return `${kind} ${name}`;
}

/** True for ranks that can have many keys. */
function isPaced(rank: CopyRank): boolean {
  return rank > CopyRank.triage;
}

function toPart(rank: CopyRank): number {
  if (rank === CopyRank.public) return PUBLIC_PART;
  return rank === CopyRank.page ? PAGE_PART : 1;
}
