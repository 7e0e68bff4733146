/**
 * Erases an issue, a text or a whole project: each log erases its own lines, in SQLite
 * and in KV, and the index erases what it knows of them.
 */
import type { Digest } from "../../../core/report.ts";
import { listChunks, listKeys } from "../../kv/chunk-store.ts";
import type { Erasure } from "../../kv/erase-lines.ts";
import { listProjectPrefixes, parseChunkKey } from "../../kv/keys.ts";
import { forEachConcurrently } from "../../map-concurrently.ts";
import type { Job } from "../../rpc/job.ts";
import type { LogCheckpoint, ReportLogRpc } from "../../rpc/rpc.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import { eraseIssue, eraseReports, eraseText } from "../state/erase-issue.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { listExclusiveCodes, listSnapshotKeys } from "../state/queries.ts";
import type { JobHandler } from "./job-runner.ts";
import { type JobStep, type JobTable, toChunkSteps } from "./job-table.ts";

type ErasableLog = Pick<ReportLogRpc, "checkpoint" | "flush" | "eraseFromChunk" | "wipe">;

interface EraseJobDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly log: (shard: string) => ErasableLog;
  readonly shards: readonly string[];
  readonly onDirty: (dirtyKeys: DirtyKeys) => void;
  /** Resolves when no snapshot is being written. */
  readonly waitForSnapshots: () => Promise<void>;
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
 * Erases the reports of an issue, or those that contain a text, from every chunk that may have any.
 */
export class EraseMatchingJob implements JobHandler {
  readonly #deps: EraseJobDeps;
  readonly #erasure: Exclude<Erasure, { ids: unknown }>;

  constructor(deps: EraseJobDeps, erasure: Exclude<Erasure, { ids: unknown }>) {
    this.#deps = deps;
    this.#erasure = erasure;
  }

  async prepare(): Promise<void> {
    const { project, tables, table, kv, log, shards, onDirty } = this.#deps;
    for await (const chunks of listChunks(kv(), project)) {
      const matching = chunks.filter(({ digests }) => this.#mayContain(digests));
      table.addSteps(
        matching.map(({ key, shard, chunk, firstMs = 0 }) => ({
          key,
          shard,
          chunk,
          atMs: firstMs,
          listedAtMs: 0,
        })),
      );
    }
    for (const shard of shards) {
      const { nextChunk, localChunks, recentUploads } = await log(shard).checkpoint();
      table.skipChunks(shard, nextChunk);
      table.addSteps(toChunkSteps(project, shard, [...localChunks, ...recentUploads]));
    }
    // The index must have applied every row of these chunks: applied later, they would count again.
    for (const shard of shards) await log(shard).flush();
    if ("digest" in this.#erasure) onDirty(eraseIssue(tables, this.#erasure.digest));
  }

  async runSteps(steps: readonly JobStep[]): Promise<void> {
    const { project, tables, table, log, onDirty } = this.#deps;
    await forEachConcurrently(steps, async ({ key, shard = "" }) => {
      const parsed = parseChunkKey(project, key);
      const erased = parsed === null ? [] : await log(shard).eraseFromChunk(parsed, this.#erasure);
      // An erased issue shows no reports any more.
      if ("text" in this.#erasure) onDirty(eraseReports(tables, erased));
      table.removeStep(key);
    });
  }

  async finish(): Promise<void> {
    const { tables, onDirty } = this.#deps;
    if ("text" in this.#erasure) onDirty(eraseText(tables, this.#erasure.text));
  }

  /** The metadata of a chunk spares most reads. Linked reports are stored under another digest. */
  #mayContain(digests: readonly string[] | undefined): boolean {
    if (digests === undefined || "text" in this.#erasure) return true;
    const { digest, aliases, merged = [], splitOff = [] } = this.#erasure;
    const all = [digest, ...merged, ...splitOff.map((one) => one.digest)];
    return aliases.length > 0 || all.some((one) => digests.includes(one));
  }
}

/** Erases everything. */
export class EraseProjectJob implements JobHandler {
  readonly #deps: EraseJobDeps;

  constructor(deps: EraseJobDeps) {
    this.#deps = deps;
  }

  async prepare(): Promise<void> {
    const { project, tables, table, kv, log, shards, waitForSnapshots } = this.#deps;
    // KV's list may miss keys that were written within the last minute.
    table.addSteps(listSnapshotKeys(tables, project).map(toKeyStep));
    const checkpoints = new Map<string, LogCheckpoint>();
    const lastSeqs = new Map<string, number>();
    for (const shard of shards) {
      checkpoints.set(shard, await log(shard).checkpoint());
      lastSeqs.set(shard, await log(shard).wipe());
    }
    tables.wipe({ includeTriage: true });
    // Rows that a log sent before it was wiped may still arrive: they must not be applied.
    for (const [shard, lastSeq] of lastSeqs) tables.issues.setApplied(shard, lastSeq, 0);
    await waitForSnapshots();
    for (const prefix of listProjectPrefixes(project)) {
      for await (const keys of listKeys(kv(), prefix)) {
        const steps = keys.map(({ name }) => ({
          ...toKeyStep(name),
          ...toStepShard(project, name),
        }));
        table.addSteps(steps);
      }
    }
    for (const [shard, { nextChunk, recentUploads }] of checkpoints) {
      table.addSteps(toChunkSteps(project, shard, recentUploads));
      // Chunks written since then belong to the project's new data.
      table.skipChunks(shard, nextChunk);
    }
  }

  async runSteps(steps: readonly JobStep[]): Promise<void> {
    const { kv, table } = this.#deps;
    await forEachConcurrently(steps, async ({ key }) => {
      await kv().delete(key);
      table.removeStep(key);
    });
  }
}

function toKeyStep(key: string): JobStep {
  return { key, atMs: 0, listedAtMs: 0 };
}

function toStepShard(project: string, key: string): Pick<JobStep, "shard" | "chunk"> {
  const parsed = parseChunkKey(project, key);
  return parsed === null ? {} : { shard: parsed.shard, chunk: parsed.chunk };
}
