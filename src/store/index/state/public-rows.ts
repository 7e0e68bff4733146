/**
 * The rows that public reports write in a UTC day. When the index has written its share, it gathers
 * their counters in memory and writes them once a minute, or less often if many issues change; new
 * issues are stored only if reports from many networks arrive. Synchronous.
 */
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { countNetworks, mergeNetworkSketches } from "../../../core/stats/network-sketch.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toUtcDay } from "../../../core/utc-time.ts";
import type { DailyCapTable } from "../tables/daily-cap-table.ts";

/** Half of the rows are for the logs. */
const SHARE = 1 / 2;
/** The most rows of a report that begins an issue, and of one that changes a stored issue. */
const ROWS_OF_NEW_ISSUE = 60;
const ROWS_OF_CHANGE = 20;
/** Issues that are gathered at once, and after the day's rows of gathered changes. */
const MAX_GATHERED = 500;
const MAX_GATHERED_LATER = 10;
/** The longest time for which lists do not show gathered changes. */
const MAX_WAIT_MS = HOUR_MS;
/** New issues whose networks are remembered. */
const MAX_CANDIDATES = 10_000;

export class PublicRows {
  readonly #caps: DailyCapTable;
  readonly #scale: number;
  readonly #max: number;
  readonly #maxGathered: number;
  /** Rows of changes that are not written yet. */
  #reserved = 0;
  /** The rows of the last write of gathered changes. */
  #lastRows = 0;
  /** The networks of issues that were not stored, the least recent first. */
  readonly #candidates = new Map<Digest, string | undefined>();

  /** `scale`: the budget of the deployment, in free plans. */
  constructor(caps: DailyCapTable, scale: number) {
    this.#caps = caps;
    this.#scale = scale;
    this.#max = limits.maxPublicRowsPerDay * SHARE * scale;
    this.#maxGathered = limits.maxGatheredRowsPerDay * scale;
  }

  /** True if public reports have used up their share of the day's rows. */
  isGathering(nowMs: number): boolean {
    const room = this.#max - ROWS_OF_NEW_ISSUE - this.#reserved;
    return !this.#caps.hasRoom(toUtcDay(nowMs), "row", room);
  }

  /** How long gathered changes wait, in ms: a minute, longer if their rows would be used up. */
  getWaitMs(nowMs: number): number {
    const left = this.#maxGathered - this.#caps.getUsed(toUtcDay(nowMs), "gathered-row");
    const leftMs = DAY_MS - (nowMs % DAY_MS);
    const paceMs = (this.#lastRows * leftMs) / Math.max(1, left);
    return Math.max(MINUTE_MS, Math.min(MAX_WAIT_MS, paceMs));
  }

  /** True if a public report may begin an issue. */
  takeNew({ digest, networkSketch }: ReportSummary, nowMs: number): boolean {
    if (!this.isGathering(nowMs)) {
      this.#reserved += ROWS_OF_NEW_ISSUE;
      return true;
    }
    const sketch = mergeNetworkSketches(this.#candidates.get(digest), networkSketch);
    this.#candidates.delete(digest);
    if (countNetworks(sketch) >= limits.minUnfoldedNetworks) return this.#takeWide(nowMs);
    this.#candidates.set(digest, sketch);
    const [oldest] = this.#candidates.size > MAX_CANDIDATES ? this.#candidates.keys() : [];
    if (oldest !== undefined) this.#candidates.delete(oldest);
    return false;
  }

  #takeWide(nowMs: number): boolean {
    const max = limits.maxWideIssuesPerDay * this.#scale;
    return this.#caps.take(toUtcDay(nowMs), "wide-issue", max) > 0;
  }

  /** True if a public report may change an issue that is not gathered yet. `gathered`: how many. */
  takeChange(gathered: number, nowMs: number): boolean {
    if (!this.isGathering(nowMs)) {
      this.#reserved += ROWS_OF_CHANGE;
      return true;
    }
    const day = toUtcDay(nowMs);
    const hasRoom = this.#caps.hasRoom(day, "gathered-row", this.#maxGathered);
    return gathered < (hasRoom ? MAX_GATHERED : MAX_GATHERED_LATER * this.#scale);
  }

  /** Counts rows of public reports. Call `save` of the caps afterwards. */
  add(rows: number, nowMs: number): void {
    const day = toUtcDay(nowMs);
    const isOfShare = rows > 0 && !this.isGathering(nowMs);
    const taken = isOfShare ? this.#caps.take(day, "row", this.#max, rows) : 0;
    if (rows > taken) this.#caps.add(day, "gathered-row", rows - taken);
  }

  /** Counts the rows of changes that were gathered or reserved. */
  onWritten(rows: number, nowMs: number): void {
    // The last write before the share was used up says nothing about gathered ones.
    this.#lastRows = this.isGathering(nowMs) ? rows : 0;
    this.add(rows, nowMs);
    this.#reserved = 0;
  }
}
