/**
 * Deletes expired data of the index once an hour, a few issues per turn, so that no request waits
 * long. A table stores the time of the last complete sweep, so a restart neither repeats a sweep
 * nor loses an interrupted one.
 */
import { getRetentionSeconds } from "../../core/issue/retention.ts";
import { upsert } from "../sqlite/table.ts";
import { yieldToRequests } from "../yield-to-requests.ts";
import type { IndexTables } from "./state/index-tables.ts";

const SAVE = upsert("expiry_sweep", ["id"], ["swept_ms"]);

const SWEEP_INTERVAL_MS = 3_600_000;
/** About 5 ms of CPU, and up to 10 more when the full-text tables merge their segments. */
const MAX_ISSUES_PER_TURN = 5;
/** About 2 s of CPU. Each further run is an alarm, which is billed. */
const MAX_TURNS_PER_RUN = 400;

export class ExpirySweep {
  readonly #sql: SqlStorage;
  readonly #tables: IndexTables;
  readonly #retentionDays: number;
  #hasMore = false;

  constructor({ sql }: DurableObjectStorage, tables: IndexTables, retentionDays: number) {
    this.#sql = sql;
    this.#tables = tables;
    this.#retentionDays = retentionDays;
  }

  /** True if the last `run` was incomplete: the alarm should continue soon. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Deletes some issues that expired before `nowMs`, unless the last sweep was within an hour. */
  async run(nowMs: number): Promise<void> {
    if (nowMs - this.#readSweptMs() < SWEEP_INTERVAL_MS) return;
    for (let turn = 0; turn < MAX_TURNS_PER_RUN; turn++) {
      if (turn > 0) await yieldToRequests();
      this.#deleteSome(nowMs);
      if (!this.#hasMore) return;
    }
  }

  #deleteSome(nowMs: number): void {
    const getOldestMs = (isCommon: boolean) =>
      nowMs - getRetentionSeconds(this.#retentionDays, isCommon) * 1000;
    const [beforeMs, commonBeforeMs] = [getOldestMs(false), getOldestMs(true)];
    const max = MAX_ISSUES_PER_TURN;
    const count = this.#tables.deleteExpiredIssues(beforeMs, commonBeforeMs, nowMs, max);
    this.#hasMore = count > 0 || this.#tables.deleteExpired(beforeMs, nowMs);
    if (this.#hasMore) return;
    this.#sql.exec(SAVE, 1, nowMs);
  }

  #readSweptMs(): number {
    const query = "SELECT swept_ms AS sweptMs FROM expiry_sweep";
    const [row] = this.#sql.exec<{ sweptMs: number }>(query);
    return row?.sweptMs ?? 0;
  }
}
