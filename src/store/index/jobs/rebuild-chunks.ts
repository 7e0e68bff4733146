/**
 * Applies the archive to an index that is being rebuilt, in the order of its reports: the first
 * report of an issue determines its title. A step applies some lines of one chunk.
 */

import { forEachConcurrently } from "../../for-each-concurrently.ts";
import { splitChunkLines } from "../../kv/chunk.ts";
import { readChunk, UnreadableChunkError } from "../../kv/chunk-store.ts";
import { eraseLines } from "../../kv/erase-lines.ts";
import { parseChunkKey, toOffset } from "../../kv/keys.ts";
import { type LineInfo, parseLineInfo } from "../../kv/line-info.ts";
import { extractTraceIds } from "../../kv/trace-ids.ts";
import { toSequencedItems } from "../../log/log-entries.ts";
import type { ProjectObjects } from "../../objects.ts";
import { yieldToRequests } from "../../yield-to-requests.ts";
import { applyLog } from "../apply/apply-log.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { Phase } from "./job-runner.ts";
import { isSkipped, type JobKey, type JobTable } from "./job-table.ts";

/** About 20 ms of CPU, if each has a different issue. */
const LINES_PER_STEP = 15;
/** Lines of a chunk that are parsed in one turn: about 10 ms of CPU. */
const PARSED_LINES = 250;
/** How many chunks are read concurrently. A chunk has some megabytes of lines. */
const CHUNKS_PER_READ = 8;
/** How long KV may serve a cached miss of a chunk near an earlier reader. */
const KV_VISIBLE_AFTER_MS = 2 * 3_600_000;

interface RebuildChunksDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly objects: ProjectObjects;
  readonly nowMs: () => number;
  readonly onDirty: (dirtyKeys: DirtyKeys) => void;
}

/** A chunk that is being applied, without erased lines. */
interface OpenChunk {
  readonly key: string;
  readonly lines: readonly string[];
}

/** The phase that applies the chunks of the job's keys, and adds them to the catalogs. */
export function createChunksPhase(deps: RebuildChunksDeps): Phase {
  const { project, tables, table, nowMs, onDirty } = deps;
  let read: Map<string, readonly string[] | null> = new Map();
  let open: OpenChunk | undefined;
  return {
    name: "chunks",
    async runStep({ done, logs }) {
      const [first] = table.listNextKeys(1);
      if (first === undefined) return {};
      const { key, shard = "", line: from = 0 } = first;
      let operations = 0;
      const finish = () => {
        table.removeKey(key);
        return { cursor: "next", operations, changes: { done: done + 1 } };
      };
      if (isSkipped(first, logs)) return finish();
      if (open?.key !== key) {
        if (!read.has(key)) {
          const next = table.listNextKeys(CHUNKS_PER_READ).filter((one) => !isSkipped(one, logs));
          read = await readChunks(deps, next);
          operations += next.length;
        }
        const stored = read.get(key) ?? null;
        read.delete(key);
        if (stored === null || parseChunkKey(project, key) === null) {
          throwIfNotVisible(first, nowMs());
          return finish();
        }
        open = { key, lines: await addToCatalog(deps, first, stored) };
        operations += 1;
      }
      const { lines } = open;
      const to = Math.min(from + LINES_PER_STEP, lines.length);
      const { chunk = 0, hour = "" } = parseChunkKey(project, key) ?? {};
      const part = { seq: 0, chunk, hour, firstLine: from, lines: lines.slice(from, to) };
      return tables.transaction(() => {
        onDirty(applyLog(tables, [...toSequencedItems(part, shard)], nowMs()));
        tables.shardProgress.raiseWatermark(shard, toOffset({ chunk, line: to }));
        if (to === lines.length) return finish();
        table.saveLine(key, to);
        return { cursor: "next", operations };
      });
    },
  };
}

async function readChunks(
  { kv }: RebuildChunksDeps,
  keys: readonly JobKey[],
): Promise<Map<string, readonly string[] | null>> {
  const chunks = new Map<string, readonly string[] | null>();
  await forEachConcurrently(keys, async ({ key }) => {
    chunks.set(key, await readChunk(kv(), key).catch(skipUnreadable));
  });
  return chunks;
}

/** Throws for a chunk that KV lacks although it has not expired, if KV listed it recently. */
function throwIfNotVisible({ expiresAtMs, listedAtMs }: JobKey, nowMs: number): void {
  const isExpired = expiresAtMs !== undefined && expiresAtMs <= nowMs;
  if (!isExpired && nowMs - listedAtMs < KV_VISIBLE_AFTER_MS)
    throw new Error("a chunk is not visible in KV yet");
}

/** Adds a chunk to the catalog of its shard. Returns its lines without the erased ones. */
async function addToCatalog(
  { project, objects }: RebuildChunksDeps,
  { key, shard = "", expiresAtMs = Number.MAX_SAFE_INTEGER, atMs }: JobKey,
  storedLines: readonly string[],
): Promise<readonly string[]> {
  const { lines, extraIds } = splitChunkLines(storedLines);
  const { chunk = 0, hour = "" } = parseChunkKey(project, key) ?? {};
  const infos: LineInfo[] = [];
  for (let at = 0; at < lines.length; at += PARSED_LINES) {
    if (at > 0) await yieldToRequests();
    infos.push(...lines.slice(at, at + PARSED_LINES).map(parseLineInfo));
  }
  const ids = infos.map(({ id }) => id);
  const traceIds = extractTraceIds(infos);
  // KV may serve an older value of the chunk; its shard knows the erased lines.
  const erased = await objects
    .log(shard)
    .catalogChunks([{ chunk, hour, ids, extraIds, traceIds, uploadedMs: atMs, expiresAtMs }], 0);
  return eraseLines(lines, erased);
}

/** One unreadable chunk must not block the rebuild. */
function skipUnreadable(error: unknown): readonly string[] {
  if (!(error instanceof UnreadableChunkError)) throw error;
  console.error("rebuild: unreadable chunk skipped", String(error));
  return [];
}
