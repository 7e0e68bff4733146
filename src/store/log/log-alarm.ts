/**
 * The alarm of a log: it uploads the open chunk, and repeats an upload that KV refused or a call to
 * the index that failed, after 1.2 s and then later and later, up to a minute. The first row sets
 * it, so a restart loses no work.
 */
import type { WriteBudget } from "../kv/write-budget.ts";
import type { LogTable } from "./log-table.ts";
import { getUploadDelayMs } from "./open-chunk.ts";

/** KV allows one write per second and key: a failed upload is not repeated earlier. */
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;

/** The alarm of one shard. */
export class LogAlarm {
  readonly #deps;
  /** The time of the alarm; infinite if it is not set. */
  #atMs = Number.POSITIVE_INFINITY;
  #resumeTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = RETRY_MIN_MS;

  constructor(deps: {
    readonly storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
    readonly table: Pick<LogTable, "isEmpty" | "localChunks">;
    readonly budget: WriteBudget;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** After a restart: reads when it runs. Without an alarm, rows that are left get one soon. */
  async resume(): Promise<void> {
    const { storage, table } = this.#deps;
    const atMs = await storage.getAlarm();
    if (atMs !== null) this.#atMs = atMs;
    else if (!table.isEmpty()) {
      // Usually the alarm itself started the object, and runs now.
      this.#resumeTimer = setTimeout(() => void this.setSoon(), RETRY_MIN_MS);
    }
  }

  /** Call first when the alarm runs. */
  onRun(): void {
    this.#atMs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#resumeTimer);
  }

  /** Call last when the alarm runs: repeated failures are repeated later. */
  async onDone(isSent: boolean, isUploaded: boolean): Promise<void> {
    this.#retryMs = isSent && isUploaded ? RETRY_MIN_MS : Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    await this.setNext(isSent, isUploaded);
  }

  /** Sets the alarm for work that is left now. */
  setSoon(): Promise<void> {
    return this.setBy(this.#deps.nowMs() + RETRY_MIN_MS);
  }

  /** Sets the alarm for the upload of the open chunk. */
  setForUpload(): Promise<void> {
    const { budget, nowMs } = this.#deps;
    const now = nowMs();
    return this.setBy(now + Math.max(this.#getUploadDelayMs(now), budget.getWaitMs(now)));
  }

  /**
   * Sets the alarm for what is left: a repetition after a failure, closed chunks that the write
   * budget delays, or the upload of the open chunk.
   */
  async setNext(isSent: boolean, isUploaded: boolean): Promise<void> {
    const { table, budget, nowMs } = this.#deps;
    if (table.isEmpty()) return;
    const now = nowMs();
    // Rows that the index has not applied are not delayed by the write budget.
    if (!isSent) return this.setBy(now + this.#retryMs);
    const isWaiting = !isUploaded || table.localChunks.hasToUpload();
    const delayMs = isWaiting ? this.#retryMs : this.#getUploadDelayMs(now);
    await this.setBy(now + Math.max(delayMs, budget.getWaitMs(now)));
  }

  /** Sets the alarm, unless it is set to an earlier time. */
  async setBy(atMs: number): Promise<void> {
    if (this.#atMs <= atMs) return;
    this.#atMs = atMs;
    await this.#deps.storage.setAlarm(atMs);
  }

  #getUploadDelayMs(nowMs: number): number {
    return getUploadDelayMs(this.#deps.budget.getPaceMs(nowMs));
  }
}
