import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkCatalog } from "../../../src/store/log/chunk-catalog.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { log, sealNow, shard } from "../../support/store.ts";

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

/** The rows that were read since the last call. */
function rowsRead(): number {
  return cursors.splice(0).reduce((sum, cursor) => sum + cursor.rowsRead, 0);
}

/** Stores one report and runs the alarm that copies, counts and deletes its row. */
async function rowsOfReport(n: number): Promise<number> {
  rowsRead();
  await log.append([aReport(n)]);
  await sealNow();
  const read = rowsRead();
  expect((await shard().getHealth()).rows).toBe(0);
  return read;
}

/** Adds chunks of two days ago that KV keeps for some weeks more. */
function fillCatalogue(): Promise<void> {
  return runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const catalogue = new ChunkCatalog(storage);
    const uploadedMs = Date.now() - 2 * DAY_MS;
    const expiresAtMs = uploadedMs + 30 * DAY_MS;
    for (let chunk = 1; chunk <= CHUNKS; chunk++) {
      const ids = [reportId(1_000_000 + chunk)];
      catalogue.add({ chunk, hour: "2026010100", ids, uploadedMs, expiresAtMs });
    }
  });
}

it("storing a report reads as few rows with many stored chunks as with one", async () => {
  await rowsOfReport(1);
  const few = await rowsOfReport(2);
  await fillCatalogue();
  expect(await rowsOfReport(3)).toBeLessThan(few + 20);
});

it("so does storing a report after the object has restarted", async () => {
  await rowsOfReport(1);
  await fillCatalogue();
  await abortAllDurableObjects();
  expect(await rowsOfReport(2)).toBeLessThan(300);
});
