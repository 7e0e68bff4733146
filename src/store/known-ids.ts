/**
 * What makes a report that is sent again within a day count once, without a row or a key for each: the newest ids with their
 * places in memory, and behind them a filter over the whole day. What the filter knows is looked up in all that is stored.
 */
import type { Position } from "../core/issue.ts";
import type { ReportId } from "../core/report.ts";
import { IdFilter } from "./id-filter.ts";
import type { LogTable } from "./log-table.ts";
import { MAX_IDS, RecentIds } from "./recent-ids.ts";

const REMEMBER_MS = 24 * 3_600_000;

/** The ids that one shard of the log has taken within a day. */
export class KnownIds {
  readonly #table: LogTable;
  readonly #shard: string;
  readonly #recent: RecentIds;
  readonly #filter = new IdFilter(REMEMBER_MS);

  /** Recalls the ids that `table` holds of the day before `nowMs`. */
  constructor(table: LogTable, shard: string, nowMs: number) {
    this.#table = table;
    this.#shard = shard;
    this.#recent = new RecentIds(REMEMBER_MS, nowMs);
    for (const { ids, placed, copiedMs } of table.catalogue.idsSince(nowMs - REMEMBER_MS)) {
      this.#filter.addPacked(ids, copiedMs);
      for (const { id } of placed) this.#filter.add(id, copiedMs);
    }
    const newest = table.catalogue.newest(nowMs - REMEMBER_MS, shard, MAX_IDS);
    for (const { id, position } of newest) this.add(id, position, nowMs);
    for (const { id, position } of table.rows.ids(shard)) this.add(id, position, nowMs);
  }

  /** Where the report with this id is; undefined when none came within the day. */
  get(id: ReportId): Position | undefined {
    const recent = this.#recent.get(id);
    if (recent !== undefined || !this.#filter.has(id)) return recent;
    return this.find(id) ?? undefined;
  }

  /** The same of those that are in memory: of a large project the newest. Reads nothing. */
  recent(id: ReportId): Position | undefined {
    return this.#recent.get(id);
  }

  /** Where the report with this id is, however old; null when it never came. Looks through all that is stored. */
  find(id: ReportId): Position | null {
    const shard = this.#shard;
    return this.#table.catalogue.find(id, shard) ?? this.#table.rows.find(id, shard);
  }

  /** Remembers an id from `nowMs` on. */
  add(id: ReportId, position: Position, nowMs: number): void {
    this.#recent.add(id, position, nowMs);
    this.#filter.add(id, nowMs);
  }

  /** Remembers ids that were seen at `seenMs`, and whose places are in the catalogue. */
  note(ids: Iterable<ReportId>, seenMs: number): void {
    for (const id of ids) this.#filter.add(id, seenMs);
  }
}
