/**
 * Copies of what an index knows, on their way into KV. A key is written at once when it is new, then at most every ten
 * seconds (KV takes one write a second per key), always with what is true at the moment of writing. A refused write stays
 * due. It keeps no values: it knows how to make them. Where very many keys change they take turns, one a second: whoever looks is
 * told by the index, and a copy is for when that is away.
 */
import { inTime } from "./in-time.ts";
import { inLanes } from "./lanes.ts";
import type { WriteBudget } from "./write-budget.ts";

const REWRITE_AFTER_MS = 10_000;
const RETRY_AFTER_MS = 2_000;
const PUT_PATIENCE_MS = 20_000;
/** So many keys may be written at once, and then one in so many milliseconds. */
const WRITES_AT_ONCE = 50;
const WRITE_EVERY_MS = 1_000;

/** One snapshot: how to make its value now, null for one that is gone, and whom to tell that KV has it. */
export interface Snapshot {
  readonly key: string;
  /** Written before all others, and whatever the pace. */
  readonly isFirst?: true;
  readonly make: () => { readonly value: unknown; readonly ttlSeconds?: number } | null;
  readonly written: () => void;
}

/** Where snapshots are written to. */
export interface SnapshotKv {
  put(key: string, value: string, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
}

/** The snapshots of one object. `nowMs` is the clock; what is over the budget waits, and all while it is paused. */
export class Snapshots {
  readonly #kv: SnapshotKv;
  readonly #nowMs: () => number;
  readonly #budget: Pick<WriteBudget, "waitMs" | "spend">;
  readonly #isPaused: () => boolean;
  readonly #stale = new Map<string, Snapshot>();
  /** Keys that must rest, and until when. */
  readonly #restsUntilMs = new Map<string, number>();
  /** When the writes would be evenly spread that were made so far: not more than `WRITES_AT_ONCE` turns ahead of the clock. */
  #paidUntilMs = 0;

  constructor(
    kv: SnapshotKv,
    nowMs: () => number,
    budget: Pick<WriteBudget, "waitMs" | "spend">,
    isPaused: () => boolean,
  ) {
    this.#kv = kv;
    this.#nowMs = nowMs;
    this.#budget = budget;
    this.#isPaused = isPaused;
  }

  /** How many keys of KV are not as they should be. */
  get waiting(): number {
    return this.#stale.size;
  }

  /** Says that what KV has under this key is no longer true. */
  stale(snapshot: Snapshot): void {
    this.#stale.set(snapshot.key, snapshot);
  }

  /**
   * Writes everything that is due, four at a time, until nothing is or the budget ends. Resolves to the moment (ms) at which the next key is
   * due, null when nothing is stale. Never rejects.
   */
  async write(): Promise<number | null> {
    for (let due = this.#due(); due.length > 0; due = this.#due()) {
      await inLanes(due, (snapshot) => this.#one(snapshot));
    }
    const times = [...this.#stale.values()].map(({ key, isFirst }) =>
      Math.max(this.#restsUntilMs.get(key) ?? 0, isFirst ? 0 : this.#turnMs()),
    );
    if (times.length === 0) return null;
    const nowMs = this.#nowMs();
    const soonest = times.reduce((a, b) => Math.min(a, b));
    return Math.max(soonest, nowMs + this.#budget.waitMs(nowMs));
  }

  async #one(snapshot: Snapshot): Promise<void> {
    const nowMs = this.#nowMs();
    const isOver = !snapshot.isFirst && this.#turnMs() > nowMs;
    if (isOver || this.#isPaused() || this.#budget.waitMs(nowMs) > 0) return;
    if (!snapshot.isFirst) this.#paidUntilMs = Math.max(this.#paidUntilMs, nowMs) + WRITE_EVERY_MS;
    this.#budget.spend(nowMs);
    // Taken off the list before its value is made: a change that comes during the put makes it stale again.
    this.#stale.delete(snapshot.key);
    this.#restsUntilMs.set(snapshot.key, this.#nowMs() + REWRITE_AFTER_MS);
    try {
      await inTime(this.#write(snapshot), PUT_PATIENCE_MS);
      if (!this.#stale.has(snapshot.key)) snapshot.written();
    } catch (error) {
      console.warn("snapshot refused", { key: snapshot.key, error: String(error) });
      this.#restsUntilMs.set(snapshot.key, this.#nowMs() + RETRY_AFTER_MS);
      if (!this.#stale.has(snapshot.key)) this.#stale.set(snapshot.key, snapshot);
    }
  }

  #write({ key, make }: Snapshot): Promise<void> {
    const made = make();
    if (made === null) return this.#kv.delete(key);
    return this.#kv.put(key, JSON.stringify(made.value), made.ttlSeconds);
  }

  #due(): Snapshot[] {
    const nowMs = this.#nowMs();
    if (this.#isPaused() || this.#budget.waitMs(nowMs) > 0) return [];
    for (const [key, untilMs] of this.#restsUntilMs) {
      if (untilMs <= nowMs) this.#restsUntilMs.delete(key);
    }
    const rested = [...this.#stale.values()].filter(({ key }) => !this.#restsUntilMs.has(key));
    const first = rested.filter(({ isFirst }) => isFirst);
    return this.#turnMs() > nowMs ? first : [...first, ...rested.filter(({ isFirst }) => !isFirst)];
  }

  /** From when on one of the others may be written. */
  #turnMs(): number {
    return this.#paidUntilMs - (WRITES_AT_ONCE - 1) * WRITE_EVERY_MS;
  }
}
