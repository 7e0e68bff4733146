/**
 * Read-your-writes barrier: before a read, asks every log to send the rows that it acknowledged.
 * Concurrent readers share one flush.
 */

import type { ReportLogRpc } from "../rpc/rpc.ts";
import { withTimeout } from "../with-timeout.ts";
import type { ProjectJobs } from "./jobs/jobs.ts";

const FLUSH_TIMEOUT_MS = 300;
/** A small project is rebuilt within this time; readers of a large one use the snapshots in KV. */
const REBUILD_TIMEOUT_MS = 1_000;

export class ReadBarrier {
  readonly #jobs: Pick<ProjectJobs, "isRebuilding" | "throwIfRebuilding" | "run">;
  readonly #listLogs: () => readonly Pick<ReportLogRpc, "flush">[];
  #flushing: Promise<void> | null = null;

  constructor(
    jobs: Pick<ProjectJobs, "isRebuilding" | "throwIfRebuilding" | "run">,
    listLogs: () => readonly Pick<ReportLogRpc, "flush">[],
  ) {
    this.#jobs = jobs;
    this.#listLogs = listLogs;
  }

  /**
   * Resolves when every log that answers in time has sent its rows. Rejects while the index is
   * being rebuilt, unless the rebuild ends within a second: the snapshots in KV are more complete
   * then.
   */
  async wait(): Promise<void> {
    if (this.#jobs.isRebuilding) {
      await withTimeout(this.#jobs.run(), REBUILD_TIMEOUT_MS).catch(() => undefined);
    }
    this.#jobs.throwIfRebuilding();
    this.#flushing ??= this.#flushLogs().finally(() => {
      this.#flushing = null;
    });
    await this.#flushing;
    // A rebuild may have started during the flush.
    this.#jobs.throwIfRebuilding();
  }

  async #flushLogs(): Promise<void> {
    const flushes = this.#listLogs().map((log) => log.flush());
    // If a shard does not answer in time, the read misses its latest reports.
    await withTimeout(Promise.allSettled(flushes), FLUSH_TIMEOUT_MS).catch(() => undefined);
  }
}
