/**
 * Copies of what an index knows, on their way into KV. A key is written at once when it is new, then at most every ten
 * seconds (KV takes one write a second per key), always with what is true at the moment of writing. A refused write stays
 * due. It keeps no values: it knows how to make them. Where very many keys change they take turns, one a second: whoever looks is
 * told by the index, and a copy is for when that is away.
 */

import type { WriteBudget } from "../../kv/write-budget.ts";
import { forEachConcurrently } from "../../map-concurrently.ts";
import { withTimeout } from "../../with-timeout.ts";

const MIN_REWRITE_INTERVAL_MS = 10_000;
const RETRY_AFTER_MS = 2_000;
const PUT_TIMEOUT_MS = 20_000;
/** So many keys may be written at once, and then one in so many milliseconds. */
const MAX_BURST_WRITES = 50;
const WRITE_INTERVAL_MS = 1_000;

/** One snapshot: how to make its value now, null for one that is gone, and whom to tell that KV has it. */
export interface Snapshot {
  readonly key: string;
  /** Written before all others, and whatever the pace. */
  readonly hasPriority?: true;
  readonly createValue: () => { readonly value: unknown; readonly ttlSeconds?: number } | null;
  readonly onWritten: () => void;
}

/** Where snapshots are written to. */
export interface SnapshotTarget {
  put(key: string, value: string, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
}

/** The snapshots of one object. `nowMs` is the clock; what is over the budget waits, and all while it is paused. */
export class SnapshotWriter {
  readonly #kv: SnapshotTarget;
  readonly #nowMs: () => number;
  readonly #budget: Pick<WriteBudget, "getWaitMs" | "spend">;
  readonly #isPaused: () => boolean;
  readonly #dirty = new Map<string, Snapshot>();
  /** Keys that must rest, and until when. */
  readonly #blockedUntilMs = new Map<string, number>();
  /** When the writes would be evenly spread that were made so far: not more than `WRITES_AT_ONCE` turns ahead of the clock. */
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

  /** How many keys of KV are not as they should be. */
  get dirtyCount(): number {
    return this.#dirty.size;
  }

  /** Says that what KV has under this key is no longer true. */
  markDirty(snapshot: Snapshot): void {
    this.#dirty.set(snapshot.key, snapshot);
  }

  /**
   * Writes everything that is due, four at a time, until nothing is or the budget ends. Resolves to the moment (ms) at which the next key is
   * due, null when nothing is stale. Never rejects.
   */
  async writeDue(): Promise<number | null> {
    for (let due = this.#listDue(); due.length > 0; due = this.#listDue()) {
      await forEachConcurrently(due, (snapshot) => this.#writeIfDue(snapshot));
    }
    const times = [...this.#dirty.values()].map(({ key, hasPriority }) =>
      Math.max(this.#blockedUntilMs.get(key) ?? 0, hasPriority ? 0 : this.#getNextPacedMs()),
    );
    if (times.length === 0) return null;
    const nowMs = this.#nowMs();
    const nextDueMs = times.reduce((a, b) => Math.min(a, b));
    return Math.max(nextDueMs, nowMs + this.#budget.getWaitMs(nowMs));
  }

  async #writeIfDue(snapshot: Snapshot): Promise<void> {
    const nowMs = this.#nowMs();
    const isOverPace = !snapshot.hasPriority && this.#getNextPacedMs() > nowMs;
    if (isOverPace || this.#isPaused() || this.#budget.getWaitMs(nowMs) > 0) return;
    if (!snapshot.hasPriority)
      this.#pacedUntilMs = Math.max(this.#pacedUntilMs, nowMs) + WRITE_INTERVAL_MS;
    this.#budget.spend(nowMs);
    // Taken off the list before its value is made: a change that comes during the put makes it stale again.
    this.#dirty.delete(snapshot.key);
    this.#blockedUntilMs.set(snapshot.key, this.#nowMs() + MIN_REWRITE_INTERVAL_MS);
    try {
      await withTimeout(this.#put(snapshot), PUT_TIMEOUT_MS);
      if (!this.#dirty.has(snapshot.key)) snapshot.onWritten();
    } catch (error) {
      console.warn("snapshot refused", { key: snapshot.key, error: String(error) });
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
    if (this.#isPaused() || this.#budget.getWaitMs(nowMs) > 0) return [];
    for (const [key, untilMs] of this.#blockedUntilMs) {
      if (untilMs <= nowMs) this.#blockedUntilMs.delete(key);
    }
    const ready = [...this.#dirty.values()].filter(({ key }) => !this.#blockedUntilMs.has(key));
    const prioritized = ready.filter(({ hasPriority }) => hasPriority);
    return this.#getNextPacedMs() > nowMs
      ? prioritized
      : [...prioritized, ...ready.filter(({ hasPriority }) => !hasPriority)];
  }

  /** From when on one of the others may be written. */
  #getNextPacedMs(): number {
    return this.#pacedUntilMs - (MAX_BURST_WRITES - 1) * WRITE_INTERVAL_MS;
  }
}
