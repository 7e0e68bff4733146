/**
 * The newest ids with their positions, in two generations. A generation is replaced after `ttlMs`
 * or when it is full, so memory grows neither with the object's age nor with the load.
 */
import type { LogPosition } from "../../../core/report/report-summary.ts";
import type { ReportId } from "../../../core/report.ts";

/** Ids of one generation. Two generations take about 20 MB. */
export const MAX_RECENT_IDS = 50_000;

/** Ids and positions of the last `ttlMs` to twice that, up to the limit. */
export class RecentIds {
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
