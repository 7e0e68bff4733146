import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { MAX_RECENT_IDS } from "../../../src/store/log/dedupe/recent-ids.ts";
import { LogTable } from "../../../src/store/log/log-table.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import { SeenIds } from "../../../src/store/log/seen-ids.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { shard } from "../../support/store.ts";

afterEach(() => fresh());

const idOf = (n: number) => (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(32, "a");
const HOUR = "2026112117";
const NOW_MS = Date.UTC(2026, 10, 21, 17);
const DAY_MS = 86_400_000;

it("every id of a day is known again after a restart, far beyond what memory holds with its place", async () => {
  const perChunk = 40_000;
  const chunks = Math.ceil((2.5 * MAX_RECENT_IDS) / perChunk);
  const found = await runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, NOW_MS);
    for (let chunk = 1; chunk <= chunks; chunk++) {
      const ids = Array.from({ length: perChunk }, (_, n) => idOf(chunk * perChunk + n));
      table.catalog.add({
        chunk,
        hour: HOUR,
        ids,
        uploadedMs: NOW_MS,
        expiresAtMs: NOW_MS + DAY_MS,
      });
    }
    const known = new SeenIds(table, "0", NOW_MS);
    return [
      known.get(idOf(perChunk + 7)),
      known.get(idOf(chunks * perChunk + 7)),
      known.get("c".repeat(32)),
    ];
  });
  expect(found).toEqual([`${HOUR}/0.00000001:7`, `${HOUR}/0.0000000${chunks}:7`, undefined]);
});

it("so is what waits for the day's writes, however much it is", async () => {
  const position = await runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, NOW_MS);
    const known = new SeenIds(table, "0", NOW_MS);
    const lines = [JSON.stringify(aReport(1, { id: idOf(1) })), '{"rollup":1}'];
    const placed = [{ id: idOf(2), line: 1 }];
    table.insert({ chunk: 3, hour: HOUR, lines, extraIds: placed });
    for (let n = 1; n <= 2 * MAX_RECENT_IDS + 10; n++) known.add(idOf(n), "", NOW_MS);
    return [known.get(idOf(1)), known.get(idOf(2)), known.findStored(idOf(3))];
  });
  expect(position).toEqual([`${HOUR}/0.00000003:0`, `${HOUR}/0.00000003:1`, null]);
});

it("what was copied more than a day ago is new", async () => {
  const found = await runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, NOW_MS);
    table.catalog.add({
      chunk: 1,
      hour: HOUR,
      ids: [idOf(1)],
      uploadedMs: NOW_MS - DAY_MS - 1_000,
      expiresAtMs: NOW_MS + DAY_MS,
    });
    return new SeenIds(table, "0", NOW_MS).get(idOf(1));
  });
  expect(found).toBeUndefined();
});
