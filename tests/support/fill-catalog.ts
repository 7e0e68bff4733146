/** Fills the catalog of the shard, as if chunks had been uploaded over 30 days. */
import { runInDurableObject } from "cloudflare:test";
import { ChunkCatalog } from "../../src/store/log/catalog/chunk-catalog.ts";
import type { ReportLog } from "../../src/store/log/report-log.ts";
import { shard } from "./store.ts";

const DAY_MS = 86_400_000;

/** The id of the report in the `n`th of the chunks that `fillCatalog` adds, from 1. */
export function filledId(n: number): string {
  return (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0").repeat(4);
}

/** The trace of that report. */
export function filledTrace(n: number): string {
  return filledId(n + 500_000_000);
}

/**
 * Adds chunks of one report with a trace, uploaded from 31 days to one day before now. KV keeps
 * them for 90 days. Resolves to the bytes of storage that each takes.
 */
export function fillCatalog(chunks: number): Promise<number> {
  return runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const catalog = new ChunkCatalog(storage, "0");
    const bytesBefore = storage.sql.databaseSize;
    for (let n = 1; n <= chunks; n++) {
      const uploadedMs = Date.now() - DAY_MS - Math.floor(((chunks - n) / chunks) * 30 * DAY_MS);
      const ids = [filledId(n)];
      const traceIds = [{ id: filledTrace(n), line: 0 }];
      const expiresAtMs = uploadedMs + 90 * DAY_MS;
      catalog.add({ chunk: n, hour: "2026010100", ids, traceIds, uploadedMs, expiresAtMs });
      if (catalog.hasManyRecent) catalog.mergeRecent();
    }
    return (storage.sql.databaseSize - bytesBefore) / chunks;
  });
}
