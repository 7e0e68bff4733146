/**
 * The rows that one shard writes for public reports in a day. Above its share, the log writes their
 * usage once a minute instead of with every batch; the reports themselves are always written. In
 * memory: a restart begins the day again.
 */
import { limits } from "../../core/limits.ts";
import { toDayNumber } from "../../core/utc-time.ts";

/** Half of the rows are for the index. */
const SHARE = 1 / 2;
const INTERVAL_MS = 60_000;

/** The budget of one of `shards` shards; `scale` as in `readStoreSettings`. */
export class PublicRowBudget {
  readonly #max: number;
  #day = 0;
  #rows = 0;
  #usageMs = Number.NEGATIVE_INFINITY;

  constructor(shards: number, scale = 1) {
    this.#max = (limits.maxPublicRowsPerDay * SHARE * scale) / shards;
  }

  /** True if the usage of public reports is written with a batch of them. */
  isUsageDue(nowMs: number): boolean {
    if (toDayNumber(nowMs) !== this.#day || this.#rows < this.#max) return true;
    // The clock can be set back.
    return Math.abs(nowMs - this.#usageMs) >= INTERVAL_MS;
  }

  /** Counts a batch of public reports. `logRows`: its rows in the log, which are deleted later. */
  add(logRows: number, hasUsage: boolean, nowMs: number): void {
    const day = toDayNumber(nowMs);
    if (day !== this.#day) [this.#day, this.#rows] = [day, 0];
    this.#rows += 2 * logRows + (hasUsage ? 1 : 0);
    if (hasUsage) this.#usageMs = nowMs;
  }
}
