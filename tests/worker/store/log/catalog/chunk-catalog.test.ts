import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { formatPosition } from "#src/store/kv/keys.ts";
import { CatalogSweep } from "#src/store/log/catalog/catalog-sweep.ts";
import { ChunkCatalog } from "#src/store/log/catalog/chunk-catalog.ts";
import type { IdKey } from "#src/store/log/catalog/id-key.ts";
import { LogTable } from "#src/store/log/log-table.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { fillCatalog, toFilledId, toFilledTrace } from "#support/store/fill-catalog.ts";
import { getIndex, getShard, log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 21, 17);
const HOUR = "2026112117";

/** Runs `work` with the catalog of the shard. */
const withCatalog = <T>(work: (catalog: ChunkCatalog, storage: DurableObjectStorage) => T) =>
  runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
    work(new ChunkCatalog(storage, "0"), storage),
  );

const toId = (chunk: number, line: number) =>
  (Math.imul(chunk * 1_000 + line + 1, 0x9e3779b1) >>> 0).toString(16).padStart(32, "e");

/** Adds chunks of three reports: ids of lines 0 and 1, an id without a line, one trace. */
function addChunks(catalog: ChunkCatalog, from: number, to: number, expiryDays = 30): void {
  for (let chunk = from; chunk <= to; chunk++) {
    catalog.add({
      chunk,
      hour: HOUR,
      ids: [toId(chunk, 0), toId(chunk, 1)],
      extraIds: [{ id: toId(chunk, 2), line: 1 }],
      traceIds: [{ id: "5".repeat(32), line: 1 }],
      uploadedMs: NOW_MS + chunk * 1_000,
      expiresAtMs: NOW_MS + chunk * 1_000 + expiryDays * DAY_MS,
    });
  }
}

function mergeAll(catalog: ChunkCatalog): void {
  while (catalog.hasManyRecent) catalog.mergeRecent();
}

it("merged chunks are found by number, id and trace, with their totals and times", async () => {
  const found = await withCatalog((catalog) => {
    for (let from = 1; from <= 1_000; from += 100) {
      addChunks(catalog, from, from + 99, from % 200 === 1 ? 30 : 90);
      mergeAll(catalog);
    }
    const ids = Array.from({ length: 1_000 }, (_, n) => toId(n + 1, n % 3));
    const positions = catalog.findByIds(ids.slice(0, 20));
    const wrong = ids.filter((id, n) => {
      const place = { hour: HOUR, shard: "0", chunk: n + 1, line: Math.min(n % 3, 1) };
      return catalog.findByIds([id]).get(id) !== formatPosition(place);
    });
    return {
      wrong,
      several: positions.size,
      unknown: catalog.findByIds([toReportId(1)]).size,
      trace: catalog.findByTrace("5".repeat(32)),
      totals: catalog.countTotals(),
      upload: catalog.findUpload(77),
      none: catalog.findUpload(1_001),
      last: catalog.getLastChunk(),
      since: catalog.listUploadedSince(NOW_MS + 990_000).length,
      keys: [...catalog.readKeysSince(NOW_MS)].length,
    };
  });
  const newest = (n: number) => `${HOUR}/0.${String(1_000 - n).padStart(8, "0")}:1`;
  expect(found).toEqual({
    wrong: [],
    several: 20,
    unknown: 0,
    trace: Array.from({ length: limits.maxReportsPerCode }, (_, n) => newest(n)),
    totals: { chunks: 1_000, lines: 2_000 },
    upload: {
      chunk: 77,
      hour: HOUR,
      lineCount: 2,
      uploadedMs: NOW_MS + 77_000,
      expiresAtMs: NOW_MS + 77_000 + 30 * DAY_MS,
    },
    none: undefined,
    last: 1_000,
    since: 11,
    // Of one trace only the newest lines are kept in each run.
    keys: expect.any(Number),
  });
  expect(found.keys).toBeLessThan(3_100);
});

it("chunks with very many ids are merged into several runs", async () => {
  const found = await withCatalog((catalog) => {
    const perChunk = 40_000;
    for (let chunk = 1; chunk <= 4; chunk++) {
      const ids = Array.from({ length: perChunk }, (_, n) => toId(chunk * 100 + n, 0));
      const times = { uploadedMs: NOW_MS, expiresAtMs: NOW_MS + DAY_MS };
      catalog.add({ chunk, hour: HOUR, ids, ...times });
      mergeAll(catalog);
    }
    return [1, 2, 3, 4].map((chunk) => catalog.findByIds([toId(chunk * 100 + 39_999, 0)]).size);
  });
  expect(found).toEqual([1, 1, 1, 1]);
});

it("runs are deleted when all their chunks have expired, a few at a time", async () => {
  const steps = await withCatalog((catalog, storage) => {
    for (let day = 0; day < 12; day++) addChunks(catalog, 100 * day + 1, 100 * day + 64, 30 + day);
    mergeAll(catalog);
    catalog.erasedLines.add(1, [{ line: 0, isRemoved: true }]);
    const table = {
      catalog,
      sweptMs: 0,
      getSweptMs: () => table.sweptMs,
      saveSweptMs: (ms: number) => {
        table.sweptMs = ms;
      },
    };
    const sweep = () => new CatalogSweep(table, () => 0);
    const later = NOW_MS + 100 * DAY_MS;
    const first = sweep();
    const steps = [first.run(NOW_MS), catalog.countTotals().chunks];
    // A restart continues; within the hour nothing is left to do.
    for (let n = 0; n < 3; n++) steps.push(sweep().run(later), catalog.countTotals().chunks);
    const rows = storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM id_block").one().n;
    return [...steps, rows, catalog.erasedLines.list(1).length];
  });
  expect(steps).toEqual([false, 768, true, 256, false, 0, false, 0, 0, 0]);
});

it("a shard that fills drops its oldest ids, keeps its chunks, and its health says so", async () => {
  await fillCatalog(2_000);
  const dropped = await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, "0", 0);
    const isFound = (n: number) => table.catalog.findByIds([toFilledId(n)]).size === 1;
    const isTraceFound = (n: number) => table.catalog.findByTrace(toFilledTrace(n)).length === 1;
    const before = storage.sql.databaseSize;
    const sweep = new CatalogSweep(table, () => storage.sql.databaseSize, before - 1);
    const hasMore = sweep.run(readNowMs());
    return {
      hasMore,
      shrank: storage.sql.databaseSize < before,
      again: sweep.run(readNowMs() + DAY_MS / 24),
      oldest: [isFound(1), isTraceFound(1)],
      newest: [isFound(2_000), isTraceFound(2_000)],
      upload: table.catalog.findUpload(1)?.chunk,
      chunks: table.catalog.countTotals().chunks,
    };
  });
  expect(dropped).toEqual({
    hasMore: true,
    shrank: true,
    again: false,
    oldest: [false, false],
    newest: [true, true],
    upload: 1,
    chunks: 2_000,
  });
  await abortAllDurableObjects();
  expect((await getShard().getHealth()).droppedIdsMs).toBeGreaterThan(readNowMs() - 32 * DAY_MS);
});

it("a report is found, counted once and erased after its chunk was merged", async () => {
  for (let n = 1; n <= 70; n++) {
    await log.append([createReport(n, { digest: n % 2 === 0 ? "7F3K-Q2M9" : "0000-0000" })]);
    // A query makes the index store the reports: until then the log keeps them.
    await projectStore.listNewestIssues();
    await uploadChunk();
  }
  const merged = await withCatalog((_, storage) =>
    storage.sql.exec("SELECT sum(chunkCount) AS n FROM id_run").one(),
  );
  expect(merged).toEqual({ n: 64 });
  await abortAllDurableObjects();
  const again = await log.append(Array.from({ length: 70 }, (_, n) => createReport(n + 1)));
  expect(again.every(({ isDuplicate }) => isDuplicate)).toBe(true);
  expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(35);
  expect((await projectStore.locateReport(toReportId(2)))?.id).toBe(toReportId(2));
  expect(await getIndex().eraseReport(toReportId(2))).toBe(true);
  expect((await projectStore.locateReport(toReportId(2)))?.id).toBeUndefined();
});

it("one merge takes some of the chunks with many ids, and a further one continues", async () => {
  const found = await withCatalog((catalog) => {
    for (let chunk = 1; chunk <= 70; chunk++) {
      const ids = Array.from({ length: 1_000 }, (_, line) => toId(chunk, line));
      const times = { uploadedMs: NOW_MS, expiresAtMs: NOW_MS + DAY_MS };
      catalog.add({ chunk, hour: HOUR, ids, ...times });
    }
    const merged = [catalog.mergeRecent(), catalog.mergeRecent(), catalog.mergeRecent()];
    const ids = Array.from({ length: 700 }, (_, n) => toId(Math.floor(n / 10) + 1, n));
    const lost = ids.filter((id) => catalog.findByIds([id]).size === 0);
    return { merged, lost, keys: new Set([...catalog.readKeysSince(0)].map(toText)).size };
  });
  expect(found).toEqual({ merged: [9, 9, 9], lost: [], keys: 70_000 });
});

const toText = ({ key: { high, low } }: { readonly key: IdKey }) => `${high} ${low}`;
