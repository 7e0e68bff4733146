/**
 * Copies closed chunks of the log into KV, a few at a time and within the budget. A chunk that was refused is put again with
 * the same lines, but for what was erased meanwhile; what was copied is noted in the catalogue.
 */
import type { Digest } from "../../core/report.ts";
import { createChunkMetadata, encodeChunk } from "../kv/chunk.ts";
import { chunkKey } from "../kv/keys.ts";
import { parseLineInfo } from "../kv/line-info.ts";
import { formatExtraIdsLine } from "../kv/stored-json.ts";
import { extractTraceIds } from "../kv/trace-ids.ts";
import type { WriteBudget } from "../kv/write-budget.ts";
import { forEachConcurrently } from "../map-concurrently.ts";
import { withTimeout } from "../with-timeout.ts";
import type { LogTable } from "./log-table.ts";

/** KV that does not answer is tried again; nobody waits for it for ever. */
const PUT_TIMEOUT_MS = 20_000;

/** What one shard copies with. */
export interface ChunkUploaderDeps {
  readonly project: string;
  readonly shard: string;
  readonly table: LogTable;
  readonly budget: WriteBudget;
  readonly kv: () => KVNamespace;
  /** How long KV keeps a chunk with these digests in it. */
  readonly getRetentionSeconds: (digests: Iterable<Digest>) => number;
  readonly nowMs: () => number;
}

/** The copying of one shard's chunks. */
export class ChunkUploader {
  readonly #deps: ChunkUploaderDeps;
  #uploading: Promise<boolean> | null = null;

  constructor(infos: ChunkUploaderDeps) {
    this.#deps = infos;
  }

  /**
   * Copies every closed chunk that the budget allows: those before `openChunk`. True when none was refused. One copy at a
   * time; whoever comes meanwhile waits for that one.
   */
  uploadClosed(openChunk: number): Promise<boolean> {
    this.#uploading ??= this.#uploadAll(openChunk).finally(() => {
      this.#uploading = null;
    });
    return this.#uploading;
  }

  /** Resolves when no put is on its way; what was being put is in the catalogue then, or was refused. */
  async waitUntilIdle(): Promise<void> {
    await this.#uploading?.catch(() => undefined);
  }

  async #uploadAll(openChunk: number): Promise<boolean> {
    const { table, budget, nowMs } = this.#deps;
    let failures = 0;
    await forEachConcurrently(table.listClosedChunks(openChunk), async ({ chunk, hour }) => {
      if (budget.getWaitMs(nowMs()) > 0) return;
      budget.spend(nowMs());
      try {
        await this.#uploadChunk(chunk, hour);
      } catch (error) {
        failures++;
        console.warn("report log: put refused", { chunk, error: String(error) });
      }
    });
    return failures === 0;
  }

  async #uploadChunk(chunk: number, hour: string): Promise<void> {
    const { project, shard, table, kv, getRetentionSeconds, nowMs } = this.#deps;
    const lines = table.readLines(chunk);
    const extraIds = table.readExtraIds(chunk);
    const infos = lines.map(parseLineInfo);
    const key = chunkKey(project, { hour, shard, chunk });
    const metadata = createChunkMetadata(lines, infos);
    const digests = new Set(infos.flatMap(({ digest }) => digest ?? []));
    const expirationTtl = getRetentionSeconds(digests);
    const bytes = await encodeChunk(
      extraIds.length > 0 ? [...lines, formatExtraIdsLine(extraIds)] : lines,
    );
    await withTimeout(kv().put(key, bytes, { metadata, expirationTtl }), PUT_TIMEOUT_MS);
    const uploadedMs = nowMs();
    const expiresAtMs = uploadedMs + expirationTtl * 1000;
    const ids = infos.map(({ id }) => id);
    const traceIds = extractTraceIds(infos);
    table.catalog.add({ chunk, hour, ids, extraIds, traceIds, uploadedMs, expiresAtMs });
  }
}
