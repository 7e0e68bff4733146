/**
 * Erases the session counters of an environment: in the chunks, then in the index, so that neither
 * the index nor a rebuild counts them.
 */
import { DAY_MS, toUtcDay } from "../../../core/utc-time.ts";
import { forEachConcurrently } from "../../for-each-concurrently.ts";
import { hourToDay, parseChunkKey } from "../../kv/keys.ts";
import { createCollectPhases, type EraseJobDeps } from "./erase-job.ts";
import type { Phase } from "./job-runner.ts";
import { isSkipped } from "./job-table.ts";

const CHUNKS_PER_STEP = 20;

/** The phases of the erasure. */
export function createEraseSessionsPhases(
  deps: EraseJobDeps,
  environment: string,
): readonly Phase[] {
  const { project, tables, table, objects } = deps;
  let firstDay: string | undefined;
  /** A chunk that was begun before midnight may have counters of the next day. */
  const getFirstChunkDay = () => {
    const day = tables.counters.findFirstSessionDay(environment);
    if (day === undefined) return "9";
    return toUtcDay(Date.parse(day) - DAY_MS);
  };
  return [
    ...createCollectPhases(deps, ({ hour }) => {
      firstDay ??= getFirstChunkDay();
      return hourToDay(hour) >= firstDay;
    }),
    {
      name: "chunks",
      async runStep({ done, logs }) {
        const keys = table.listNextKeys(CHUNKS_PER_STEP);
        if (keys.length === 0) return {};
        await forEachConcurrently(keys, async (jobKey) => {
          const { key, shard = "" } = jobKey;
          const parsed = isSkipped(jobKey, logs) ? null : parseChunkKey(project, key);
          if (parsed !== null)
            await objects.log(shard).eraseFromChunk(parsed, { sessionsOf: environment });
          table.removeKey(key);
        });
        return {
          cursor: "next",
          operations: keys.length,
          changes: { done: done + keys.length },
        };
      },
    },
    {
      name: "counters",
      async runStep() {
        tables.counters.removeSessions(environment);
        return {};
      },
    },
  ];
}
