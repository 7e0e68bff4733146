/** Phases that several jobs have: listing the chunks in KV, and one step for each shard. */
import { parseUtcHour } from "../../../core/utc-time.ts";
import { type ChunkInfo, listChunkPage } from "../../kv/chunk-store.ts";
import type { Phase } from "./job-runner.ts";
import type { JobState, JobTable } from "./job-table.ts";

/** Adds the keys of the chunks in KV that `isWanted`, one page of 1,000 in each step. */
export function createListPhase(
  name: string,
  {
    project,
    table,
    kv,
  }: {
    readonly project: string;
    readonly table: JobTable;
    readonly kv: () => KVNamespace;
  },
  isWanted: (chunk: ChunkInfo) => boolean,
  listedAtMs = () => 0,
): Phase {
  return {
    name,
    async runStep({ cursor, total, lastChunks }) {
      const { chunks, next } = await listChunkPage(kv(), project, cursor);
      const added = table.addKeys(
        chunks.filter(isWanted).map(({ key, shard, chunk, hour, firstMs, expiresAtMs }) => ({
          key,
          shard,
          chunk,
          listedAtMs: listedAtMs(),
          atMs: firstMs ?? parseUtcHour(hour),
          expiresAtMs,
        })),
      );
      const highest = { ...lastChunks };
      for (const { shard, chunk } of chunks) highest[shard] = Math.max(chunk, highest[shard] ?? 0);
      const changes = { total: total + added, lastChunks: highest };
      return { cursor: next, operations: 1, changes };
    },
  };
}

/** Runs `work` for each shard, one in each step. */
export function createShardPhase(
  name: string,
  listShards: (state: JobState) => readonly string[],
  work: (shard: string, state: JobState) => Promise<Partial<Omit<JobState, "phase" | "cursor">>>,
): Phase {
  return {
    name,
    async runStep(state) {
      const shards = listShards(state);
      const at = Number(state.cursor ?? 0);
      const shard = shards[at];
      if (shard === undefined) return {};
      const changes = await work(shard, state);
      return { cursor: String(at + 1), operations: 3, changes };
    },
  };
}
