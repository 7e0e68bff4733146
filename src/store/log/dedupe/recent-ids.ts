/**
 * The ids of about a day, and where each is: what makes a retry count once, without a row or a key for each report. Two
 * generations: the young one becomes the old one after `keepMs`, so an id is remembered for at least that long and at most
 * twice, and memory does not grow with the object's age. Nor with the traffic: a generation that is full grows old at once,
 * so that under a storm the newest `MAX_IDS` are remembered, however short a time that is.
 */
import type { LogPosition } from "../../../core/report/report-summary.ts";
import type { ReportId } from "../../../core/report.ts";

/** Ids of one generation: with all that is kept of them some 20 MB. */
export const MAX_RECENT_IDS = 50_000;

/** Ids and positions of the last `keepMs` to twice that; empty at first. */
export class RecentIds {
  readonly #ttlMs: number;
  #current = new Map<ReportId, LogPosition>();
  #previous = new Map<ReportId, LogPosition>();
  #rotateAtMs: number;

  constructor(ttlMs: number, nowMs: number) {
    this.#ttlMs = ttlMs;
    this.#rotateAtMs = nowMs + ttlMs;
  }

  /** Where the report with this id is; undefined when it was not seen recently. */
  get(id: ReportId): LogPosition | undefined {
    return this.#current.get(id) ?? this.#previous.get(id);
  }

  /** Remembers an id from `nowMs` on. */
  add(id: ReportId, position: LogPosition, nowMs: number): void {
    if (nowMs >= this.#rotateAtMs || this.#current.size >= MAX_RECENT_IDS) {
      this.#previous = this.#current;
      this.#current = new Map();
      this.#rotateAtMs = nowMs + this.#ttlMs;
    }
    this.#current.set(id, position);
  }
}
