/**
 * Makes both objects of a project anew from what KV holds: the issues from their snapshots, and from the record every report
 * that came after them; the catalogues of the logs from the record; what people decided from their own keys. What the logs
 * still hold is counted last, by the logs handing it over as ever. Nothing is copied into KV before all is counted.
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
import type { ProjectState } from "../state/project-state.ts";
import type { JobHandler } from "./job-runner.ts";
import { type JobStep, type JobTable, toChunkSteps } from "./job-table.ts";

const MAX_KEYS_PER_READ = 100;
/** For so long KV may show near a reader who has looked before that a chunk is not there (`desk.ts`). */
const KV_VISIBLE_AFTER_MS = 2 * 3_600_000;

/** What a walker reaches of a log. */
export type ReplayableLog = Pick<ReportLogRpc, "replay" | "catalogChunks" | "flush">;

/** What a rebuild works with. */
export interface RebuildJobDeps {
  readonly project: string;
  readonly state: ProjectState;
  readonly table: JobTable;
  readonly kv: () => KVNamespace;
  readonly log: (shard: string) => ReplayableLog;
  /** The shards that the setting names. */
  readonly shards: readonly string[];
  readonly nowMs: () => number;
  /** Resolves when no snapshot is on its way into KV. */
  readonly waitForSnapshots: () => Promise<void>;
  /** Everything in the record is counted: what the logs hold may come. */
  readonly onArchiveApplied: () => void;
}

/** The walk of one rebuild. */
export class RebuildJob implements JobHandler {
  readonly #deps: RebuildJobDeps;

  constructor(infos: RebuildJobDeps) {
    this.#deps = infos;
  }

  async prepare(): Promise<void> {
    const { project, state, table, kv, log, nowMs, waitForSnapshots } = this.#deps;
    // A snapshot that is being written would be made of nothing.
    await waitForSnapshots();
    state.wipe({ decisions: false });
    for await (const chunks of listChunks(kv(), project))
      table.addSteps(chunks.map((chunk) => toJobStep(chunk, nowMs())));
    await this.#restoreTriage();
    const lastChunks = await this.#restoreIssues();
    for (const [shard, chunk] of table.listLastChunks()) {
      lastChunks.set(shard, Math.max(chunk, lastChunks.get(shard) ?? 0));
    }
    for (const shard of new Set([...this.#deps.shards, ...lastChunks.keys()])) {
      // A log that has lost its storage may number behind what KV has of it, which would then pass for newer than this moment.
      await log(shard).catalogChunks([], lastChunks.get(shard) ?? 0);
      const { nextChunk, lastDeletedSeq, localChunks, recentUploads } = await log(shard).replay();
      state.issues.setApplied(shard, lastDeletedSeq, 0);
      table.addSteps(toChunkSteps(project, shard, recentUploads));
      // What the log holds it hands over by itself, and what is newer than this moment too.
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
    // Read together, counted one after another: what an issue is called is said by its first report.
    for (const step of steps) await this.#applyChunk(step, chunks.get(step.key) ?? null);
  }

  async #applyChunk(
    { key, shard = "", expiresAtMs, listedAtMs, atMs }: JobStep,
    readLines: readonly string[] | null,
  ) {
    const { project, state, table, log, nowMs } = this.#deps;
    const parsed = parseChunkKey(project, key);
    if (readLines === null || parsed === null) {
      const isExpired = expiresAtMs !== undefined && expiresAtMs <= nowMs();
      if (!isExpired && nowMs() - listedAtMs < KV_VISIBLE_AFTER_MS) {
        throw new Error("a chunk of the record does not show in KV yet");
      }
      table.removeStep(key);
      return;
    }
    const { lines: chunkLines, extraIds } = splitChunkLines(readLines);
    const { chunk, hour } = parsed;
    const infos = chunkLines.map(parseLineInfo);
    const ids = infos.map(({ id }) => id);
    const times = { uploadedMs: atMs, expiresAtMs: expiresAtMs ?? Number.MAX_SAFE_INTEGER };
    // KV may show the chunk as it was before something was erased from it: its shard knows.
    const erased = await log(shard).catalogChunks(
      [{ chunk, hour, ids, extraIds, traceIds: extractTraceIds(infos), ...times }],
      0,
    );
    const lines = eraseLines(chunkLines, erased);
    const row = { seq: 0, chunk, hour, firstLine: 0, lines, extraIds };
    state.transaction(() => {
      state.logApplier.applyRows([...toSequencedItems(row, shard)], nowMs());
      state.issues.raiseWatermark(shard, toOffset({ chunk, line: lines.length }));
      table.removeStep(key);
    });
  }

  async finish(): Promise<void> {
    const { state, log, onArchiveApplied } = this.#deps;
    onArchiveApplied();
    const shards = new Set([...this.#deps.shards, ...state.issues.listShards()]);
    for (const shard of shards) await log(shard).flush();
    state.indexTitles();
  }

  /** What people did, before the issues that it is about. */
  async #restoreTriage(): Promise<void> {
    const { project, state, kv } = this.#deps;
    await this.#restoreDecisions();
    const prefix = annotationsPrefix(project);
    const erased = new Set(state.tombstones.listNames("annotations"));
    for await (const [key, value] of this.#readValues(prefix)) {
      const annotations = parseStoredAnnotations(value);
      const digest = key.slice(prefix.length);
      if (annotations !== null && !erased.has(digest))
        state.annotations.restore(digest, annotations);
    }
    state.merges.clearCache();
    const views = parseStoredViews(await kv().get(viewsKey(project), "json"));
    if (views !== null) state.views.restore(VIEWS_NAME, views);
  }

  async #restoreDecisions(): Promise<void> {
    const { project, state } = this.#deps;
    const prefix = decisionPrefix(project);
    const erased = new Set(state.tombstones.listNames("decision"));
    for await (const [key, value] of this.#readValues(prefix)) {
      const decision = parseStoredDecision(value);
      const digest = key.slice(prefix.length);
      if (decision !== null && !erased.has(digest)) state.decisions.restore(digest, decision);
    }
  }

  /** The issues as their snapshots have them. Gives the highest chunk of each shard that one of them had counted. */
  async #restoreIssues(): Promise<Map<string, number>> {
    const { project, state, nowMs } = this.#deps;
    // Their snapshots still hold what was erased: they are counted from the record, where it is gone.
    const erased = new Set(state.tombstones.listNames("issue"));
    const lastChunks = new Map<string, number>();
    const merged: (readonly [issue: Issue, into: Digest])[] = [];
    for await (const [, value] of this.#readValues(issuePrefix(project))) {
      const issue = parseStoredIssue(value);
      // One that does not say what it has counted would be counted twice.
      if (issue?.watermarks === undefined) continue;
      const digest = state.merges.resolveSnapshot(issue.digest, issue.watermarks);
      const isMerged = digest !== issue.digest;
      if (erased.has(issue.digest) && !isMerged) continue;
      if (isMerged) merged.push([issue, digest]);
      else state.restoreIssue(issue, nowMs());
      for (const [shard, parsed] of Object.entries(issue.watermarks)) {
        const chunk = offsetToChunk(parsed);
        lastChunks.set(shard, Math.max(chunk, lastChunks.get(shard) ?? 0));
      }
    }
    // One that was merged, and whose new issue was copied before it was, is still to be added to that.
    for (const [issue, into] of merged) state.restoreMergedIssue(issue, into, nowMs());
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

/** A chunk that nobody can read must not keep the others from being counted. */
function skipUnreadable(error: unknown): readonly string[] {
  if (!(error instanceof UnreadableChunkError)) throw error;
  console.error("rebuild: a chunk is left out", String(error));
  return [];
}

function hourToMs(hour: string): number {
  const [year, month, day] = [hour.slice(0, 4), hour.slice(4, 6), hour.slice(6, 8)];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour.slice(8)));
}

/** Values that are JSON, by their keys: in one read, unless they are too large for one together. */
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
