/**
 * Receives the rows of the logs and applies each once. While rows come in quick succession, or
 * public reports have used up their rows of the day, their changes are staged: they are stored with
 * those of later rows, before any query of the tables, and after a minute at the latest; those of
 * public reports that have used up their rows as `public-rows.ts` says. A log keeps its rows until
 * they are stored. Synchronous.
 */
import { MINUTE_MS } from "../../core/utc-time.ts";
import type { ApplyResult, SequencedItem } from "../log/log-entries.ts";
import { HeldAlertLogLimit } from "./alerts/judge-batch.ts";
import type { AppliedChanges } from "./apply/apply-log.ts";
import { applyLogOnce, NO_CHANGES } from "./apply/apply-log-once.ts";
import { isPublicRow } from "./apply/count-rows.ts";
import type { IndexTables } from "./state/index-tables.ts";

/** Rows come in quick succession if about `BUSY_CALLS` calls with rows came in `BUSY_MS`. */
const BUSY_CALLS = 10;
const BUSY_MS = 10_000;

interface ReceiveOptions {
  readonly nowMs: number;
  /** The `startId` that the log knows; undefined if it sends all its rows. */
  readonly startId: string | undefined;
  /** False if the changes must be stored at once. */
  readonly mayStage: boolean;
  /** True if a row must follow the last applied one. */
  readonly isGapless: boolean;
}

interface Received {
  readonly changes: AppliedChanges;
  readonly result: ApplyResult;
}

export class RowReceiver {
  readonly #tables: IndexTables;
  /** Changes with every restart, which loses staged changes. */
  readonly startId = crypto.randomUUID();
  readonly #heldLog = new HeldAlertLogLimit();
  /** The number of latest calls; earlier ones have a lower weight. */
  #calls = 0;
  #calledMs = 0;
  #storedMs = 0;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** Applies rows. Without rows it stores what is staged, unless other logs are busy. */
  receive(shard: string, rows: readonly SequencedItem[], options: ReceiveOptions): Received {
    const { nowMs, startId, isGapless } = options;
    // The log need not resend rows that the index had received before it restarted.
    if (startId !== undefined && startId !== this.startId) return this.#toReceived(shard);
    if (rows.length > 0) this.#countCall(nowMs);
    if (!this.#tables.hasStaged) this.#storedMs = nowMs;
    const { meter, publicRows } = this.#tables;
    const isPublic = rows.every(isPublicRow);
    const isGathering = publicRows.isGathering(nowMs) && (isPublic || this.#tables.hasStaged);
    const waitMs =
      isPublic && this.#tables.isGathering(nowMs) ? publicRows.getWaitMs(nowMs) : MINUTE_MS;
    const isRecentlyStored = Math.abs(nowMs - this.#storedMs) < waitMs;
    const mayStage = options.mayStage && (isGathering || this.#isBusy(nowMs)) && isRecentlyStored;
    if (rows.length === 0) {
      if (!mayStage) this.#tables.writeStaged();
      return this.#toReceived(shard);
    }
    // During a rebuild, logs resend all reports, which have caused their alerts before.
    const judging = isGapless ? {} : { heldLog: this.#heldLog };
    const applyOptions = { isGapless, mayStage, ...judging };
    const others = () => meter.rows - this.#tables.rowsOfStaged;
    const before = others();
    const changes = applyLogOnce(this.#tables, shard, rows, nowMs, applyOptions);
    if (isPublic) publicRows.add(others() - before, nowMs);
    return this.#toReceived(shard, changes);
  }

  #countCall(nowMs: number): void {
    this.#calls = this.#weighCalls(nowMs) + 1;
    this.#calledMs = nowMs;
  }

  #weighCalls(nowMs: number): number {
    // The clock can be set back by hours.
    return this.#calls * Math.exp(-Math.max(0, nowMs - this.#calledMs) / BUSY_MS);
  }

  #isBusy(nowMs: number): boolean {
    return this.#weighCalls(nowMs) >= BUSY_CALLS;
  }

  #toReceived(shard: string, changes = NO_CHANGES): Received {
    const { shardProgress } = this.#tables;
    const result = {
      seq: shardProgress.getAppliedSeq(shard),
      storedSeq: shardProgress.getStoredSeq(shard),
      startId: this.startId,
      commonIssues: changes.commonIssues,
    };
    return { changes, result };
  }
}
