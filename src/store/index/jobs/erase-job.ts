/**
 * Erases from all of a project: an issue, a person, or everything. The logs erase their own lines, wherever those are; the
 * index what it knows of them.
 */
import type { ReportId } from "../../../core/report.ts";
import { listChunks, listKeys } from "../../kv/chunk-store.ts";
import type { Erasure } from "../../kv/erase-lines.ts";
import { listProjectPrefixes, parseChunkKey, parsePosition } from "../../kv/keys.ts";
import { forEachConcurrently } from "../../map-concurrently.ts";
import type { LogCheckpoint, ReportLogRpc } from "../../rpc/rpc.ts";
import type { DirtyKeys } from "../state/dirty-keys.ts";
import type { ProjectState } from "../state/project-state.ts";
import type { JobHandler } from "./job-runner.ts";
import { type JobStep, type JobTable, toChunkSteps } from "./job-table.ts";

/** What a walker reaches of a log. */
export type ErasableLog = Pick<ReportLogRpc, "checkpoint" | "flush" | "eraseFromChunk" | "wipe">;

/** What erasing works with. */
export interface EraseJobDeps {
  readonly project: string;
  readonly state: ProjectState;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly log: (shard: string) => ErasableLog;
  readonly shards: readonly string[];
  /** Is told what is no longer in KV as it is here. */
  readonly onDirty: (changes: DirtyKeys) => void;
  /** Resolves when no snapshot is on its way into KV. */
  readonly waitForSnapshots: () => Promise<void>;
}

/** Erases one report from the log that has it, and from what the index shows; null when none of the logs has it. */
export async function eraseReportFromLogs(
  { eraser }: Pick<ProjectState, "eraser">,
  logs: readonly Pick<ReportLogRpc, "flush" | "locate" | "eraseFromChunk">[],
  id: ReportId,
): Promise<DirtyKeys | null> {
  await Promise.all(logs.map((log) => log.flush()));
  for (const log of logs) {
    const position = await log.locate(id);
    const parsed = position === null ? null : parsePosition(position);
    if (parsed === null) continue;
    const erased = await log.eraseFromChunk(parsed, { ids: [id] });
    // By the id too: an earlier try may have erased the line, and not come to what is shown of it.
    return eraser.eraseReports([...erased, { id }]);
  }
  return null;
}

/** The walk that erases what an erasure means, in every chunk that may have it. */
export class EraseMatchingJob implements JobHandler {
  readonly #deps: EraseJobDeps;
  readonly #erasure: Exclude<Erasure, { ids: unknown }>;

  constructor(deps: EraseJobDeps, erasure: Exclude<Erasure, { ids: unknown }>) {
    this.#deps = deps;
    this.#erasure = erasure;
  }

  async prepare(): Promise<void> {
    const { project, state, table, kv, log, onDirty } = this.#deps;
    const shards = this.#deps.shards;
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
    // The index must have counted what is about to go, up to where the logs were cut: else it would come back.
    for (const shard of shards) await log(shard).flush();
    if ("digest" in this.#erasure) onDirty(state.eraser.eraseIssue(this.#erasure.digest));
  }

  async runSteps(steps: readonly JobStep[]): Promise<void> {
    const { project, state, table, log, onDirty } = this.#deps;
    await forEachConcurrently(steps, async ({ key, shard = "" }) => {
      const parsed = parseChunkKey(project, key);
      const erased = parsed === null ? [] : await log(shard).eraseFromChunk(parsed, this.#erasure);
      // Of an issue that is erased nothing is shown any more.
      if ("text" in this.#erasure) onDirty(state.eraser.eraseReports(erased));
      table.removeStep(key);
    });
  }

  async finish(): Promise<void> {
    const { state, onDirty } = this.#deps;
    if ("text" in this.#erasure) onDirty(state.eraser.eraseText(this.#erasure.text));
  }

  /** What a chunk's metadata says spares most reads; a linked report stands under a digest of its own. */
  #mayContain(digests: readonly string[] | undefined): boolean {
    if (digests === undefined || "text" in this.#erasure) return true;
    const { digest, aliases, merged = [], splitOff = [] } = this.#erasure;
    const all = [digest, ...merged, ...splitOff.map((one) => one.digest)];
    return aliases.length > 0 || all.some((one) => digests.includes(one));
  }
}

/** The walk that erases everything. */
export class EraseProjectJob implements JobHandler {
  readonly #deps: EraseJobDeps;

  constructor(deps: EraseJobDeps) {
    this.#deps = deps;
  }

  async prepare(): Promise<void> {
    const { project, state, table, kv, log, waitForSnapshots } = this.#deps;
    // KV's lists may miss what was put within a minute.
    table.addSteps(state.listKeys(project).map((key) => ({ key, atMs: 0, listedAtMs: 0 })));
    const checkpoints = new Map<string, LogCheckpoint>();
    const lastSeqs = new Map<string, number>();
    for (const shard of this.#deps.shards) {
      checkpoints.set(shard, await log(shard).checkpoint());
      lastSeqs.set(shard, await log(shard).wipe());
    }
    state.wipe({ decisions: true });
    // What a log sent before it was wiped may still be on its way.
    for (const [shard, lastSeq] of lastSeqs) state.issues.setApplied(shard, lastSeq, 0);
    await waitForSnapshots();
    for (const prefix of listProjectPrefixes(project)) {
      for await (const keys of listKeys(kv(), prefix)) {
        table.addSteps(
          keys.map(({ name }) => ({
            key: name,
            atMs: 0,
            listedAtMs: 0,
            ...toStepShard(project, name),
          })),
        );
      }
    }
    for (const [shard, { nextChunk, recentUploads }] of checkpoints) {
      table.addSteps(toChunkSteps(project, shard, recentUploads));
      // What came since is of a project that has begun again.
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

function toStepShard(project: string, key: string): Pick<JobStep, "shard" | "chunk"> {
  const parsed = parseChunkKey(project, key);
  return parsed === null ? {} : { shard: parsed.shard, chunk: parsed.chunk };
}
