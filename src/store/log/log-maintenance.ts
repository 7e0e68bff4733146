/**
 * What is done to a shard of the log as a whole: it is cut, counted anew, made anew from KV, and erased from. Nothing here is on
 * the way of a report.
 */
import { createChunkMetadata, encodeChunk, splitChunkLines } from "../kv/chunk.ts";
import { readChunk, UnreadableChunkError } from "../kv/chunk-store.ts";
import { type ErasedLine, type Erasure, eraseLines, matchLines } from "../kv/erase-lines.ts";
import { chunkKey } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import { formatExtraIdsLine } from "../kv/stored-json.ts";
import type { WriteBudget } from "../kv/write-budget.ts";
import type { CatalogedChunk, ChunkRef, LogCheckpoint } from "../rpc/rpc.ts";
import { withTimeout } from "../with-timeout.ts";
import type { ChunkUploader } from "./chunk-uploader.ts";
import type { LogTable } from "./log-table.ts";

/** For so long KV's list may miss what was put. */
const KV_LIST_DELAY_MS = 3_600_000;
const PUT_TIMEOUT_MS = 20_000;

/** What one shard is kept up with. */
export interface LogMaintenanceDeps {
  readonly project: string;
  readonly shard: string;
  readonly table: LogTable;
  readonly uploader: ChunkUploader;
  readonly budget: WriteBudget;
  readonly kv: () => KVNamespace;
  readonly nowMs: () => number;
}

/** The upkeep of one shard. */
export class LogMaintenance {
  readonly #deps: LogMaintenanceDeps;
  #erasing: Promise<void> = Promise.resolve();

  constructor(deps: LogMaintenanceDeps) {
    this.#deps = deps;
  }

  /** What the log holds before `openChunk`, which has no line yet. */
  checkpoint(openChunk: number): LogCheckpoint {
    const { table, nowMs } = this.#deps;
    const recentUploads = table.catalog.listUploadedSince(nowMs() - KV_LIST_DELAY_MS);
    return {
      nextChunk: openChunk,
      lastDeletedSeq: table.getLastDeletedSeq(),
      localChunks: table.listLocalChunks(),
      recentUploads,
    };
  }

  /**
   * Takes chunks that KV has into the catalogue, as if they had been copied from here; those that are known stay as they are.
   * Gives those that were not.
   */
  catalogChunks(chunks: readonly CatalogedChunk[]): readonly CatalogedChunk[] {
    const { catalog } = this.#deps.table;
    const unknown = chunks.filter(({ chunk }) => catalog.findUpload(chunk) === undefined);
    for (const chunk of unknown) catalog.add(chunk);
    return unknown;
  }

  /**
   * Erases from one chunk, wherever it is: in the rows, in KV, or in both. Gives the lines that the erasure met. Rejects while KV
   * refuses; then it may be asked again. One at a time: each writes the whole chunk.
   */
  eraseFromChunk(chunkRef: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const erased = this.#erasing.then(() => this.#eraseNow(chunkRef, erasure));
    this.#erasing = erased.then(
      () => undefined,
      () => undefined,
    );
    return erased;
  }

  async #eraseNow({ chunk, hour }: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const { project, shard, table, uploader, kv, nowMs } = this.#deps;
    // A put that is on its way would bring back what is erased now.
    await uploader.waitUntilIdle();
    const localLines = table.readLines(chunk);
    const localMatches = matchLines(localLines, erasure, { hour, shard, chunk });
    if (localMatches.length > 0) {
      table.replaceLines(chunk, eraseLines(localLines, localMatches), toExtraIds(localMatches));
    }
    const upload = table.catalog.findUpload(chunk);
    const isUploaded = upload !== undefined || localLines.length === 0;
    const expiresAtMs = upload?.expiresAtMs ?? nowMs() + MAX_TTL_MS;
    if (!isUploaded || expiresAtMs <= nowMs() + MIN_TTL_MS) return localMatches;
    const key = chunkKey(project, { hour, shard, chunk });
    const readLines = await readChunk(kv(), key).catch((error: unknown) => {
      // What nobody can read, nobody can read a text in.
      if (error instanceof UnreadableChunkError) return [];
      throw error;
    });
    if (readLines === null && upload !== undefined) {
      throw new Error("a chunk of the catalogue is not in KV");
    }
    const { lines, extraIds } = splitChunkLines(readLines ?? []);
    const matches = matchLines(lines, erasure, { hour, shard, chunk });
    if (matches.length === 0) return localMatches;
    table.catalog.addErasedLines(chunk, matches);
    // KV may have shown the chunk as it was before the last erasure.
    const remaining = eraseLines(lines, table.catalog.listErasedLines(chunk));
    await this.#putChunk(
      { chunk, hour },
      remaining,
      [...extraIds, ...toExtraIds(matches)],
      expiresAtMs,
    );
    return matches;
  }

  async #putChunk(
    { chunk, hour }: ChunkRef,
    lines: readonly string[],
    extraIds: readonly IdAtLine[],
    expiresAtMs: number,
  ): Promise<void> {
    const { project, shard, budget, kv, nowMs } = this.#deps;
    const ids = [...new Map(extraIds.map((one) => [one.id, one])).values()];
    const bytes = await encodeChunk(ids.length > 0 ? [...lines, formatExtraIdsLine(ids)] : lines);
    const options = {
      metadata: createChunkMetadata(lines),
      expiration: Math.floor(expiresAtMs / 1000),
    };
    budget.spend(nowMs());
    const put = kv().put(chunkKey(project, { hour, shard, chunk }), bytes, options);
    await withTimeout(put, PUT_TIMEOUT_MS);
  }
}

/** The ids of reports that are erased stay known: a retry does not bring one back. */
function toExtraIds(erased: readonly ErasedLine[]): readonly IdAtLine[] {
  return erased.flatMap(({ id, line }) => (id === undefined ? [] : { id, line }));
}

/** KV takes no shorter one; what expires before that need not be erased. */
const MIN_TTL_MS = 61_000;
/** Until when KV keeps a chunk that this log has forgotten is not known here. */
const MAX_TTL_MS = 90 * 86_400_000;
