/** Collects the health of a project's store for the status page. */
import type { StoreHealth } from "../../core/stats/store-health.ts";
import type { WriteBudget } from "../kv/write-budget.ts";
import type { LogApi } from "../objects.ts";
import { withTimeout } from "../with-timeout.ts";

const HEALTH_TIMEOUT_MS = 2_000;

interface IndexHealth {
  readonly backlog: Pick<StoreHealth["snapshots"], "waiting" | "hasMore" | "ageMs">;
  readonly budget: Pick<WriteBudget, "getWaitMs" | "getUsage">;
  readonly storedBytes: number;
  readonly getProgress: () => StoreHealth["work"];
}

/** The health of the logs that answer in time, and of the index. */
export async function readStoreHealth(
  logs: readonly Pick<LogApi, "getHealth">[],
  { backlog, budget, storedBytes, getProgress }: IndexHealth,
): Promise<StoreHealth> {
  const healths = Promise.allSettled(logs.map((log) => log.getHealth()));
  const results = await withTimeout(healths, HEALTH_TIMEOUT_MS).catch(() => []);
  const nowMs = Date.now();
  const progress = getProgress();
  return {
    shards: results.flatMap((health) => (health.status === "fulfilled" ? health.value : [])),
    snapshots: {
      ...backlog,
      waitMs: budget.getWaitMs(nowMs),
      storedBytes,
      ...budget.getUsage(nowMs),
    },
    work: progress,
  };
}
