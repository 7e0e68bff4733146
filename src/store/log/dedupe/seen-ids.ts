/**
 * Deduplication: the ids that one shard has stored within a day or longer. The newest are in memory
 * with their positions; a Bloom filter covers the whole day. An id that the filter contains is
 * looked up in the stored rows and the catalog. An id needs no row or key. A report whose id is
 * found is skipped by `report-batcher.ts`.
 *
 * Public and page reports store a limited number of ids an hour, because the filter has room for
 * four million a day. Their other ids are only in memory, in a separate map.
 */

import type { LogPosition } from "../../../core/report/report-summary.ts";
import type { ReportId } from "../../../core/report.ts";
import type { ChunkCatalog } from "../catalog/chunk-catalog.ts";
import { RollingBloomFilter } from "./bloom-filter.ts";

const DEDUPE_WINDOW_MS = 24 * 3_600_000;

/** The tables with stored ids; `LogTable` has them. */
interface IdTables {
  readonly catalog: Pick<ChunkCatalog, "findByIds" | "readKeysSince" | "readRecentIds">;
  readonly rows: {
    findByIds(ids: readonly ReportId[]): ReadonlyMap<ReportId, LogPosition>;
    readIds(): Iterable<{ readonly id: ReportId; readonly position: LogPosition }>;
  };
}

/** The ids of one shard. */
export class SeenIds {
  readonly #table: IdTables;
  #recent: RecentIds;
  /** Ids that are only in memory. */
  #unstored: RecentIds;
  #filter: RollingBloomFilter;

  /** Loads the ids of the last day before `nowMs` from `table`. */
  constructor(table: IdTables, nowMs: number) {
    this.#table = table;
    this.#recent = new RecentIds(DEDUPE_WINDOW_MS, nowMs);
    this.#unstored = new RecentIds(DEDUPE_WINDOW_MS, nowMs);
    this.#filter = new RollingBloomFilter(DEDUPE_WINDOW_MS);
    this.#load(nowMs);
  }

  /** The position of a report stored within the last day. For older ones usually undefined. */
  get(id: ReportId): LogPosition | undefined {
    const recent = this.#recent.get(id) ?? this.#unstored.get(id);
    if (recent !== undefined || !this.#filter.has(id)) return recent;
    return this.findStored([id]) ?? undefined;
  }

  /** The position of a stored report of any age. */
  getOfAnyAge(id: ReportId): LogPosition | undefined {
    return this.get(id) ?? this.#table.catalog.findByIds([id]).get(id);
  }

  /** Those ids that are stored, of any age. Reads the recent chunks once for many ids. */
  findAllOfAnyAge(ids: readonly ReportId[]): ReadonlySet<ReportId> {
    const { catalog, rows } = this.#table;
    const isRecent = (id: ReportId) =>
      (this.#recent.get(id) ?? this.#unstored.get(id)) !== undefined;
    const others = ids.filter((id) => !isRecent(id));
    const uploaded =
      others.length > 0 ? catalog.findByIds(others) : new Map<ReportId, LogPosition>();
    const isInRows = (id: ReportId) => this.#filter.has(id) && rows.findByIds([id]).has(id);
    return new Set(ids.filter((id) => isRecent(id) || uploaded.has(id) || isInRows(id)));
  }

  /** The position of an id of any age, otherwise of the first of `otherIds` that is stored. */
  locate(id: ReportId, otherIds: readonly ReportId[]): LogPosition | null {
    // First looks for this id alone: an older report with it takes precedence.
    return this.get(id) ?? this.findStored([id, ...otherIds]);
  }

  /** The position of the first of these ids that was stored within the last day. */
  locateRecent(ids: readonly ReportId[]): LogPosition | null {
    const positions = ids.map((id) => this.get(id));
    return positions.find((position) => position !== undefined) ?? null;
  }

  /**
   * The position of the first of these ids that is stored, of any age; null if this shard never
   * stored one. Reads the rows that are not in KV yet, and a few blocks of the catalog.
   */
  findStored(ids: readonly ReportId[]): LogPosition | null {
    const { catalog, rows } = this.#table;
    const uploaded = catalog.findByIds(ids);
    const id = ids.find((one) => uploaded.has(one));
    if (id === ids[0] && id !== undefined) return uploaded.get(id) ?? null;
    const local = rows.findByIds(ids);
    const found = ids.map((one) => uploaded.get(one) ?? local.get(one));
    return found.find((position) => position !== undefined) ?? null;
  }

  /** Adds an id that is stored at `nowMs`. */
  add(id: ReportId, position: LogPosition, nowMs: number): void {
    this.#recent.add(id, position, nowMs);
    this.#filter.add(id, nowMs);
  }

  /** Adds the id of a report without storing the id. */
  addUnstored(id: ReportId, position: LogPosition, nowMs: number): void {
    this.#unstored.add(id, position, nowMs);
  }

  /** Adds ids whose positions are in the catalog, stored at `seenMs`. */
  addToFilter(ids: Iterable<ReportId>, seenMs: number): void {
    for (const id of ids) this.#filter.add(id, seenMs);
  }

  /** Replaces all ids by those that `table` has now. */
  reload(nowMs: number): void {
    this.#recent = new RecentIds(DEDUPE_WINDOW_MS, nowMs);
    this.#unstored = new RecentIds(DEDUPE_WINDOW_MS, nowMs);
    this.#filter = new RollingBloomFilter(DEDUPE_WINDOW_MS);
    this.#load(nowMs);
  }

  #load(nowMs: number): void {
    const { catalog, rows } = this.#table;
    const sinceMs = nowMs - DEDUPE_WINDOW_MS;
    for (const { key, uploadedMs } of catalog.readKeysSince(sinceMs))
      this.#filter.addKey(key, uploadedMs);
    for (const { id, position } of catalog.readRecentIds(sinceMs))
      this.#recent.add(id, position, nowMs);
    for (const { id, position } of rows.readIds()) this.add(id, position, nowMs);
  }
}

// The newest ids with their positions, in two generations. A generation is replaced after `ttlMs`
// or when it is full, so memory grows neither with the object's age nor with the load.

/** Ids of one generation. Two generations take about 20 MB. */
export const MAX_RECENT_IDS = 50_000;

/** Ids and positions of the last `ttlMs` to twice that, up to the limit. */
class RecentIds {
  readonly #ttlMs: number;
  #current = new Map<ReportId, LogPosition>();
  #previous = new Map<ReportId, LogPosition>();
  #rotateAtMs: number;

  constructor(ttlMs: number, nowMs: number) {
    this.#ttlMs = ttlMs;
    this.#rotateAtMs = nowMs + ttlMs;
  }

  /** The position of a recent report, otherwise undefined. */
  get(id: ReportId): LogPosition | undefined {
    return this.#current.get(id) ?? this.#previous.get(id);
  }

  /** Adds an id at `nowMs`. */
  add(id: ReportId, position: LogPosition, nowMs: number): void {
    if (nowMs >= this.#rotateAtMs || this.#current.size >= MAX_RECENT_IDS) {
      this.#previous = this.#current;
      this.#current = new Map();
      this.#rotateAtMs = nowMs + this.#ttlMs;
    }
    this.#current.set(id, position);
  }
}
