/**
 * Writes the outdated snapshots to KV in the order of their ranks (`snapshot-queue.ts`), some at a
 * time. KV accepts one write per second and key, so a key that was just written waits ten seconds.
 * A refused write is retried.
 *
 * The write budget is the limit per day. The available writes are spread over five minutes, so that
 * many new issues reach KV within minutes if the budget allows it. Erasures come before all other
 * writes and may exceed the budget, which is for writes that can wait. Keys that only public
 * reports changed come last and use at most half of the budget, so that a flood of invented issues
 * does not delay the others.
 */

import { forEachConcurrently } from "../../for-each-concurrently.ts";
import type { WriteBudget } from "../../kv/write-budget.ts";
import { withTimeout } from "../../with-timeout.ts";
import {
  SNAPSHOT_RANKS,
  type SnapshotQueue,
  SnapshotRank,
  type SnapshotRef,
} from "./snapshot-queue.ts";

const MIN_REWRITE_INTERVAL_MS = 10_000;
/** An erasure waits only as long as KV requires. */
const MIN_ERASURE_INTERVAL_MS = 1_100;
const RETRY_AFTER_MS = 2_000;
const PUT_TIMEOUT_MS = 20_000;
/** Snapshots in memory at the same time. */
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

/** The values of snapshots. */
export interface SnapshotSource {
  /** The key and its value as of now; a null value deletes the key. */
  read(ref: SnapshotRef): {
    readonly key: string;
    readonly value: unknown;
    readonly ttlSeconds?: number;
  };
  /** Called before values are read. Never rejects. */
  prepare(refs: readonly SnapshotRef[]): Promise<void>;
  /** Called when KV has the value that was read last. */
  onWritten(ref: SnapshotRef): void;
}

interface SnapshotTarget {
  put(key: string, value: string, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
}

interface Mark {
  readonly rank: SnapshotRank;
  readonly dueMs: number;
}

export class SnapshotWriter {
  readonly #deps;
  /** The keys that are being written, and how each was marked again during the write. */
  readonly #writing = new Map<string, Mark | null>();
  /** When each recently written key was written, in ms. */
  readonly #writtenMs = new Map<string, number>();
  #window = { endMs: 0, writes: 0 };

  constructor(deps: {
    readonly queue: SnapshotQueue;
    readonly source: SnapshotSource;
    readonly kv: SnapshotTarget;
    readonly budget: Pick<WriteBudget, "getAvailable" | "getWaitMs" | "spend">;
    readonly nowMs: () => number;
    readonly isPaused: () => boolean;
  }) {
    this.#deps = deps;
  }

  /** The number of keys in memory. */
  get size(): number {
    return this.#writing.size + this.#writtenMs.size;
  }

  /** Marks a key as outdated. Returns when it is due, in ms: after `delayMs` at the earliest. */
  markDirty(ref: SnapshotRef, rank: SnapshotRank, delayMs = 0): number {
    const { queue, nowMs } = this.#deps;
    const id = toId(ref);
    const intervalMs =
      rank === SnapshotRank.erasure ? MIN_ERASURE_INTERVAL_MS : MIN_REWRITE_INTERVAL_MS;
    const freeMs = (this.#writtenMs.get(id) ?? -Infinity) + intervalMs;
    const dueMs = Math.max(nowMs() + delayMs, freeMs);
    if (this.#writing.has(id)) this.#remark(id, { rank, dueMs });
    queue.add(ref, rank, dueMs, nowMs());
    return dueMs;
  }

  #remark(id: string, { rank, dueMs }: Mark): void {
    const before = this.#writing.get(id) ?? { rank, dueMs };
    const [first, firstMs] = [Math.min(rank, before.rank), Math.min(dueMs, before.dueMs)];
    this.#writing.set(id, { rank: first as SnapshotRank, dueMs: firstMs });
  }

  /**
   * Writes due keys until none is left, or until the budget or the limit of a run is reached.
   * Resolves to the time (ms) at which the next key is due, null if there is none. Never rejects.
   */
  async writeDue(): Promise<number | null> {
    const { isPaused, nowMs, source } = this.#deps;
    const deadlineMs = nowMs() + MAX_RUN_MS;
    let remaining = MAX_WRITES_PER_RUN;
    while (remaining > 0 && nowMs() < deadlineMs && !isPaused()) {
      this.#forgetWritten();
      const batch = this.#takeBatch(Math.min(remaining, WRITES_PER_BATCH));
      if (batch.length === 0) break;
      remaining -= batch.length;
      await source.prepare(batch);
      await forEachConcurrently(batch, (ref) => this.#write(ref));
    }
    return this.getNextMs();
  }

  /** When the next key may be written, in ms; null if there is none. */
  getNextMs(): number | null {
    const { queue, budget, nowMs } = this.#deps;
    const now = nowMs();
    const times = SNAPSHOT_RANKS.flatMap((rank) => {
      const dueMs = queue.getNextDueMs(rank);
      if (dueMs === null) return [];
      if (rank === SnapshotRank.erasure) return Math.max(dueMs, now);
      const windowEndMs = isPaced(rank) && this.#countPaced(rank) === 0 ? this.#window.endMs : 0;
      return Math.max(dueMs, now + budget.getWaitMs(now, toPart(rank)), windowEndMs);
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The next keys, which count as written from now on. */
  #takeBatch(count: number): readonly SnapshotRef[] {
    const { queue, budget, nowMs } = this.#deps;
    const batch: SnapshotRef[] = [];
    for (const rank of SNAPSHOT_RANKS) {
      const allowed = Math.min(count - batch.length, this.#countAllowed(rank));
      const due = allowed > 0 ? queue.listDue(rank, nowMs(), allowed) : [];
      if (due.length === 0) continue;
      budget.spend(nowMs(), due.length);
      if (isPaced(rank)) this.#countInWindow(due.length);
      batch.push(...due);
    }
    return batch;
  }

  #countAllowed(rank: SnapshotRank): number {
    const { budget, nowMs } = this.#deps;
    if (rank === SnapshotRank.erasure) return Infinity;
    const available = budget.getAvailable(nowMs(), toPart(rank));
    return isPaced(rank) ? Math.min(available, this.#countPaced(rank)) : available;
  }

  /** The writes of a rank that the current window has left. */
  #countPaced(rank: SnapshotRank): number {
    const { budget, nowMs } = this.#deps;
    const share = budget.getAvailable(nowMs(), toPart(rank)) / SPREAD_WINDOWS;
    const most = Math.min(Math.max(share, MIN_WRITES_PER_WINDOW), MAX_WRITES_PER_WINDOW);
    const written = nowMs() < this.#window.endMs ? this.#window.writes : 0;
    return Math.max(0, Math.floor(most) - written);
  }

  #countInWindow(writes: number): void {
    const now = this.#deps.nowMs();
    if (now >= this.#window.endMs) this.#window = { endMs: now + WINDOW_MS, writes: 0 };
    this.#window.writes += writes;
  }

  async #write(ref: SnapshotRef): Promise<void> {
    const { queue, source, nowMs, isPaused } = this.#deps;
    if (isPaused()) return;
    const id = toId(ref);
    this.#writing.set(id, null);
    this.#writtenMs.delete(id);
    this.#writtenMs.set(id, nowMs());
    try {
      await withTimeout(this.#put(ref), PUT_TIMEOUT_MS);
      const mark = this.#writing.get(id) ?? null;
      queue.remove(ref);
      if (mark === null) source.onWritten(ref);
      else queue.add(ref, mark.rank, mark.dueMs, nowMs());
    } catch (error) {
      console.warn("index: snapshot write failed, will retry", { ...ref, error: String(error) });
      queue.postpone(ref, nowMs() + RETRY_AFTER_MS);
    } finally {
      this.#writing.delete(id);
    }
  }

  #put(ref: SnapshotRef): Promise<void> {
    const { kv, source } = this.#deps;
    const { key, value, ttlSeconds } = source.read(ref);
    return value === null ? kv.delete(key) : kv.put(key, JSON.stringify(value), ttlSeconds);
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

function toId({ kind, name }: SnapshotRef): string {
  return `${kind} ${name}`;
}

/** True for ranks that can have many keys. */
function isPaced(rank: SnapshotRank): boolean {
  return rank > SnapshotRank.triage;
}

function toPart(rank: SnapshotRank): number {
  if (rank === SnapshotRank.public) return PUBLIC_PART;
  return rank === SnapshotRank.page ? PAGE_PART : 1;
}
