/**
 * The rows that one shard writes for public reports in a day. Above its share, the log writes their
 * usage once a minute instead of with every batch; the reports themselves are always written. In
 * memory: a restart begins the day again.
 */
import { limits } from "../../core/limits.ts";
import { toDayNumber } from "../../core/utc-time.ts";

/** Half of the rows are for the index. */
const SHARE = 1 / 2;
/** The row of a batch, which is deleted later. */
const ROWS_PER_BATCH = 2;
const INTERVAL_MS = 60_000;

/** The budget of one of `shards` shards. */
export class PublicRowBudget {
  readonly #max: number;
  #day = 0;
  #rows = 0;
  #usageMs = Number.NEGATIVE_INFINITY;

  constructor(shards: number) {
    this.#max = (limits.maxPublicRowsPerDay * SHARE) / shards;
  }

  /** Counts a batch of public reports; true if their usage is written with it. */
  takeBatch(nowMs: number): boolean {
    const day = toDayNumber(nowMs);
    if (day !== this.#day) [this.#day, this.#rows] = [day, 0];
    this.#rows += ROWS_PER_BATCH;
    // The clock can be set back.
    const isDue = Math.abs(nowMs - this.#usageMs) >= INTERVAL_MS;
    if (this.#rows > this.#max && !isDue) return false;
    this.#rows += 1;
    this.#usageMs = nowMs;
    return true;
  }
}
