/**
 * The rows that public reports write in a UTC day. When the index has written its share, it gathers
 * their counters in memory and writes them once a minute, or less often if many issues change; new
 * issues are stored only if reports from many networks arrive. Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { countNetworks, mergeNetworkSketches } from "../../../core/stats/network-sketch.ts";
import { DAY_MS, MINUTE_MS, toUtcDay } from "../../../core/utc-time.ts";
import type { DailyCapTable } from "../tables/daily-cap-table.ts";

/** Half of the rows are for the logs. */
const MAX_ROWS = limits.maxPublicRowsPerDay / 2;
/** The most rows of a report that begins an issue, and of one that changes a stored issue. */
const ROWS_OF_NEW_ISSUE = 60;
const ROWS_OF_CHANGE = 20;
/** Issues that are gathered at once. */
const MAX_GATHERED = 500;
/** New issues whose networks are remembered. */
const MAX_CANDIDATES = 10_000;

export class PublicRows {
  readonly #caps: DailyCapTable;
  /** Rows of changes that are not written yet. */
  #reserved = 0;
  /** The rows of the last write of gathered changes. */
  #lastRows = 0;
  /** The networks of issues that were not stored, the least recent first. */
  readonly #candidates = new Map<Digest, string | undefined>();

  constructor(caps: DailyCapTable) {
    this.#caps = caps;
  }

  /** True if public reports have used up their share of the day's rows. */
  isGathering(nowMs: number): boolean {
    const room = MAX_ROWS - ROWS_OF_NEW_ISSUE - this.#reserved;
    return !this.#caps.hasRoom(toUtcDay(nowMs), "row", room);
  }

  /** How long gathered changes wait, in ms: a write a minute, and `maxGatheredRows` a day. */
  getWaitMs(nowMs: number): number {
    const left = limits.maxGatheredRowsPerDay - this.#caps.getUsed(toUtcDay(nowMs), "gathered-row");
    const leftMs = DAY_MS - (nowMs % DAY_MS);
    return Math.max(MINUTE_MS, Math.min(leftMs, (this.#lastRows * leftMs) / Math.max(1, left)));
  }

  /** True if a public report may begin an issue. */
  takeNew({ digest, networkSketch }: ReportSummary, nowMs: number): boolean {
    if (!this.isGathering(nowMs)) {
      this.#reserved += ROWS_OF_NEW_ISSUE;
      return true;
    }
    const sketch = mergeNetworkSketches(this.#candidates.get(digest), networkSketch);
    this.#candidates.delete(digest);
    if (countNetworks(sketch) >= limits.minUnfoldedNetworks)
      return this.#caps.take(toUtcDay(nowMs), "wide-issue", limits.maxWideIssuesPerDay) > 0;
    this.#candidates.set(digest, sketch);
    const [oldest] = this.#candidates.size > MAX_CANDIDATES ? this.#candidates.keys() : [];
    if (oldest !== undefined) this.#candidates.delete(oldest);
    return false;
  }

  /** True if a public report may change an issue that is not gathered yet. `gathered`: how many. */
  takeChange(gathered: number, nowMs: number): boolean {
    if (!this.isGathering(nowMs)) {
      this.#reserved += ROWS_OF_CHANGE;
      return true;
    }
    const day = toUtcDay(nowMs);
    const hasRoom = this.#caps.hasRoom(day, "gathered-row", limits.maxGatheredRowsPerDay);
    return hasRoom && gathered < MAX_GATHERED;
  }

  /** Counts rows of public reports. Call `save` of the caps afterwards. */
  add(rows: number, nowMs: number): void {
    const day = toUtcDay(nowMs);
    const isOfShare = rows > 0 && !this.isGathering(nowMs);
    const taken = isOfShare ? this.#caps.take(day, "row", MAX_ROWS, rows) : 0;
    if (rows > taken) this.#caps.add(day, "gathered-row", rows - taken);
  }

  /** Counts the rows of changes that were gathered or reserved. */
  onWritten(rows: number, nowMs: number): void {
    this.add(rows, nowMs);
    this.#lastRows = rows;
    this.#reserved = 0;
  }
}
