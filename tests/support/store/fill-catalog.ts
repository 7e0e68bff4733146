/** Fills the catalog of the shard, as if chunks had been uploaded over 30 days. */
import { runInDurableObject } from "cloudflare:test";
import { ChunkCatalog } from "#src/store/log/catalog/chunk-catalog.ts";
import { hashId } from "#src/store/log/catalog/id-key.ts";
import { type ChunkEntries, IdRuns } from "#src/store/log/catalog/id-runs.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { getShard } from "./store.ts";

const DAY_MS = 86_400_000;
/** Chunks that are merged at once. The log merges fewer, which takes minutes for a million. */
const CHUNKS_PER_MERGE = 16_384;

/** The id of the report in the `n`th of the chunks that `fillCatalog` adds, from 1. */
export function toFilledId(n: number): string {
  return (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0").repeat(4);
}

/** The trace of that report. */
export function toFilledTrace(n: number): string {
  return toFilledId(n + 500_000_000);
}

/**
 * Adds merged chunks of one report with a trace, uploaded from 31 days to one day before now. KV
 * keeps them for 90 days. Resolves to the bytes of storage that each takes. Restart the object
 * afterwards.
 */
export function fillCatalog(chunks: number): Promise<number> {
  return runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    // Creates the tables.
    new ChunkCatalog(storage, "0");
    const runs = new IdRuns(storage.sql);
    const bytesBefore = storage.sql.databaseSize;
    const nowMs = readNowMs();
    for (let first = 1; first <= chunks; first += CHUNKS_PER_MERGE) {
      const length = Math.min(CHUNKS_PER_MERGE, chunks - first + 1);
      const merged = Array.from({ length }, (_, at) => createChunk(first + at, chunks, nowMs));
      storage.transactionSync(() => runs.add(merged));
    }
    return (storage.sql.databaseSize - bytesBefore) / chunks;
  });
}

function createChunk(n: number, chunks: number, nowMs: number): ChunkEntries {
  const uploadedMs = nowMs - DAY_MS - Math.floor(((chunks - n) / chunks) * 30 * DAY_MS);
  return {
    ...{ chunk: n, hour: "2026010100", lineCount: 1 },
    ...{ uploadedMs, expiresAtMs: uploadedMs + 90 * DAY_MS },
    entries: [
      { key: hashId(toFilledId(n)), line: 0 },
      { key: hashId(toFilledTrace(n), "trace"), line: 0 },
    ],
  };
}
