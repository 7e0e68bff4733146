import { reset, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { KnownIds } from "../../src/store/known-ids.ts";
import { LogTable } from "../../src/store/log-table.ts";
import { MAX_IDS } from "../../src/store/recent-ids.ts";
import type { ReportLog } from "../../src/store/report-log.ts";
import { shard } from "../support/store.ts";

afterEach(() => reset());

const idOf = (n: number) => (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(32, "a");
const HOUR = "2026112117";
const DAY_MS = 86_400_000;

it("every id of a day is known again after a restart, far beyond what memory holds with its place", async () => {
  const perChunk = 40_000;
  const chunks = Math.ceil((2.5 * MAX_IDS) / perChunk);
  const found = await runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage);
    const nowMs = Date.now();
    for (let chunk = 1; chunk <= chunks; chunk++) {
      const ids = Array.from({ length: perChunk }, (_, n) => idOf(chunk * perChunk + n));
      table.sealed({ chunk, hour: HOUR, ids, sealedMs: nowMs });
    }
    const known = new KnownIds(table, "0", nowMs);
    return [
      known.get(idOf(perChunk + 7)),
      known.get(idOf(chunks * perChunk + 7)),
      known.get("c".repeat(32)),
    ];
  });
  expect(found).toEqual([`${HOUR}/0.00000001:7`, `${HOUR}/0.0000000${chunks}:7`, undefined]);
});

it("what was copied more than a day ago is new", async () => {
  const found = await runInDurableObject(shard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage);
    const nowMs = Date.now();
    table.sealed({ chunk: 1, hour: HOUR, ids: [idOf(1)], sealedMs: nowMs - DAY_MS - 1_000 });
    return new KnownIds(table, "0", nowMs).get(idOf(1));
  });
  expect(found).toBeUndefined();
});
