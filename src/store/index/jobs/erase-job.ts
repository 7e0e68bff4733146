/**
 * Erases an issue or a text: each log erases its own lines, in SQLite and in KV, and the index
 * erases what it stores of them.
 */
import { addErasureCounts } from "../../../core/erasure.ts";
import type { Digest } from "../../../core/report.ts";
import { forEachConcurrently } from "../../for-each-concurrently.ts";
import type { ChunkInfo } from "../../kv/chunk-store.ts";
import type { ErasedLine, IssueErasure } from "../../kv/erase-lines.ts";
import { type ChunkRef, parseChunkKey } from "../../kv/keys.ts";
import type { LogApi, ProjectObjects } from "../../objects.ts";
import { yieldToRequests } from "../../yield-to-requests.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import { eraseIssue, eraseReports } from "../state/erase-issue.ts";
import {
  eraseFromAlerts,
  eraseFromAliases,
  eraseFromCounters,
  eraseFromDecisions,
  eraseFromIssues,
  eraseFromReleases,
  eraseFromTraces,
  eraseFromTriage,
} from "../state/erase-text.ts";
import { listExclusiveCodes } from "../state/find-issues-by-code.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { Phase } from "./job-runner.ts";
import { isSkipped, type Job, type JobTable, toChunkKeys } from "./job-table.ts";
import { createListPhase, createShardPhase } from "./list-phases.ts";

/** A chunk takes at most two calls; the log reads and writes it. */
const CHUNKS_PER_STEP = 20;
/** Erased reports whose issues change in one turn: about 20 ms of CPU. */
const REPORTS_PER_TURN = 15;

/** The dependencies of an erasure and its preview. */
export interface EraseJobDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly objects: ProjectObjects;
  readonly shards: readonly string[];
  /** The `startId` of the index: see `ProjectIndex.applyRows`. */
  readonly startId: string;
  readonly onDirty: (dirtyKeys: DirtyKeys) => void;
}

/** The job that erases an issue with all its reports; null if it does not exist. */
export function createEraseIssueJob(tables: IndexTables, digest: Digest): Job | null {
  const issue = tables.issues.get(digest);
  if (issue === undefined) return null;
  return {
    kind: "erase-issue",
    digest,
    aliases: listExclusiveCodes(tables, digest),
    merged: issue.mergedDigests ?? [],
    splitOff: tables.merges.listSplitFrom(digest),
    movedTo: tables.merges.listSplitWatermarks(digest),
  };
}

/**
 * The phases of a job that erases the reports of an issue, or those that contain a text, from every
 * chunk that may have them. `id` is that of a text's preview.
 */
export function createErasePhases(
  deps: EraseJobDeps,
  erasure: IssueErasure | { readonly text: string },
  id?: string,
): readonly Phase[] {
  const { project, tables, table, objects, onDirty } = deps;
  // The index erases the reports of one chunk after those of another.
  let applied = Promise.resolve();
  /** Erases from one chunk. Resolves to the number of its erased reports. */
  async function eraseFromChunk(log: LogApi, chunk: ChunkRef): Promise<number> {
    // An erased issue no longer shows reports.
    if ("digest" in erasure) return countReports(await log.eraseFromChunk(chunk, erasure));
    // The index erases first, because the log does not find erased lines again after an
    // interruption.
    const found = await log.findInChunk(chunk, erasure);
    applied = applied.then(() => eraseFromIndex(deps, found, erasure.text));
    await applied;
    if (found.length > 0) await log.eraseFromChunk(chunk, erasure);
    return countReports(found);
  }
  const eraseFromChunks: Phase = {
    name: "chunks",
    async runStep({ done, logs, found }) {
      const keys = table.listNextKeys(CHUNKS_PER_STEP);
      if (keys.length === 0) return {};
      let reports = 0;
      applied = Promise.resolve();
      await forEachConcurrently(keys, async (jobKey) => {
        const { key, shard = "" } = jobKey;
        const parsed = isSkipped(jobKey, logs) ? null : parseChunkKey(project, key);
        const erased = parsed === null ? 0 : await eraseFromChunk(objects.log(shard), parsed);
        reports += erased;
        table.removeKey(key);
      });
      return {
        cursor: "next",
        operations: keys.length,
        changes: { done: done + keys.length, found: addErasureCounts(found, { reports }) },
      };
    },
  };
  return [
    ...createCollectPhases(deps, ({ digests }) => mayContain(erasure, digests)),
    ...("digest" in erasure
      ? [
          {
            name: "issue",
            async runStep() {
              onDirty(eraseIssue(tables, erasure.digest));
              return {};
            },
          },
          eraseFromChunks,
        ]
      : [eraseFromChunks, ...createTextPhases(deps, erasure.text, id)]),
    ...("text" in erasure
      ? [
          {
            name: "source-maps",
            async runStep() {
              await deps.objects.sourceMaps.eraseText(erasure.text);
              return { operations: 1 };
            },
          },
        ]
      : []),
    // Follows the phase of the index, which sends no more alerts after it.
    {
      name: "alerts",
      async runStep() {
        await deps.objects.alerts.erase(
          "digest" in erasure
            ? { digests: [erasure.digest, ...(erasure.merged ?? [])] }
            : { text: erasure.text },
        );
        return { operations: 1 };
      },
    },
  ];
}

function countReports(lines: readonly ErasedLine[]): number {
  return lines.filter(({ digest }) => digest !== undefined).length;
}

/** Erases a chunk's reports from the issues, some per turn. */
async function eraseFromIndex(
  { tables, onDirty }: EraseJobDeps,
  erased: readonly ErasedLine[],
  text: string,
): Promise<void> {
  for (let at = 0; at < erased.length; at += REPORTS_PER_TURN) {
    if (at > 0) await yieldToRequests();
    onDirty(eraseReports(tables, erased.slice(at, at + REPORTS_PER_TURN), text));
  }
}

/** Collects the chunks that `isWanted`, after the index has applied everything in them. */
export function createCollectPhases(
  deps: EraseJobDeps,
  isWanted: (chunk: ChunkInfo) => boolean,
): readonly Phase[] {
  const { project, table, objects } = deps;
  const shards = () => deps.shards;
  return [
    createListPhase("list", deps, isWanted),
    createShardPhase("logs", shards, async (shard, state) => {
      const { nextChunk, localChunks, recentUploads } = await objects.log(shard).checkpoint();
      const added = table.addKeys(toChunkKeys(project, shard, [...localChunks, ...recentUploads]));
      return {
        total: state.total + added,
        logs: { ...state.logs, [shard]: { nextChunk } },
      };
    }),
    // The index must have applied every row of these chunks: rows applied later would count again.
    createShardPhase("flush", shards, async (shard) => {
      await objects.log(shard).flush(deps.startId);
      return {};
    }),
  ];
}

function createTextPhases(
  { tables, onDirty }: EraseJobDeps,
  text: string,
  id: string | undefined,
): readonly Phase[] {
  const walks = {
    decisions: eraseFromDecisions,
    issues: eraseFromIssues,
    releases: eraseFromReleases,
    counters: eraseFromCounters,
    aliases: eraseFromAliases,
    traces: eraseFromTraces,
    triage: eraseFromTriage,
    sent: eraseFromAlerts,
  };
  const phases = Object.entries(walks).map(
    ([name, erase]): Phase => ({
      name,
      async runStep({ cursor }) {
        const { dirtyKeys, next } = erase(tables, text, cursor);
        onDirty(dirtyKeys);
        return { cursor: next };
      },
    }),
  );
  if (id === undefined) return phases;
  const saveResult: Phase = {
    name: "result",
    async runStep({ found }) {
      // Lines that were erased before an interruption are not counted again.
      const previewed = tables.erasures.get(id)?.found?.reports ?? 0;
      tables.erasures.saveErased(id, Math.max(previewed, found?.reports ?? 0));
      return {};
    },
  };
  return [...phases, saveResult];
}

/** The metadata of a chunk avoids most reads. Linked reports are stored under another digest. */
function mayContain(
  erasure: IssueErasure | { readonly text: string },
  digests: readonly string[] | undefined,
): boolean {
  if (digests === undefined || "text" in erasure) return true;
  const { digest, aliases, merged = [], splitOff = [] } = erasure;
  const all = [digest, ...merged, ...splitOff.map((one) => one.digest)];
  return aliases.length > 0 || all.some((one) => digests.includes(one));
}
