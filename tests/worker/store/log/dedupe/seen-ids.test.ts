import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { MAX_RECENT_IDS, SeenIds } from "#src/store/log/dedupe/seen-ids.ts";
import { LogTable } from "#src/store/log/log-table.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getShard } from "#support/store/store.ts";

afterEach(() => emptyStore());

const toId = (n: number) => (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(32, "a");
const HOUR = "2026112117";
const NOW_MS = Date.UTC(2026, 10, 21, 17);
const DAY_MS = 86_400_000;

it("knows every id of the last day after a restart, including those beyond the ids in memory", async () => {
  const perChunk = 40_000;
  const chunks = Math.ceil((2.5 * MAX_RECENT_IDS) / perChunk);
  const found = await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, "0", NOW_MS);
    for (let chunk = 1; chunk <= chunks; chunk++) {
      const ids = Array.from({ length: perChunk }, (_, n) => toId(chunk * perChunk + n));
      table.catalog.add({
        chunk,
        hour: HOUR,
        ids,
        uploadedMs: NOW_MS,
        expiresAtMs: NOW_MS + DAY_MS,
      });
    }
    const seenIds = new SeenIds(table, NOW_MS);
    return [
      seenIds.get(toId(perChunk + 7)),
      seenIds.get(toId(chunks * perChunk + 7)),
      seenIds.get("c".repeat(32)),
    ];
  });
  expect(found).toEqual([`${HOUR}/0.00000001:7`, `${HOUR}/0.0000000${chunks}:7`, undefined]);
});

it("finds ids in rows that are not uploaded yet, beyond the ids in memory", async () => {
  const positions = await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, "0", NOW_MS);
    const seenIds = new SeenIds(table, NOW_MS);
    const lines = [JSON.stringify(createReport(1, { id: toId(1) })), '{"rollup":1}'];
    const extraIds = [{ id: toId(2), line: 1 }];
    table.insert({ chunk: 3, hour: HOUR, lines, extraIds, firstLine: 0 });
    for (let n = 1; n <= 2 * MAX_RECENT_IDS + 10; n++) seenIds.add(toId(n), "", NOW_MS);
    return [seenIds.get(toId(1)), seenIds.get(toId(2)), seenIds.findStored([toId(3)])];
  });
  expect(positions).toEqual([`${HOUR}/0.00000003:0`, `${HOUR}/0.00000003:1`, null]);
});

it("treats an id uploaded more than a day ago as new", async () => {
  const found = await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, "0", NOW_MS);
    table.catalog.add({
      chunk: 1,
      hour: HOUR,
      ids: [toId(1)],
      uploadedMs: NOW_MS - DAY_MS - 1_000,
      expiresAtMs: NOW_MS + DAY_MS,
    });
    return new SeenIds(table, NOW_MS).get(toId(1));
  });
  expect(found).toBeUndefined();
});
