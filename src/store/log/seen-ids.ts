/**
 * What makes a report that is sent again within a day count once, without a row or a key for each: the newest ids with their
 * places in memory, and behind them a filter over the whole day. What the filter knows is looked up in all that is stored.
 */
import type { LogPosition } from "../../core/report/report-summary.ts";
import type { ReportId } from "../../core/report.ts";
import { RollingBloomFilter } from "./dedupe/bloom-filter.ts";
import { MAX_RECENT_IDS, RecentIds } from "./dedupe/recent-ids.ts";
import type { LogTable } from "./log-table.ts";

const DEDUPE_WINDOW_MS = 24 * 3_600_000;

/** The ids that one shard of the log has taken within a day. */
export class SeenIds {
  readonly #table: LogTable;
  readonly #shard: string;
  readonly #recent: RecentIds;
  readonly #filter = new RollingBloomFilter(DEDUPE_WINDOW_MS);

  /** Recalls the ids that `table` holds of the day before `nowMs`. */
  constructor(table: LogTable, shard: string, nowMs: number) {
    this.#table = table;
    this.#shard = shard;
    this.#recent = new RecentIds(DEDUPE_WINDOW_MS, nowMs);
    for (const { ids, extraIds, uploadedMs } of table.catalog.readIdsSince(
      nowMs - DEDUPE_WINDOW_MS,
    )) {
      this.#filter.addPacked(ids, uploadedMs);
      for (const { id } of extraIds) this.#filter.add(id, uploadedMs);
    }
    const newest = table.catalog.readNewestIds(nowMs - DEDUPE_WINDOW_MS, shard, MAX_RECENT_IDS);
    for (const { id, position } of newest) this.add(id, position, nowMs);
    for (const { id, position } of table.rows.readIds(shard)) this.add(id, position, nowMs);
  }

  /** Where the report with this id is; undefined when none came within the day. */
  get(id: ReportId): LogPosition | undefined {
    const recent = this.#recent.get(id);
    if (recent !== undefined || !this.#filter.has(id)) return recent;
    return this.findStored(id) ?? undefined;
  }

  /** The same of those that are in memory: of a large project the newest. Reads nothing. */
  getRecent(id: ReportId): LogPosition | undefined {
    return this.#recent.get(id);
  }

  /** Where the report with this id is, however old; null when it never came. Looks through all that is stored. */
  findStored(id: ReportId): LogPosition | null {
    const shard = this.#shard;
    return this.#table.catalog.findById(id, shard) ?? this.#table.rows.findById(id, shard);
  }

  /** Remembers an id from `nowMs` on. */
  add(id: ReportId, position: LogPosition, nowMs: number): void {
    this.#recent.add(id, position, nowMs);
    this.#filter.add(id, nowMs);
  }

  /** Remembers ids that were seen at `seenMs`, and whose places are in the catalogue. */
  addToFilter(ids: Iterable<ReportId>, seenMs: number): void {
    for (const id of ids) this.#filter.add(id, seenMs);
  }
}
