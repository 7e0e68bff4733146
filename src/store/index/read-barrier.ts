/**
 * Read-your-writes barrier: before a read, asks every log to send the rows that it acknowledged.
 * Concurrent readers share one flush.
 */

import type { LogApi } from "../objects.ts";
import { withTimeout } from "../with-timeout.ts";
import type { ProjectJobs } from "./jobs/project-jobs.ts";

const FLUSH_TIMEOUT_MS = 300;
/** After a start, the logs first resend all rows that the index had not stored. */
const FIRST_FLUSH_TIMEOUT_MS = 2_000;
/** A small project is rebuilt within this time; readers of a large one use the snapshots in KV. */
const REBUILD_TIMEOUT_MS = 1_000;

export class ReadBarrier {
  readonly #jobs: Pick<ProjectJobs, "isRebuilding" | "throwIfRebuilding" | "run">;
  readonly #listLogs: () => readonly Pick<LogApi, "flush">[];
  readonly #startId: string;
  #flushing: Promise<void> | null = null;
  #hasFlushed = false;

  /** `startId`: that of the index, see `ProjectIndex.applyRows`. */
  constructor(
    jobs: Pick<ProjectJobs, "isRebuilding" | "throwIfRebuilding" | "run">,
    listLogs: () => readonly Pick<LogApi, "flush">[],
    startId: string,
  ) {
    this.#jobs = jobs;
    this.#listLogs = listLogs;
    this.#startId = startId;
  }

  /**
   * Resolves when every log that answers in time has sent its rows. Rejects while the index is
   * being rebuilt, unless the rebuild ends within a second, because the snapshots in KV are more
   * complete than an index during a rebuild.
   */
  async wait(): Promise<void> {
    if (this.#jobs.isRebuilding)
      await withTimeout(this.#jobs.run(), REBUILD_TIMEOUT_MS).catch(() => undefined);
    this.#jobs.throwIfRebuilding();
    this.#flushing ??= this.#flushLogs().finally(() => {
      this.#flushing = null;
    });
    await this.#flushing;
    // A rebuild may have started during the flush.
    this.#jobs.throwIfRebuilding();
  }

  async #flushLogs(): Promise<void> {
    const flushes = this.#listLogs().map((log) => log.flush(this.#startId));
    const timeoutMs = this.#hasFlushed ? FLUSH_TIMEOUT_MS : FIRST_FLUSH_TIMEOUT_MS;
    // If a shard does not answer in time, the read lacks its latest reports.
    const flushed = await withTimeout(Promise.allSettled(flushes), timeoutMs).catch(() => []);
    this.#hasFlushed ||= flushed.some(({ status }) => status === "fulfilled");
  }
}
