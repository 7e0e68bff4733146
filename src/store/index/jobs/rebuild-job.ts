/**
 * Rebuilds the index and the chunk catalogs of the logs from KV:
 *
 *  1. triage (decisions, annotations, views) from its keys
 *  2. issues from their snapshots
 *  3. reports that are not in those snapshots, and the chunk catalogs, from the archive
 *  4. rows that the logs still hold, which they send again
 *  5. source maps that their object lacks, and those that KV lacks
 *
 * No snapshot is written to KV until all parts are applied.
 */

import { forEachConcurrently } from "../../for-each-concurrently.ts";
import { splitChunkLines } from "../../kv/chunk.ts";
import { listKeyPage, readChunk, UnreadableChunkError } from "../../kv/chunk-store.ts";
import { eraseLines } from "../../kv/erase-lines.ts";
import { offsetToChunk, parseChunkKey, toCopyKey, toIssuePrefix, toOffset } from "../../kv/keys.ts";
import { type LineInfo, parseLineInfo } from "../../kv/line-info.ts";
import { ISSUE_JSON } from "../../kv/stored-json.ts";
import { extractTraceIds } from "../../kv/trace-ids.ts";
import { toSequencedItems } from "../../log/log-entries.ts";
import type { ProjectObjects } from "../../objects.ts";
import { yieldToRequests } from "../../yield-to-requests.ts";
import { applyLog } from "../apply/apply-log.ts";
import { listRecentErrors } from "../apply/count-rows.ts";
import { createDirtyKeys, type DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { indexTitles, restoreIssue, restoreMergedIssue } from "../state/restore-issues.ts";
import type { Phase } from "./job-runner.ts";
import { isSkipped, type JobKey, type JobTable, toChunkKeys } from "./job-table.ts";
import { createListPhase, createShardPhase } from "./list-phases.ts";

const TITLES_PER_STEP = 20;

interface RebuildJobDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly objects: ProjectObjects;
  readonly shards: readonly string[];
  /** Called with the number of the newest ready upload; null if there is none. */
  readonly onNewestUpload: (newest: number | null) => void;
  /** The `startId` of the index: see `ProjectIndex.applyRows`. */
  readonly startId: string;
  readonly nowMs: () => number;
  readonly onDirty: (dirtyKeys: DirtyKeys) => void;
  /** Resolves when no snapshot is being written. */
  readonly waitForSnapshots: () => Promise<void>;
}

/** The phases of the job. The index is unavailable until the archive is applied. */
export function createRebuildPhases(deps: RebuildJobDeps): readonly Phase[] {
  const { project, tables, table, kv, objects, shards, onNewestUpload, nowMs, waitForSnapshots } =
    deps;
  return [
    {
      name: "wipe",
      async runStep() {
        // A snapshot that is created during the wipe would be empty.
        await waitForSnapshots();
        if (tables.wipeSome({ includeTriage: false })) return { cursor: "next" };
        tables.wipe({ includeTriage: false });
        return {};
      },
    },
    ...createDocumentPhases(deps),
    createValuesPhase("issues", toIssuePrefix(project), kv, (values) =>
      restoreIssues(deps, values),
    ),
    {
      name: "merged",
      async runStep() {
        const keys = table.listNextKeys(VALUES_PER_STEP).map(({ key }) => key);
        if (keys.length === 0) return {};
        const { values, operations } = await readJsonValues(kv(), keys);
        tables.transaction(() => {
          for (const value of values.values()) restoreMerged(deps, value);
          for (const key of keys) table.removeKey(key);
        });
        return { cursor: "next", operations };
      },
    },
    createListPhase("list", deps, () => true, nowMs),
    createShardPhase(
      "logs",
      ({ lastChunks }) => [...new Set([...shards, ...Object.keys(lastChunks), ...listKnown()])],
      async (shard, { lastChunks, logs, total }) => {
        const counted = offsetToChunk(tables.shardProgress.getWatermarks()[shard] ?? 0);
        // A log that lost its storage may reuse chunk numbers of KV. Chunks in KV would then count
        // as newer than the checkpoint.
        await objects.log(shard).catalogChunks([], Math.max(counted, lastChunks[shard] ?? 0));
        const { nextChunk, lastDeletedSeq, localChunks, recentUploads } = await objects
          .log(shard)
          .replay();
        tables.shardProgress.setApplied(shard, lastDeletedSeq, 0);
        const added = table.addKeys(toChunkKeys(project, shard, recentUploads));
        // The log sends the rows of its local chunks and of newer ones.
        const skippedChunks = localChunks.map(({ chunk }) => chunk);
        return { total: total + added, logs: { ...logs, [shard]: { nextChunk, skippedChunks } } };
      },
    ),
    createChunksPhase(deps),
    createShardPhase(
      "flush",
      () => [...new Set([...shards, ...listKnown()])],
      async (shard) => {
        await objects.log(shard).flush(deps.startId);
        return {};
      },
    ),
    {
      name: "titles",
      async runStep({ cursor = "" }) {
        const digests = tables.issues.listNames(cursor, TITLES_PER_STEP);
        indexTitles(tables, digests);
        return { cursor: digests.at(-1) };
      },
    },
    {
      name: "source-maps",
      async runStep({ cursor }) {
        const part = await objects.sourceMaps.rebuildSome(cursor);
        if (part.newestUpload !== undefined) onNewestUpload(part.newestUpload);
        return part;
      },
    },
  ];

  /** Sorted, because a step continues at an index of this list. */
  function listKnown(): readonly string[] {
    return tables.shardProgress.listShards().toSorted();
  }
}

/** Documents come before the issues, which depend on decisions and merges. */
function createDocumentPhases({ project, tables, kv }: RebuildJobDeps): readonly Phase[] {
  return tables.copied.map((documents) =>
    createValuesPhase(
      documents.kind,
      toCopyKey(project, { kind: documents.kind }),
      kv,
      (values) => {
        for (const [name, copy] of values) documents.restore(name, copy);
        tables.merges.clearCache();
      },
    ),
  );
}

/** Restores issues from snapshots. Merged issues wait for their target. */
function restoreIssues(
  { project, tables, table, nowMs }: RebuildJobDeps,
  values: readonly (readonly [name: string, value: unknown])[],
): void {
  tables.transaction(() => {
    for (const [name, value] of values) {
      const issue = ISSUE_JSON.parseOrNull(value);
      // Reports of a snapshot without watermarks would count twice.
      if (issue?.watermarks === undefined) continue;
      const into = tables.merges.resolveSnapshot(issue.digest, issue.watermarks);
      const isMerged = into !== issue.digest;
      if (isMerged) table.addKeys([{ key: toIssuePrefix(project) + name, atMs: 0, listedAtMs: 0 }]);
      // A snapshot that may contain erased data is rebuilt from the archive instead.
      else if (!tables.tombstones.has("issue", issue.digest)) restoreIssue(tables, issue, nowMs());
    }
  });
}

/** The snapshot of a merge target may be older than the merge. */
function restoreMerged({ tables, nowMs, onDirty }: RebuildJobDeps, value: unknown): void {
  const issue = ISSUE_JSON.parseOrNull(value);
  if (issue?.watermarks === undefined) return;
  const into = tables.merges.resolveSnapshot(issue.digest, issue.watermarks);
  if (restoreMergedIssue(tables, issue, into, nowMs()))
    onDirty(createDirtyKeys({ issues: [into] }));
}

// Reads all values with a prefix from KV in steps.

/** The most that one call to KV returns. */
const VALUES_PER_READ = 100;
/** About 25 ms of CPU to restore issues. */
const VALUES_PER_STEP = 20;

/** Where the reading continues. */
interface Position {
  /** KV's cursor; empty for the first page. */
  readonly page: string;
  /** The last key that was read. The position holds although keys expire. */
  readonly after: string;
}

/** Passes the values under a prefix to `restore`, 20 in each step, with the rest of their keys. */
function createValuesPhase(
  name: string,
  prefix: string,
  kv: () => KVNamespace,
  restore: (values: readonly (readonly [name: string, value: unknown])[]) => void,
): Phase {
  let listed: (Awaited<ReturnType<typeof listKeyPage>> & { readonly page: string }) | undefined;
  let values: ReadonlyMap<string, unknown> = new Map();
  return {
    name,
    async runStep({ cursor }) {
      const { page, after }: Position =
        cursor === undefined ? { page: "", after: "" } : (JSON.parse(cursor) as Position);
      let operations = 0;
      if (listed?.page !== page) {
        listed = { ...(await listKeyPage(kv(), prefix, page)), page };
        operations += 1;
      }
      const names = listed.keys.map((key) => key.name).filter((key) => key > after);
      const next = names.slice(0, VALUES_PER_STEP);
      if (!next.every((key) => values.has(key))) {
        const read = await readJsonValues(kv(), names.slice(0, VALUES_PER_READ));
        values = read.values;
        operations += read.operations;
      }
      restore(next.map((key) => [key.slice(prefix.length), values.get(key)] as const));
      const last = next.at(-1) ?? after;
      const position: Position | undefined =
        next.length < names.length ? { page, after: last } : toPosition(listed.next, last);
      return {
        cursor: position && JSON.stringify(position),
        operations,
      };
    },
  };
}

function toPosition(page: string | undefined, after: string): Position | undefined {
  return page === undefined ? undefined : { page, after };
}

/** JSON values by key: one bulk read, or single reads if the values are too large for it. */
async function readJsonValues(
  kv: KVNamespace,
  names: string[],
): Promise<{ readonly values: ReadonlyMap<string, unknown>; readonly operations: number }> {
  const bulk = await kv.get(names, "json").catch(() => null);
  if (bulk !== null) return { values: bulk, operations: 1 };
  const values = new Map<string, unknown>();
  for (const name of names) values.set(name, await kv.get(name, "json"));
  return { values, operations: 1 + names.length };
}

// Applies the archive to an index that is being rebuilt, in the order of its reports: the first
// report of an issue determines its title. A step applies some lines of one chunk.

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
function createChunksPhase(deps: RebuildChunksDeps): Phase {
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
        const items = [...toSequencedItems(part, shard)];
        onDirty(applyLog(tables, items, nowMs()));
        const received = { errors: listRecentErrors(items, nowMs()), nowMs: nowMs() };
        tables.shardProgress.raiseWatermark(shard, toOffset({ chunk, line: to }), received);
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
