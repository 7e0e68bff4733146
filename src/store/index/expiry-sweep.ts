/** Deletes expired data of the index: at most once an hour, because it reads every issue. */
import { getRetentionSeconds } from "../../core/issue/retention.ts";
import type { IndexTables } from "./state/index-tables.ts";

const SWEEP_INTERVAL_MS = 3_600_000;

export class ExpirySweep {
  readonly #tables: IndexTables;
  readonly #retentionDays: number;
  #sweptMs = 0;

  constructor(tables: IndexTables, retentionDays: number) {
    this.#tables = tables;
    this.#retentionDays = retentionDays;
  }

  /** Deletes what expired before `nowMs`, unless the last sweep was less than an hour ago. */
  run(nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_INTERVAL_MS) return;
    this.#sweptMs = nowMs;
    const getOldestMs = (isCommon: boolean) =>
      nowMs - getRetentionSeconds(this.#retentionDays, isCommon) * 1000;
    this.#tables.deleteExpired(getOldestMs(false), getOldestMs(true), nowMs);
  }
}
