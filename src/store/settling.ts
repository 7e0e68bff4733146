/**
 * Waiting for what the logs have acknowledged and not handed over yet: whoever sent a report and then looks finds it. They are asked
 * once for all who wait.
 */
import { inTime } from "./in-time.ts";
import type { ProjectWork } from "./project-work.ts";
import type { ReportLogRpc } from "./rpc.ts";

/** A reader waits this long. */
const SETTLE_MS = 300;
/** A small project is made anew in less; of a large one readers take the snapshots. */
const ANEW_PATIENCE_MS = 1_000;

/** The waiting of one index. */
export class Settling {
  readonly #work: Pick<ProjectWork, "isBeingRebuilt" | "walk">;
  readonly #logs: () => readonly Pick<ReportLogRpc, "settle">[];
  #settling: Promise<void> | null = null;

  constructor(
    work: Pick<ProjectWork, "isBeingRebuilt" | "walk">,
    logs: () => readonly Pick<ReportLogRpc, "settle">[],
  ) {
    this.#work = work;
    this.#logs = logs;
  }

  /**
   * Has every shard hand over what it has acknowledged. Rejects while the index is made anew, unless that takes a moment only: its
   * snapshots in KV say more.
   */
  async settle(): Promise<void> {
    if (this.#work.isBeingRebuilt) {
      await inTime(this.#work.walk(), ANEW_PATIENCE_MS).catch(() => undefined);
    }
    this.#rejectWhileAnew();
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = null;
    });
    await this.#settling;
    // It may have begun while the logs were asked.
    this.#rejectWhileAnew();
  }

  async #settleAll(): Promise<void> {
    const asked = this.#logs().map((log) => log.settle());
    // A shard that does not answer in time makes the answer a moment old, and nothing worse.
    await inTime(Promise.allSettled(asked), SETTLE_MS).catch(() => undefined);
  }

  #rejectWhileAnew(): void {
    if (this.#work.isBeingRebuilt) throw new Error("the index is being made anew");
  }
}
