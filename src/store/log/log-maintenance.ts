/**
 * Maintenance of one shard's log: health, checkpoints, rebuilding the catalog from KV, and erasure.
 * No part of an append.
 */
import type { ReportId } from "../../core/report.ts";
import type { ShardHealth } from "../../core/stats/store-health.ts";
import { splitChunkLines } from "../kv/chunk.ts";
import { putChunk, readChunk, UnreadableChunkError } from "../kv/chunk-store.ts";
import {
  countMatches,
  type ErasedLine,
  type Erasure,
  eraseLines,
  type LineCounts,
  matchLines,
} from "../kv/erase-lines.ts";
import { type ChunkRef, toChunkKey } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import type { WriteBudget } from "../kv/write-budget.ts";
import type { ChunkUploader } from "./chunk-uploader.ts";
import type { LogTable } from "./log-table.ts";

/** KV's list may miss a key for this long after its put. */
const KV_LIST_DELAY_MS = 3_600_000;
/** KV's minimum TTL. A chunk that expires earlier need not be erased. */
const MIN_TTL_MS = 61_000;
/** The time to live of a chunk whose expiry the catalog no longer has. */
const MAX_TTL_MS = 90 * 86_400_000;

/** The contents of a log at one moment. */
export interface LogCheckpoint {
  /** Chunks with this number or a higher one are newer than the checkpoint. */
  readonly nextChunk: number;
  /** The number before the first row that the log still has. */
  readonly lastDeletedSeq: number;
  /** Chunks whose rows the log still has, uploaded or not. */
  readonly localChunks: readonly ChunkRef[];
  /** Chunks uploaded so recently that KV's list may miss them. */
  readonly recentUploads: readonly (ChunkRef & { readonly uploadedMs: number })[];
}

/** A chunk in KV, as the catalog stores it. */
export interface CatalogedChunk extends ChunkRef {
  /** One per line; `NO_ID` for a line without an id. */
  readonly ids: readonly ReportId[];
  readonly extraIds: readonly IdAtLine[];
  readonly traceIds: readonly IdAtLine[];
  readonly uploadedMs: number;
  readonly expiresAtMs: number;
}

/** The maintenance of one shard. */
export class LogMaintenance {
  readonly #deps;
  #erasing: Promise<void> = Promise.resolve();

  constructor(deps: {
    readonly project: string;
    readonly shard: string;
    readonly table: LogTable;
    readonly uploader: ChunkUploader;
    readonly budget: WriteBudget;
    readonly kv: () => KVNamespace;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** The contents of the log before `openChunk`, which must be empty. */
  checkpoint(openChunk: number): LogCheckpoint {
    const { table, nowMs } = this.#deps;
    return {
      nextChunk: openChunk,
      lastDeletedSeq: table.getLastDeletedSeq(),
      localChunks: table.localChunks.list().map(({ chunk, hour }) => ({ chunk, hour })),
      recentUploads: table.catalog.listUploadedSince(nowMs() - KV_LIST_DELAY_MS),
    };
  }

  /** `storedBytes`: the size of the object's storage. */
  getHealth(storedBytes: number): ShardHealth {
    const { shard, table, budget, nowMs } = this.#deps;
    const { chunks, lines: chunkLines } = table.catalog.countTotals();
    const droppedIdsMs = table.catalog.getDroppedMs();
    return {
      shard,
      storedBytes,
      chunks,
      chunkLines,
      ...table.localChunks.getBacklog(),
      waitMs: budget.getWaitMs(nowMs()),
      droppedIdsMs,
      ...budget.getUsage(nowMs()),
    };
  }

  /** Adds chunks found in KV to the catalog. Returns those that it did not have. */
  catalogChunks(chunks: readonly CatalogedChunk[]): readonly CatalogedChunk[] {
    const { catalog } = this.#deps.table;
    const unknown = chunks.filter(({ chunk }) => catalog.findUpload(chunk) === undefined);
    for (const chunk of unknown) catalog.add(chunk);
    if (catalog.hasManyRecent) catalog.mergeRecent();
    return unknown;
  }

  /**
   * Erases from one chunk, in the rows, in KV, or in both. Resolves to the erased lines. Rejects if
   * KV fails; the call can be repeated. Erasures run one at a time: each writes the whole chunk.
   */
  eraseFromChunk(chunkRef: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const erased = this.#erasing.then(() => this.#eraseNow(chunkRef, erasure));
    this.#erasing = erased.then(
      () => undefined,
      () => undefined,
    );
    return erased;
  }

  /** The lines of one chunk that `eraseFromChunk` would erase. Rejects if KV fails. */
  async findInChunk(chunkRef: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const stored = await this.#readUpload(chunkRef);
    const storedMatches = stored === null ? [] : this.#match(stored.lines, chunkRef, erasure);
    if (storedMatches.length > 0) return storedMatches;
    const localLines = this.#deps.table.localChunks.readLines(chunkRef.chunk);
    return this.#match(localLines, chunkRef, erasure);
  }

  /** Counts the reports of one chunk that contain a text. Rejects if KV fails. */
  async countMatches({ chunk, hour }: ChunkRef, text: string): Promise<LineCounts> {
    const { project, shard, table, kv } = this.#deps;
    const localLines = table.localChunks.readLines(chunk);
    if (localLines.length > 0) return countMatches(localLines, text);
    const stored = await this.#readStored(toChunkKey(project, { hour, shard, chunk }), kv());
    const { lines } = splitChunkLines(stored ?? []);
    return countMatches(eraseLines(lines, table.catalog.erasedLines.list(chunk)), text);
  }

  /** The lines of a chunk in KV; null if it is missing, none if it is unreadable. */
  #readStored(key: string, kv: KVNamespace): Promise<readonly string[] | null> {
    return readChunk(kv, key).catch((error: unknown) => {
      if (error instanceof UnreadableChunkError) return [];
      throw error;
    });
  }

  #match(
    lines: readonly string[],
    { hour, chunk }: ChunkRef,
    erasure: Erasure,
  ): readonly ErasedLine[] {
    return matchLines(lines, erasure, { hour, shard: this.#deps.shard, chunk });
  }

  /**
   * A chunk in KV; null if it is only in the rows, or expires soon. It may be from before an
   * earlier erasure. Rejects if KV fails or misses a chunk of the catalog.
   */
  async #readUpload({ chunk, hour }: ChunkRef): Promise<ClosedChunk | null> {
    const { project, shard, table, kv, nowMs } = this.#deps;
    const upload = table.catalog.findUpload(chunk);
    const isUploaded = upload !== undefined || table.localChunks.readLines(chunk).length === 0;
    const expiresAtMs = upload?.expiresAtMs ?? nowMs() + MAX_TTL_MS;
    if (!isUploaded || expiresAtMs <= nowMs() + MIN_TTL_MS) return null;
    const key = toChunkKey(project, { hour, shard, chunk });
    const lines = await this.#readStored(key, kv());
    if (lines === null && upload !== undefined)
      throw new Error("a chunk of the catalog is missing in KV");
    return { key, expiresAtMs, ...splitChunkLines(lines ?? []) };
  }

  async #eraseNow(chunkRef: ChunkRef, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const { table, uploader, budget, kv, nowMs } = this.#deps;
    const { chunk } = chunkRef;
    // An upload in progress would write the erased lines again.
    await uploader.waitUntilIdle();
    const localLines = table.localChunks.readLines(chunk);
    const localMatches = this.#match(localLines, chunkRef, erasure);
    if (localMatches.length > 0) {
      table.localChunks.replaceLines(
        chunk,
        eraseLines(localLines, localMatches),
        toExtraIds(localMatches),
      );
    }
    const stored = await this.#readUpload(chunkRef);
    if (stored === null) return localMatches;
    const matches = this.#match(stored.lines, chunkRef, erasure);
    if (matches.length === 0) return localMatches;
    table.catalog.erasedLines.add(chunk, matches);
    // KV may have returned an older value, so lines of earlier erasures are erased again.
    const remaining = eraseLines(stored.lines, table.catalog.erasedLines.list(chunk));
    const idsById = new Map(
      [...stored.extraIds, ...toExtraIds(matches)].map((idAtLine) => [idAtLine.id, idAtLine]),
    );
    budget.spend(nowMs());
    await putChunk(
      kv(),
      stored.key,
      { lines: remaining, extraIds: [...idsById.values()] },
      { expiration: Math.floor(stored.expiresAtMs / 1000) },
    );
    return matches;
  }
}

/** A closed chunk in KV, decoded. */
interface ClosedChunk extends ReturnType<typeof splitChunkLines> {
  readonly key: string;
  readonly expiresAtMs: number;
}

/** The ids of erased reports stay known, so that a retry stores none again. */
function toExtraIds(erased: readonly ErasedLine[]): readonly IdAtLine[] {
  return erased.flatMap(({ id, line }) => (id === undefined ? [] : { id, line }));
}
