/**
 * Writes into KV, spread over a UTC day so that the day's writes last: on the free plan there are 1,000. What is over the pace
 * waits where it is durable anyway. A third of a day's writes may be spent at any hour, the rest comes evenly with the day.
 * What was spent is kept in the object's own storage, because a restart must not spend it again.
 */

import type { WriteBudgetUsage } from "../../core/stats/store-health.ts";

const DAY_MS = 86_400_000;
const BURST_SHARE = 1 / 3;

/** One object's share of the project's writes. */
export class WriteBudget {
  readonly #sql: SqlStorage;
  readonly #perDay: number;
  #day: number;
  #spent: number;

  /** `perDay` is the object's own share. */
  constructor(storage: DurableObjectStorage, perDay: number) {
    this.#sql = storage.sql;
    this.#perDay = perDay;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS write_budget(id INTEGER PRIMARY KEY, day INTEGER NOT NULL, spent INTEGER NOT NULL)",
    );
    const [row] = this.#sql.exec<{ day: number; spent: number }>(
      "SELECT day, spent FROM write_budget",
    );
    this.#day = row?.day ?? 0;
    this.#spent = row?.spent ?? 0;
  }

  /** How long a write that is wanted at `nowMs` should wait, in ms; 0 when it is within the pace. */
  getWaitMs(nowMs: number): number {
    const spent = this.#countSpent(toDayNumber(nowMs));
    const dayFraction = (nowMs % DAY_MS) / DAY_MS;
    const share = BURST_SHARE + (1 - BURST_SHARE) * dayFraction;
    // Of the smallest budget too all is spent before the day ends.
    if (spent < Math.ceil(this.#perDay * share)) return 0;
    const nextShare = (spent / this.#perDay - BURST_SHARE) / (1 - BURST_SHARE);
    // Tomorrow begins with a third again, whatever the share.
    return Math.floor((Math.min(nextShare, 1) - dayFraction) * DAY_MS) + 1;
  }

  /** Notes one write, whatever becomes of it: a refused one counts too. */
  spend(nowMs: number): void {
    const day = toDayNumber(nowMs);
    this.#spent = this.#countSpent(day) + 1;
    this.#day = day;
    this.#sql.exec(
      "INSERT OR REPLACE INTO write_budget(id, day, spent) VALUES (1, ?, ?)",
      this.#day,
      this.#spent,
    );
  }

  getUsage(nowMs: number): WriteBudgetUsage {
    return { perDay: this.#perDay, usedToday: this.#countSpent(toDayNumber(nowMs)) };
  }

  #countSpent(day: number): number {
    return day === this.#day ? this.#spent : 0;
  }
}

function toDayNumber(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}
