/** Erases all data of a project: in KV, in its logs, its source maps and its index. */

import { forEachConcurrently } from "../../for-each-concurrently.ts";
import { listKeyPage } from "../../kv/chunk-store.ts";
import {
  listProjectPrefixes,
  parseChunkKey,
  toAliasKey,
  toCopyKey,
  toIssueKey,
} from "../../kv/keys.ts";
import { listWipes, type ProjectObjects } from "../../objects.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { Phase } from "./job-runner.ts";
import { isSkipped, type JobKey, type JobTable, toChunkKeys } from "./job-table.ts";
import { createShardPhase } from "./list-phases.ts";

const NAMES_PER_STEP = 500;
const DELETES_PER_STEP = 100;

/** The phases of the job. The index is unavailable before the last one. */
export function createEraseProjectPhases(deps: {
  readonly project: string;
  readonly tables: IndexTables;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly objects: ProjectObjects;
  readonly shards: readonly string[];
  /** Resolves when no snapshot is being written. */
  readonly waitForSnapshots: () => Promise<void>;
}): readonly Phase[] {
  const { project, tables, table, kv, objects, shards, waitForSnapshots } = deps;
  const prefixes = [
    ...listProjectPrefixes(project),
    ...tables.copied.map(({ kind }) => toCopyKey(project, { kind })),
  ];
  // KV's list may miss keys that were written within the last minute.
  const nameLists: readonly (readonly [Phase["name"], (name: string) => string, NameList])[] = [
    ["issues", (name) => toIssueKey(project, name), tables.issues],
    ["aliases", (name) => toAliasKey(project, name), tables.aliases],
    ...tables.copied.map(
      (documents) =>
        [
          documents.kind,
          (name: string) => toCopyKey(project, { kind: documents.kind, name }),
          documents,
        ] as const,
    ),
  ];
  return [
    ...nameLists.map(([name, toKey, list]) => ({
      name,
      async runStep({ cursor, total }: { cursor?: string; total: number }) {
        const names = list.listNames(cursor ?? "", NAMES_PER_STEP);
        const added = table.addKeys(names.map((one) => toJobKey(toKey(one))));
        return { cursor: names.at(-1), changes: { total: total + added } };
      },
    })),
    createShardPhase(
      "logs",
      () => shards,
      async (shard, state) => {
        const log = objects.log(shard);
        const { nextChunk, recentUploads } = await log.checkpoint();
        const lastSeq = await log.wipe();
        const added = table.addKeys(toChunkKeys(project, shard, recentUploads));
        return {
          total: state.total + added,
          logs: { ...state.logs, [shard]: { nextChunk, lastSeq } },
        };
      },
    ),
    ...listWipes(objects).map(
      ({ phase, wipe }): Phase => ({
        name: phase,
        async runStep({ total }) {
          const added = table.addKeys((await wipe()).map(toJobKey));
          return { operations: 1, changes: { total: total + added } };
        },
      }),
    ),
    {
      name: "wipe",
      async runStep({ cursor, logs }) {
        // The last step stores rows, which a repetition after a stop must not take for others.
        if (cursor !== "emptied")
          return { cursor: tables.wipeSome({ includeTriage: true }) ? "next" : "emptied" };
        tables.wipe({ includeTriage: true });
        // Rows that a log sent before it was wiped may still arrive. They must not be applied.
        for (const [shard, { lastSeq = 0 }] of Object.entries(logs))
          tables.shardProgress.setApplied(shard, lastSeq, 0);
        return {};
      },
    },
    {
      name: "list",
      async runStep({ cursor = "0 ", total, logs }) {
        await waitForSnapshots();
        const at = Number.parseInt(cursor, 10);
        const prefix = prefixes[at];
        if (prefix === undefined) return {};
        const { keys, next } = await listKeyPage(kv(), prefix, cursor.slice(`${at} `.length));
        // Chunks written since the logs were wiped belong to the project's new data.
        const wanted = keys
          .map(({ name }) => ({ ...toJobKey(name), ...parseShard(project, name) }))
          .filter((key) => !isSkipped(key, logs));
        const added = table.addKeys(wanted);
        return {
          cursor: next === undefined ? `${at + 1} ` : `${at} ${next}`,
          operations: 1,
          changes: { total: total + added },
        };
      },
    },
    {
      name: "delete",
      async runStep({ done }) {
        const keys = table.listNextKeys(DELETES_PER_STEP);
        if (keys.length === 0) return {};
        await forEachConcurrently(keys, async ({ key }) => {
          await kv().delete(key);
          table.removeKey(key);
        });
        return {
          cursor: "next",
          operations: keys.length,
          changes: { done: done + keys.length },
        };
      },
    },
  ];
}

interface NameList {
  /** At most `limit` names after one, in order. */
  listNames(after: string, limit: number): readonly string[];
}

function toJobKey(key: string): JobKey {
  return { key, atMs: 0, listedAtMs: 0 };
}

function parseShard(project: string, key: string): Pick<JobKey, "shard" | "chunk"> {
  const parsed = parseChunkKey(project, key);
  return parsed === null ? {} : { shard: parsed.shard, chunk: parsed.chunk };
}
