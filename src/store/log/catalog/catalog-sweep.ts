/**
 * Upkeep of the catalog, a limited part in each alarm: merges recent chunks, deletes expired ones
 * once an hour, and drops the oldest ids of a shard whose storage is nearly full. The next alarm
 * continues, also after a restart.
 */
import type { ChunkCatalog } from "./chunk-catalog.ts";

const SWEEP_INTERVAL_MS = 3_600_000;
/** A run has about 130 rows at most. */
const MAX_RUNS_PER_SWEEP = 8;
/**
 * The part of an object's 10 GB after which ids are dropped. The rest is for reports that wait
 * while KV is unavailable. Only lookups by old ids and traces stop finding reports; the chunks in
 * KV keep everything.
 */
const MAX_STORED_BYTES = 8_000_000_000;

/** The used part of `LogTable`. */
interface SweptTable {
  readonly catalog: Pick<
    ChunkCatalog,
    "hasManyRecent" | "mergeRecent" | "deleteExpired" | "dropOldestIds"
  >;
  /** When the last sweep ended, ms. */
  getSweptMs(): number;
  saveSweptMs(sweptMs: number): void;
}

/** The upkeep of one shard's catalog. */
export class CatalogSweep {
  readonly #table: SweptTable;
  readonly #getStoredBytes: () => number;
  readonly #maxStoredBytes: number;
  #sweptMs: number;

  /** `getStoredBytes`: the size of the object's storage. */
  constructor(
    table: SweptTable,
    getStoredBytes: () => number,
    maxStoredBytes: number = MAX_STORED_BYTES,
  ) {
    this.#table = table;
    this.#getStoredBytes = getStoredBytes;
    this.#maxStoredBytes = maxStoredBytes;
    this.#sweptMs = table.getSweptMs();
  }

  /** Does a limited part. True if more is left. */
  run(nowMs: number): boolean {
    const { catalog } = this.#table;
    const hasMerged = catalog.hasManyRecent && catalog.mergeRecent() > 0;
    const isDue = nowMs - this.#sweptMs >= SWEEP_INTERVAL_MS;
    if (!hasMerged && !isDue) return false;
    const hasMoreExpired = isDue && catalog.deleteExpired(nowMs, MAX_RUNS_PER_SWEEP);
    if (isDue && !hasMoreExpired) {
      this.#sweptMs = nowMs;
      this.#table.saveSweptMs(nowMs);
    }
    const isFull = this.#getStoredBytes() > this.#maxStoredBytes;
    const hasDropped = isFull && catalog.dropOldestIds(MAX_RUNS_PER_SWEEP);
    return (hasMerged && catalog.hasManyRecent) || hasMoreExpired || hasDropped;
  }
}
