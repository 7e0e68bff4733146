/**
 * The ids of about a day, and where each is: what makes a retry count once, without a row or a key for each report. Two
 * generations: the young one becomes the old one after `keepMs`, so an id is remembered for at least that long and at most
 * twice, and memory does not grow with the object's age. Nor with the traffic: a generation that is full grows old at once,
 * so that under a storm the newest `MAX_IDS` are remembered, however short a time that is.
 */
import type { Position } from "../core/issue.ts";
import type { ReportId } from "../core/report.ts";

/** Ids of one generation: with all that is kept of them some 20 MB. */
export const MAX_IDS = 50_000;

/** Ids and positions of the last `keepMs` to twice that; empty at first. */
export class RecentIds {
  readonly #keepMs: number;
  #young = new Map<ReportId, Position>();
  #old = new Map<ReportId, Position>();
  #turnsMs: number;

  constructor(keepMs: number, nowMs: number) {
    this.#keepMs = keepMs;
    this.#turnsMs = nowMs + keepMs;
  }

  /** Where the report with this id is; undefined when it was not seen recently. */
  get(id: ReportId): Position | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Remembers an id from `nowMs` on. */
  add(id: ReportId, position: Position, nowMs: number): void {
    if (nowMs >= this.#turnsMs || this.#young.size >= MAX_IDS) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turnsMs = nowMs + this.#keepMs;
    }
    this.#young.set(id, position);
  }
}
