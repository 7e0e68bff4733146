/**
 * Uploads closed chunks to KV, a few at a time and within the write budget, and adds them to the
 * catalog. A failed upload is repeated with the same lines, except those erased in the meantime.
 */

import { forEachConcurrently } from "../for-each-concurrently.ts";
import { putChunk } from "../kv/chunk-store.ts";
import { toChunkKey } from "../kv/keys.ts";
import { parseLineInfo } from "../kv/line-info.ts";
import { extractTraceIds } from "../kv/trace-ids.ts";
import type { WriteBudget } from "../kv/write-budget.ts";
import type { ChunkRetention } from "./chunk-retention.ts";
import type { LogTable } from "./log-table.ts";

/** The uploads of one shard. */
export class ChunkUploader {
  readonly #deps;
  #uploading: Promise<boolean> | null = null;

  constructor(deps: {
    readonly project: string;
    readonly shard: string;
    readonly table: LogTable;
    readonly budget: WriteBudget;
    readonly kv: () => KVNamespace;
    readonly retention: ChunkRetention;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /**
   * Uploads the closed chunks within the budget. Resolves to true if no upload failed. Concurrent
   * callers share one run.
   */
  uploadClosed(): Promise<boolean> {
    this.#uploading ??= this.#uploadAll().finally(() => {
      this.#uploading = null;
    });
    return this.#uploading;
  }

  /** Resolves when no upload is in progress: each is in the catalog or has failed. */
  async waitUntilIdle(): Promise<void> {
    await this.#uploading?.catch(() => undefined);
  }

  async #uploadAll(): Promise<boolean> {
    const { table, budget, nowMs } = this.#deps;
    let failures = 0;
    await forEachConcurrently(table.localChunks.listToUpload(), async ({ chunk, hour }) => {
      if (budget.getWaitMs(nowMs()) > 0) return;
      budget.spend(nowMs());
      try {
        await this.#uploadChunk(chunk, hour);
      } catch (error) {
        failures++;
        console.warn("report log: chunk upload failed", { chunk, error: String(error) });
      }
    });
    return failures === 0;
  }

  async #uploadChunk(chunk: number, hour: string): Promise<void> {
    const { project, shard, table, kv, retention, nowMs } = this.#deps;
    const lines = table.localChunks.readLines(chunk);
    const extraIds = table.localChunks.readExtraIds(chunk);
    const infos = lines.map(parseLineInfo);
    const digests = [...new Set(infos.flatMap(({ digest }) => digest ?? []))];
    const expirationTtl = retention.getSeconds(digests);
    const key = toChunkKey(project, { hour, shard, chunk });
    await putChunk(kv(), key, { lines, extraIds, infos }, { expirationTtl });
    const uploadedMs = nowMs();
    const expiresAtMs = uploadedMs + expirationTtl * 1000;
    const ids = infos.map(({ id }) => id);
    const traceIds = extractTraceIds(infos);
    table.catalog.add({ chunk, hour, ids, extraIds, traceIds, uploadedMs, expiresAtMs });
  }
}
