/** How far the copies in KV are behind, and what they may still cost today: for the operator. */

/** An account of writes into KV. Days are UTC's. */
export interface WriteBudgetUsage {
  readonly perDay: number;
  readonly usedToday: number;
}

/** How one shard of the log is doing. */
export interface ShardHealth extends WriteBudgetUsage {
  readonly shard: string;
  /** Rows, and lines in them, that wait to be copied or counted. */
  readonly rows: number;
  readonly lines: number;
  /** `2026112117`: the hour of the oldest of them; absent when nothing waits. */
  readonly oldestHour?: string;
  /** How long the budget keeps the next copy back, in ms. */
  readonly waitMs: number;
  /** What its object keeps, and what stands in KV by it: chunks, and the lines in them. */
  readonly storedBytes: number;
  readonly chunks: number;
  readonly chunkLines: number;
}

/** How the store of one project is doing. A shard that does not answer is missing. */
export interface StoreHealth {
  readonly shards: readonly ShardHealth[];
  readonly snapshots: WriteBudgetUsage & {
    /** Keys that are not as they should be. */
    readonly waiting: number;
    readonly waitMs: number;
    /** What the index keeps. */
    readonly storedBytes: number;
  };
  /** What goes on over the whole project: which task, how many wait with it, and what it has still to visit. */
  readonly work?: { readonly task: string; readonly tasks: number; readonly stops: number };
}
