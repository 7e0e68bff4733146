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
import { offsetToChunk, toDocumentKey, toIssuePrefix } from "../../kv/keys.ts";
import { parseStoredIssue } from "../../kv/stored-json.ts";
import type { ProjectObjects } from "../../objects.ts";
import { createDirtyKeys, type DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { indexTitles, restoreIssue, restoreMergedIssue } from "../state/restore-issues.ts";
import type { Phase } from "./job-runner.ts";
import { type JobTable, toChunkKeys } from "./job-table.ts";
import { createListPhase, createShardPhase } from "./list-phases.ts";
import { createValuesPhase, readJsonValues, VALUES_PER_STEP } from "./read-kv-values.ts";
import { createChunksPhase } from "./rebuild-chunks.ts";

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
    createValuesPhase(documents.kind, toDocumentKey(documents.kind, project, ""), kv, (values) => {
      for (const [name, copy] of values) documents.restore(name, copy);
      tables.merges.clearCache();
    }),
  );
}

/** Restores issues from snapshots. Merged issues wait for their target. */
function restoreIssues(
  { project, tables, table, nowMs }: RebuildJobDeps,
  values: readonly (readonly [name: string, value: unknown])[],
): void {
  tables.transaction(() => {
    for (const [name, value] of values) {
      const issue = parseStoredIssue(value);
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
  const issue = parseStoredIssue(value);
  if (issue?.watermarks === undefined) return;
  const into = tables.merges.resolveSnapshot(issue.digest, issue.watermarks);
  if (restoreMergedIssue(tables, issue, into, nowMs()))
    onDirty(createDirtyKeys({ issues: [into] }));
}
