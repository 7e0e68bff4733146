/**
 * Rebuilds the index and the chunk catalogs of the logs from KV:
 *
 *  1. triage (decisions, annotations, views) from its keys
 *  2. issues from their snapshots
 *  3. reports that are not in those snapshots, and the chunk catalogs, from the archive
 *  4. rows that the logs still hold, which they send again
 *
 * No snapshot is written to KV until all of it is applied.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { splitChunkLines } from "../../kv/chunk.ts";
import {
  type ChunkInfo,
  listChunks,
  listKeys,
  readChunk,
  UnreadableChunkError,
} from "../../kv/chunk-store.ts";
import { eraseLines } from "../../kv/erase-lines.ts";
import {
  annotationsPrefix,
  decisionPrefix,
  issuePrefix,
  offsetToChunk,
  parseChunkKey,
  toOffset,
  VIEWS_NAME,
  viewsKey,
} from "../../kv/keys.ts";
import { parseLineInfo } from "../../kv/line-info.ts";
import {
  parseStoredAnnotations,
  parseStoredDecision,
  parseStoredIssue,
  parseStoredViews,
} from "../../kv/stored-json.ts";
import { extractTraceIds } from "../../kv/trace-ids.ts";
import { forEachConcurrently } from "../../map-concurrently.ts";
import { toSequencedItems } from "../../rpc/log-entries.ts";
import type { ReportLogRpc } from "../../rpc/rpc.ts";
import { applyLog } from "../state/apply-log.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { indexTitles, restoreIssue, restoreMergedIssue } from "../state/restore-issues.ts";
import type { JobHandler } from "./job-runner.ts";
import { type JobStep, type JobTable, toChunkSteps } from "./job-table.ts";

const MAX_KEYS_PER_READ = 100;
/** KV may serve a cached miss of a chunk for this long near a reader that looked for it before. */
const KV_VISIBLE_AFTER_MS = 2 * 3_600_000;

type ReplayableLog = Pick<ReportLogRpc, "replay" | "catalogChunks" | "flush">;

interface RebuildJobDeps {
  readonly project: string;
  readonly tables: IndexTables;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly log: (shard: string) => ReplayableLog;
  readonly shards: readonly string[];
  readonly nowMs: () => number;
  /** Resolves when no snapshot is being written. */
  readonly waitForSnapshots: () => Promise<void>;
  /** Called when the archive is applied: the logs may send their rows. */
  readonly onArchiveApplied: () => void;
}

export class RebuildJob implements JobHandler {
  readonly #deps: RebuildJobDeps;

  constructor(deps: RebuildJobDeps) {
    this.#deps = deps;
  }

  async prepare(): Promise<void> {
    const { project, tables, table, kv, log, nowMs, waitForSnapshots } = this.#deps;
    // A snapshot that is created during the wipe would be empty.
    await waitForSnapshots();
    tables.wipe({ includeTriage: false });
    for await (const chunks of listChunks(kv(), project))
      table.addSteps(chunks.map((chunk) => toJobStep(chunk, nowMs())));
    await this.#restoreTriage();
    const lastChunks = await this.#restoreIssues();
    for (const [shard, chunk] of table.listLastChunks()) {
      lastChunks.set(shard, Math.max(chunk, lastChunks.get(shard) ?? 0));
    }
    for (const shard of new Set([...this.#deps.shards, ...lastChunks.keys()])) {
      // A log that lost its storage may number its chunks below those in KV, which would then count
      // as newer than the checkpoint.
      await log(shard).catalogChunks([], lastChunks.get(shard) ?? 0);
      const { nextChunk, lastDeletedSeq, localChunks, recentUploads } = await log(shard).replay();
      tables.issues.setApplied(shard, lastDeletedSeq, 0);
      table.addSteps(toChunkSteps(project, shard, recentUploads));
      // The log sends the rows of its local chunks and of newer ones.
      table.skipChunks(
        shard,
        nextChunk,
        localChunks.map(({ chunk }) => chunk),
      );
    }
  }

  async runSteps(steps: readonly JobStep[]): Promise<void> {
    const { kv } = this.#deps;
    const chunks = new Map<string, readonly string[] | null>();
    await forEachConcurrently(steps, async ({ key }) => {
      chunks.set(key, await readChunk(kv(), key).catch(skipUnreadable));
    });
    // Read concurrently, applied in order: the first report of an issue determines its title.
    for (const step of steps) await this.#applyChunk(step, chunks.get(step.key) ?? null);
  }

  async #applyChunk(
    { key, shard = "", expiresAtMs, listedAtMs, atMs }: JobStep,
    storedLines: readonly string[] | null,
  ): Promise<void> {
    const { project, tables, table, log, nowMs } = this.#deps;
    const parsed = parseChunkKey(project, key);
    if (storedLines === null || parsed === null) {
      const isExpired = expiresAtMs !== undefined && expiresAtMs <= nowMs();
      if (!isExpired && nowMs() - listedAtMs < KV_VISIBLE_AFTER_MS) {
        throw new Error("a chunk is not visible in KV yet");
      }
      table.removeStep(key);
      return;
    }
    const { lines: chunkLines, extraIds } = splitChunkLines(storedLines);
    const { chunk, hour } = parsed;
    const infos = chunkLines.map(parseLineInfo);
    const ids = infos.map(({ id }) => id);
    const times = { uploadedMs: atMs, expiresAtMs: expiresAtMs ?? Number.MAX_SAFE_INTEGER };
    // KV may serve the chunk as it was before an erasure; its shard knows the erased lines.
    const erased = await log(shard).catalogChunks(
      [{ chunk, hour, ids, extraIds, traceIds: extractTraceIds(infos), ...times }],
      0,
    );
    const lines = eraseLines(chunkLines, erased);
    const row = { seq: 0, chunk, hour, firstLine: 0, lines, extraIds };
    tables.transaction(() => {
      applyLog(tables, [...toSequencedItems(row, shard)], nowMs());
      tables.issues.raiseWatermark(shard, toOffset({ chunk, line: lines.length }));
      table.removeStep(key);
    });
  }

  async finish(): Promise<void> {
    const { tables, log, onArchiveApplied } = this.#deps;
    onArchiveApplied();
    const shards = new Set([...this.#deps.shards, ...tables.issues.listShards()]);
    for (const shard of shards) await log(shard).flush();
    indexTitles(tables);
  }

  /** Runs before the issues are restored, which depend on decisions and merges. */
  async #restoreTriage(): Promise<void> {
    const { project, tables, kv } = this.#deps;
    await this.#restoreDecisions();
    const prefix = annotationsPrefix(project);
    const erased = new Set(tables.tombstones.listNames("annotations"));
    for await (const [key, value] of this.#readValues(prefix)) {
      const annotations = parseStoredAnnotations(value);
      const digest = key.slice(prefix.length);
      if (annotations !== null && !erased.has(digest))
        tables.annotations.restore(digest, annotations);
    }
    tables.merges.clearCache();
    const views = parseStoredViews(await kv().get(viewsKey(project), "json"));
    if (views !== null) tables.views.restore(VIEWS_NAME, views);
  }

  async #restoreDecisions(): Promise<void> {
    const { project, tables } = this.#deps;
    const prefix = decisionPrefix(project);
    const erased = new Set(tables.tombstones.listNames("decision"));
    for await (const [key, value] of this.#readValues(prefix)) {
      const decision = parseStoredDecision(value);
      const digest = key.slice(prefix.length);
      if (decision !== null && !erased.has(digest)) tables.decisions.restore(digest, decision);
    }
  }

  /**
   * Restores issues from snapshots; returns the highest chunk number of each shard in any of them.
   */
  async #restoreIssues(): Promise<Map<string, number>> {
    const { project, tables, nowMs } = this.#deps;
    // Their snapshots may contain erased data: they are rebuilt from the archive instead.
    const erased = new Set(tables.tombstones.listNames("issue"));
    const lastChunks = new Map<string, number>();
    const merged: (readonly [issue: Issue, into: Digest])[] = [];
    for await (const [, value] of this.#readValues(issuePrefix(project))) {
      const issue = parseStoredIssue(value);
      // Without watermarks its reports would count twice.
      if (issue?.watermarks === undefined) continue;
      const digest = tables.merges.resolveSnapshot(issue.digest, issue.watermarks);
      const isMerged = digest !== issue.digest;
      if (erased.has(issue.digest) && !isMerged) continue;
      if (isMerged) merged.push([issue, digest]);
      else restoreIssue(tables, issue, nowMs());
      for (const [shard, offset] of Object.entries(issue.watermarks)) {
        const chunk = offsetToChunk(offset);
        lastChunks.set(shard, Math.max(chunk, lastChunks.get(shard) ?? 0));
      }
    }
    // The snapshot of a merge target may be older than the merge.
    for (const [issue, into] of merged) restoreMergedIssue(tables, issue, into, nowMs());
    return lastChunks;
  }

  async *#readValues(prefix: string): AsyncGenerator<readonly [key: string, value: unknown]> {
    const { kv } = this.#deps;
    for await (const keys of listKeys(kv(), prefix)) {
      for (let at = 0; at < keys.length; at += MAX_KEYS_PER_READ) {
        const names = keys.slice(at, at + MAX_KEYS_PER_READ).map(({ name }) => name);
        yield* await readJsonValues(kv(), names);
      }
    }
  }
}

function toJobStep(
  { key, shard, chunk, hour, firstMs, expiresAtMs }: ChunkInfo,
  nowMs: number,
): JobStep {
  return {
    key,
    shard,
    chunk,
    listedAtMs: nowMs,
    atMs: firstMs ?? hourToMs(hour),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}

/** One unreadable chunk must not block the rebuild. */
function skipUnreadable(error: unknown): readonly string[] {
  if (!(error instanceof UnreadableChunkError)) throw error;
  console.error("rebuild: unreadable chunk skipped", String(error));
  return [];
}

function hourToMs(hour: string): number {
  const [year, month, day] = [hour.slice(0, 4), hour.slice(4, 6), hour.slice(6, 8)];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour.slice(8)));
}

/** JSON values by key: one bulk read, or single reads if the values are too large for it. */
async function readJsonValues(
  kv: KVNamespace,
  names: string[],
): Promise<ReadonlyMap<string, unknown>> {
  const bulk = await kv.get(names, "json").catch(() => null);
  if (bulk !== null) return bulk;
  const values = new Map<string, unknown>();
  for (const name of names) values.set(name, await kv.get(name, "json"));
  return values;
}
