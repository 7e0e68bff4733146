import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { WriteBudget } from "#src/store/kv/write-budget.ts";
import { getUploadDelayMs } from "#src/store/log/open-chunk.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  getIndex,
  getShard,
  listChunkKeys,
  log,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Date.UTC(2026, 10, 21);

/** Runs `work` inside a real object with a budget in its storage. */
const withBudget = <T>(
  perDay: number,
  work: (budget: WriteBudget, again: () => WriteBudget) => T,
) =>
  runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    storage.sql.exec("DELETE FROM write_budget");
    return work(new WriteBudget(storage, perDay), () => new WriteBudget(storage, perDay));
  });

describe("the write budget of a day", () => {
  it("lasts until the end of the day under constant demand and is never exceeded", async () => {
    const { spent, lastMs } = await withBudget(100, (budget) => {
      let [spent, lastMs] = [0, 0];
      // A writer with constant demand waits as long as the budget says.
      for (let nowMs = MIDNIGHT_MS; nowMs < MIDNIGHT_MS + DAY_MS; ) {
        const waitMs = budget.getWaitMs(nowMs);
        if (waitMs === 0) {
          budget.spend(nowMs);
          spent += 1;
          lastMs = nowMs;
        }
        nowMs += Math.max(waitMs, 1_000);
      }
      return { spent, lastMs };
    });
    expect(spent).toBeGreaterThanOrEqual(98);
    expect(spent).toBeLessThanOrEqual(100);
    expect(lastMs).toBeGreaterThan(MIDNIGHT_MS + 0.97 * DAY_MS);
  });

  it.each([1, 2, 3])(
    "of %d is used completely, and one write is available immediately",
    async (perDay) => {
      const spentAt = await withBudget(perDay, (budget) => {
        const spentAt: number[] = [];
        for (let nowMs = MIDNIGHT_MS; nowMs < MIDNIGHT_MS + DAY_MS; ) {
          const waitMs = budget.getWaitMs(nowMs);
          if (waitMs === 0) {
            budget.spend(nowMs);
            spentAt.push(nowMs);
          }
          nowMs += Math.max(waitMs, 1_000);
        }
        return spentAt;
      });
      expect([spentAt.length, spentAt[0]]).toEqual([perDay, MIDNIGHT_MS]);
    },
  );

  it("allows a third immediately and starts again at midnight", async () => {
    const [burst, later] = await withBudget(90, (budget) => {
      const spend = (atMs: number) => {
        let spent = 0;
        while (budget.getWaitMs(atMs) === 0) {
          budget.spend(atMs);
          spent += 1;
        }
        return spent;
      };
      return [spend(MIDNIGHT_MS), spend(MIDNIGHT_MS + DAY_MS)];
    });
    expect([burst, later]).toEqual([30, 30]);
  });

  it("of the free plan uploads 3,000 quiet reports within minutes, and lasts all day", async () => {
    const { spent, longestMs } = await withBudget(475, (budget) => {
      let [spent, longestMs, dueMs, openedMs] = [0, 0, 0, 0];
      for (let n = 0; n < 3_000; n++) {
        const nowMs = MIDNIGHT_MS + Math.floor((n * DAY_MS) / 3_000);
        if (openedMs > 0 && nowMs >= dueMs) {
          budget.spend(dueMs);
          spent += 1;
          longestMs = Math.max(longestMs, dueMs - openedMs);
          openedMs = 0;
        }
        if (openedMs > 0) continue;
        openedMs = nowMs;
        const delayMs = getUploadDelayMs(budget.getPaceMs(nowMs));
        dueMs = nowMs + Math.max(delayMs, budget.getWaitMs(nowMs + delayMs));
      }
      return { spent, longestMs };
    });
    expect(spent).toBeLessThanOrEqual(475);
    expect(spent).toBeGreaterThan(400);
    expect(longestMs).toBeLessThan(240_000);
  });

  it("survives a restart, except for the writes of the last second", async () => {
    const usages = await withBudget(90, (budget, again) => {
      for (let n = 0; n < 7; n++) budget.spend(MIDNIGHT_MS + 1_000 * n);
      for (let n = 0; n < 5; n++) budget.spend(MIDNIGHT_MS + 6_900);
      return [budget, again()].map((one) => one.getUsage(MIDNIGHT_MS).usedToday);
    });
    expect(usages).toEqual([12, 7]);
  });

  it("is stored once a second however many writes it counts", async () => {
    const stored = await runInDurableObject(getShard(), (_: ReportLog, { storage: { sql } }) => {
      const queries: string[] = [];
      const exec = (query: string, ...bindings: unknown[]) => {
        queries.push(query);
        return sql.exec(query, ...bindings);
      };
      const budget = new WriteBudget({ sql: { exec } } as never, 100_000);
      for (let n = 0; n < 500; n++) budget.spend(MIDNIGHT_MS + 10 * n);
      return queries.filter((query) => query.startsWith("INSERT"));
    });
    expect(stored).toHaveLength(5);
  });
});

describe("when the write budget is used up", () => {
  /** Uses up the budget of an object, which reads its usage when it starts. */
  const useUp = async (object: DurableObjectStub<undefined>) => {
    await runInDurableObject(object, (_: unknown, { storage }) => {
      const today = Math.floor(readNowMs() / DAY_MS);
      const query = "INSERT OR REPLACE INTO write_budget(id, day, spent) VALUES (1, ?, 1000000)";
      storage.sql.exec(query, today);
    });
    await abortAllDurableObjects();
  };

  it("reports are acknowledged, counted and readable, and the health shows how many wait", async () => {
    await log.append([createReport(1)]);
    await useUp(getShard() as unknown as DurableObjectStub<undefined>);
    const [acked] = await log.append([createReport(2)]);
    await uploadChunk();
    expect(await listChunkKeys()).toEqual([]);
    expect((await projectStore.readReport({ position: acked?.position ?? "" }))?.id).toBe(
      createReport(2).id,
    );
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    const { shards } = await projectStore.getHealth();
    expect(shards).toMatchObject([{ shard: "0", lines: 2, usedToday: 1_000_000 }]);
    expect(shards[0]?.waitMs).toBeGreaterThan(0);
  });

  it("the index still counts, and the health shows how many snapshots wait", async () => {
    await log.append([createReport(1)]);
    await projectStore.listNewestIssues();
    await useUp(getIndex() as unknown as DurableObjectStub<undefined>);
    await log.append([createReport(2)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    expect((await projectStore.getHealth()).snapshots).toMatchObject({
      waiting: 2,
      usedToday: 1_000_000,
    });
  });
});
