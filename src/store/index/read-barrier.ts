/**
 * Waiting for what the logs have acknowledged and not handed over yet: whoever sent a report and then looks finds it. They are asked
 * once for all who wait.
 */

import type { ReportLogRpc } from "../rpc/rpc.ts";
import { withTimeout } from "../with-timeout.ts";
import type { ProjectJobs } from "./jobs/jobs.ts";

/** A reader waits this long. */
const FLUSH_TIMEOUT_MS = 300;
/** A small project is made anew in less; of a large one readers take the snapshots. */
const REBUILD_TIMEOUT_MS = 1_000;

/** The waiting of one index. */
export class ReadBarrier {
  readonly #jobs: Pick<ProjectJobs, "isRebuilding" | "run">;
  readonly #listLogs: () => readonly Pick<ReportLogRpc, "flush">[];
  #flushing: Promise<void> | null = null;

  constructor(
    jobs: Pick<ProjectJobs, "isRebuilding" | "run">,
    listLogs: () => readonly Pick<ReportLogRpc, "flush">[],
  ) {
    this.#jobs = jobs;
    this.#listLogs = listLogs;
  }

  /**
   * Has every shard hand over what it has acknowledged. Rejects while the index is made anew, unless that takes a moment only: its
   * snapshots in KV say more.
   */
  async wait(): Promise<void> {
    if (this.#jobs.isRebuilding) {
      await withTimeout(this.#jobs.run(), REBUILD_TIMEOUT_MS).catch(() => undefined);
    }
    this.#throwIfRebuilding();
    this.#flushing ??= this.#flushLogs().finally(() => {
      this.#flushing = null;
    });
    await this.#flushing;
    // It may have begun while the logs were asked.
    this.#throwIfRebuilding();
  }

  async #flushLogs(): Promise<void> {
    const flushes = this.#listLogs().map((log) => log.flush());
    // A shard that does not answer in time makes the answer a moment old, and nothing worse.
    await withTimeout(Promise.allSettled(flushes), FLUSH_TIMEOUT_MS).catch(() => undefined);
  }

  #throwIfRebuilding(): void {
    if (this.#jobs.isRebuilding) throw new Error("the index is being made anew");
  }
}
