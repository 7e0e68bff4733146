/**
 * Spreads KV writes over a UTC day (the free plan has 1,000 per day). A third of the budget is
 * available at any hour; the rest becomes available evenly during the day. Data that waits is
 * durable in the object. The usage is stored at most once a second, and survives a restart.
 */

import type { WriteBudgetUsage } from "../../core/stats/store-health.ts";
import { DAY_MS, toDayNumber } from "../../core/utc-time.ts";
import { table, upsert } from "../sqlite/table.ts";

/** The table of a budget, in each object that has one. */
export const WRITE_BUDGET = table(
  "write_budget",
  { id: "INTEGER", day: "INTEGER NOT NULL", spent: "INTEGER NOT NULL" },
  ["id"],
  { wipe: "never", expire: "never", erase: "no text" },
);
const SAVE = upsert("write_budget", ["id"], ["day", "spent"]);

const BURST_SHARE = 1 / 3;
const SAVE_INTERVAL_MS = 1_000;

/** The budget of one object. */
export class WriteBudget {
  readonly #sql: SqlStorage;
  readonly #perDay: number;
  #day: number;
  #spent: number;
  #savedMs = 0;
  #isSaveScheduled = false;

  /** `perDay`: the writes of this object per day. */
  constructor(storage: DurableObjectStorage, perDay: number) {
    this.#sql = storage.sql;
    this.#perDay = perDay;
    const [row] = this.#sql.exec<{ day: number; spent: number }>(
      "SELECT day, spent FROM write_budget",
    );
    this.#day = row?.day ?? 0;
    this.#spent = row?.spent ?? 0;
  }

  /**
   * How long a write at `nowMs` must wait, in ms; 0 if it is within the budget. `part` is the part
   * of the budget that the write may use, from 0 to 1.
   */
  getWaitMs(nowMs: number, part = 1): number {
    if (this.getAvailable(nowMs, part) > 0) return 0;
    const dayFraction = (nowMs % DAY_MS) / DAY_MS;
    const spent = this.#countSpent(toDayNumber(nowMs));
    const nextShare = (spent / (this.#perDay * part) - BURST_SHARE) / (1 - BURST_SHARE);
    // The next day starts with a third again.
    return Math.floor(Math.max(0, Math.min(nextShare, 1) - dayFraction) * DAY_MS) + 1;
  }

  /** The interval at which the remaining writes last until the end of the day, in ms. */
  getPaceMs(nowMs: number): number {
    const remaining = this.#perDay - this.#countSpent(toDayNumber(nowMs));
    return (DAY_MS - (nowMs % DAY_MS)) / Math.max(1, remaining);
  }

  /** The writes that are available at `nowMs`, or available within a `part` of the budget. */
  getAvailable(nowMs: number, part = 1): number {
    const spent = this.#countSpent(toDayNumber(nowMs));
    return Math.max(0, this.#countShare(nowMs, part) - spent);
  }

  /** Counts writes, including those that fail. */
  spend(nowMs: number, writes = 1): void {
    const day = toDayNumber(nowMs);
    this.#spent = this.#countSpent(day) + writes;
    this.#day = day;
    if (nowMs - this.#savedMs >= SAVE_INTERVAL_MS) {
      this.#savedMs = nowMs;
      this.#save();
    } else if (!this.#isSaveScheduled) {
      this.#isSaveScheduled = true;
      setTimeout(() => this.#save(), SAVE_INTERVAL_MS);
    }
  }

  #save(): void {
    this.#isSaveScheduled = false;
    this.#sql.exec(SAVE, 1, this.#day, this.#spent);
  }

  getUsage(nowMs: number): WriteBudgetUsage {
    return { perDay: this.#perDay, usedToday: this.#countSpent(toDayNumber(nowMs)) };
  }

  /** Rounded up, so that the smallest budgets are used completely. */
  #countShare(nowMs: number, part: number): number {
    const dayFraction = (nowMs % DAY_MS) / DAY_MS;
    return Math.ceil(this.#perDay * part * (BURST_SHARE + (1 - BURST_SHARE) * dayFraction));
  }

  #countSpent(day: number): number {
    return day === this.#day ? this.#spent : 0;
  }
}
