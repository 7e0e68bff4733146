/**
 * Writes snapshots to KV. A new key is written immediately, then at most every 10 s (KV accepts one
 * write per second and key). Values are created at the moment of writing. A refused write is
 * retried. When many keys change, one per second is written: requests ask the index first, and
 * snapshots are for when it is unavailable. Erased data is removed from KV before any other write,
 * even if the write budget is used up: the budget is for writes that can wait. Keys that only
 * public reports changed come last and use at most half of the budget, so that a flood of invented
 * issues does not delay the others.
 */

import type { WriteBudget } from "../../kv/write-budget.ts";
import { forEachConcurrently } from "../../map-concurrently.ts";
import { withTimeout } from "../../with-timeout.ts";

const MIN_REWRITE_INTERVAL_MS = 10_000;
const RETRY_AFTER_MS = 2_000;
const PUT_TIMEOUT_MS = 20_000;
/** This many keys may be written at once, then one per interval. */
const MAX_BURST_WRITES = 50;
const WRITE_INTERVAL_MS = 1_000;
/** Keys of public issues are written while less than this part of the budget is spent. */
const PUBLIC_PART = 1 / 2;

/** One KV key. `createValue` returns its current value, or null to delete the key. */
interface Snapshot {
  readonly key: string;
  /** Written before all others, and not subject to the write interval. */
  readonly hasPriority?: true;
  /** The value in KV has erased data: the key may overdraw the write budget. */
  readonly isErasure?: boolean;
  /** The value has nothing from trusted reports: written after all others. */
  readonly isPublic?: boolean;
  readonly createValue: () => { readonly value: unknown; readonly ttlSeconds?: number } | null;
  readonly onWritten: () => void;
}

interface SnapshotTarget {
  put(key: string, value: string, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
}

export class SnapshotWriter {
  readonly #kv: SnapshotTarget;
  readonly #nowMs: () => number;
  readonly #budget: Pick<WriteBudget, "getWaitMs" | "spend">;
  readonly #isPaused: () => boolean;
  readonly #dirty = new Map<string, Snapshot>();
  /** Keys that must not be written before a time, in ms. */
  readonly #blockedUntilMs = new Map<string, number>();
  /** When the next write is due at one per interval; ahead of the clock by at most one burst. */
  #pacedUntilMs = 0;

  constructor(
    kv: SnapshotTarget,
    nowMs: () => number,
    budget: Pick<WriteBudget, "getWaitMs" | "spend">,
    isPaused: () => boolean,
  ) {
    this.#kv = kv;
    this.#nowMs = nowMs;
    this.#budget = budget;
    this.#isPaused = isPaused;
  }

  /** The number of keys to write. */
  get dirtyCount(): number {
    return this.#dirty.size;
  }

  markDirty(snapshot: Snapshot): void {
    // A key that waits with a trusted change keeps its place after a public one.
    const isPublic =
      snapshot.isPublic === true && this.#dirty.get(snapshot.key)?.isPublic !== false;
    this.#dirty.set(snapshot.key, { ...snapshot, isPublic });
  }

  /**
   * Writes due keys, some at a time, until none is due or the budget is used up. Resolves to the
   * time (ms) at which the next key is due, null if there is none. Never rejects.
   */
  async writeDue(): Promise<number | null> {
    for (let due = this.#listDue(); due.length > 0; due = this.#listDue()) {
      await forEachConcurrently(due, (snapshot) => this.#writeIfDue(snapshot));
    }
    const nowMs = this.#nowMs();
    const times = [...this.#dirty.values()].map((snapshot) =>
      Math.max(
        nowMs,
        this.#blockedUntilMs.get(snapshot.key) ?? 0,
        isUnpaced(snapshot) ? 0 : this.#getNextPacedMs(),
        nowMs + this.#getBudgetWaitMs(snapshot, nowMs),
      ),
    );
    return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
  }

  async #writeIfDue(snapshot: Snapshot): Promise<void> {
    const nowMs = this.#nowMs();
    const isOverPace = !isUnpaced(snapshot) && this.#getNextPacedMs() > nowMs;
    const isOverBudget = this.#getBudgetWaitMs(snapshot, nowMs) > 0;
    if (isOverPace || this.#isPaused() || isOverBudget) return;
    if (!isUnpaced(snapshot))
      this.#pacedUntilMs = Math.max(this.#pacedUntilMs, nowMs) + WRITE_INTERVAL_MS;
    this.#budget.spend(nowMs);
    // Removed before the value is created: a change during the put marks the key as dirty again.
    this.#dirty.delete(snapshot.key);
    this.#blockedUntilMs.set(snapshot.key, this.#nowMs() + MIN_REWRITE_INTERVAL_MS);
    try {
      await withTimeout(this.#put(snapshot), PUT_TIMEOUT_MS);
      if (!this.#dirty.has(snapshot.key)) snapshot.onWritten();
    } catch (error) {
      console.warn("snapshot write failed, will retry", {
        key: snapshot.key,
        error: String(error),
      });
      this.#blockedUntilMs.set(snapshot.key, this.#nowMs() + RETRY_AFTER_MS);
      if (!this.#dirty.has(snapshot.key)) this.#dirty.set(snapshot.key, snapshot);
    }
  }

  #put({ key, createValue }: Snapshot): Promise<void> {
    const result = createValue();
    if (result === null) return this.#kv.delete(key);
    return this.#kv.put(key, JSON.stringify(result.value), result.ttlSeconds);
  }

  #listDue(): Snapshot[] {
    const nowMs = this.#nowMs();
    if (this.#isPaused()) return [];
    for (const [key, untilMs] of this.#blockedUntilMs) {
      if (untilMs <= nowMs) this.#blockedUntilMs.delete(key);
    }
    const ready = [...this.#dirty.values()].filter(({ key }) => !this.#blockedUntilMs.has(key));
    const erasures = ready.filter(({ isErasure }) => isErasure);
    if (this.#budget.getWaitMs(nowMs) > 0) return erasures;
    const allowsPublic = this.#budget.getWaitMs(nowMs, PUBLIC_PART) === 0;
    const isOverPace = this.#getNextPacedMs() > nowMs;
    const others = ready
      .filter(({ isErasure, isPublic }) => !isErasure && (allowsPublic || !isPublic))
      .filter((snapshot) => isUnpaced(snapshot) || !isOverPace)
      .sort((a, b) => toWriteOrder(a) - toWriteOrder(b));
    return [...erasures, ...others];
  }

  #getBudgetWaitMs({ isErasure, isPublic }: Snapshot, nowMs: number): number {
    return isErasure ? 0 : this.#budget.getWaitMs(nowMs, isPublic ? PUBLIC_PART : 1);
  }

  /** When the next key without priority may be written, in ms. */
  #getNextPacedMs(): number {
    return this.#pacedUntilMs - (MAX_BURST_WRITES - 1) * WRITE_INTERVAL_MS;
  }
}

/** Trusted keys before public ones, and of each those with priority first. */
function toWriteOrder({ isPublic, hasPriority }: Snapshot): number {
  return (isPublic ? 2 : 0) + (hasPriority ? 0 : 1);
}

function isUnpaced({ hasPriority, isErasure }: Snapshot): boolean {
  return hasPriority === true || isErasure === true;
}
