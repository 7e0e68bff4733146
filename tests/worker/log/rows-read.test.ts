import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkCatalog } from "../../../src/store/log/chunk-catalog.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { log, shard, uploadChunk } from "../../support/store.ts";

const DAY_MS = 86_400_000;
const CHUNKS = 2_000;

const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

beforeEach(async () => {
  const sql = await runInDurableObject(shard(), (_: ReportLog, { storage }) =>
    Object.getPrototypeOf(storage.sql),
  );
  const exec = sql.exec;
  vi.spyOn(sql, "exec").mockImplementation(function (this: SqlStorage, ...args: unknown[]) {
    const cursor = exec.apply(this, args);
    cursors.push(cursor);
    return cursor;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  return fresh();
});

/** The rows read since the last call. */
function resetRowsRead(): number {
  return cursors.splice(0).reduce((sum, cursor) => sum + cursor.rowsRead, 0);
}

/** Stores one report and runs the alarm that uploads and deletes its row. Returns the rows read. */
async function countRowsReadToStore(n: number): Promise<number> {
  resetRowsRead();
  await log.append([aReport(n)]);
  await uploadChunk();
  const read = resetRowsRead();
  expect((await shard().getHealth()).rows).toBe(0);
  return read;
}

/** Adds two-day-old chunks that KV keeps for several weeks. */
function fillCatalog(): Promise<void> {
  return runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const catalog = new ChunkCatalog(storage, "0");
    const uploadedMs = Date.now() - 2 * DAY_MS;
    const expiresAtMs = uploadedMs + 30 * DAY_MS;
    for (let chunk = 1; chunk <= CHUNKS; chunk++) {
      const ids = [reportId(1_000_000 + chunk)];
      catalog.add({ chunk, hour: "2026010100", ids, uploadedMs, expiresAtMs });
    }
  });
}

it("storing a report reads as few rows with many stored chunks as with one", async () => {
  await countRowsReadToStore(1);
  const few = await countRowsReadToStore(2);
  await fillCatalog();
  expect(await countRowsReadToStore(3)).toBeLessThan(few + 20);
});

it("storing a report after a restart reads few rows with many stored chunks", async () => {
  await countRowsReadToStore(1);
  await fillCatalog();
  await abortAllDurableObjects();
  expect(await countRowsReadToStore(2)).toBeLessThan(300);
});
