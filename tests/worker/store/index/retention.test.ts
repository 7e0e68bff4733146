import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { getRetentionSeconds, isCommon } from "#src/core/issue/retention.ts";
import { ExpirySweep } from "#src/store/index/expiry-sweep.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { LinkRank } from "#src/store/index/tables/alias-table.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createIssue } from "#support/reports/issues.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { addIssues, toErrorDigest } from "#support/store/many-issues.ts";
import {
  bindings,
  getIndex,
  getShard,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;

/** The TTL of the keys with a prefix, in days, the longest first. */
async function listTtlDays(prefix: string): Promise<number[]> {
  const { keys } = await bindings.KV.list({ prefix });
  const seconds = keys.map(({ expiration = 0 }) => expiration - readNowMs() / 1000);
  return seconds.map((ttl) => Math.round(ttl / 86_400)).sort((a, b) => b - a);
}

/** Reports of an old and frequent issue. */
const common = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    createReport(from + n, { occurredAtMs: readNowMs() - 8 * DAY_MS + n }),
  );

test.each([
  ["99 times within 900 days", 99, 900, false],
  ["100,000 times within 6 days", 100_000, 6, false],
  ["100 times within 7 days", 100, 7, true],
])(
  "an issue that happened %s is common only after 100 times and 7 days",
  (_, count, days, expected) => {
    expect(
      isCommon(
        { count, publicCount: 0, pageCount: 0, trust: "server", firstSeenMs: 0 },
        days * DAY_MS,
      ),
    ).toBe(expected);
    expect(getRetentionSeconds(30, expected) / 86_400).toBe(expected ? 30 : 90);
  },
);

describe("rare and new issues are kept longer than common ones", () => {
  it("a chunk is kept as long as its report with the longest retention", async () => {
    await log.append(common(1, 120));
    await getShard().flush();
    await uploadChunk();
    expect(await listTtlDays("chunk/")).toEqual([30]);
    await log.append([...common(200, 3), createReport(300, { digest: "0000-0000" })]);
    await getShard().flush();
    await uploadChunk();
    expect(await listTtlDays("chunk/")).toEqual([90, 30]);
    await log.append([createReport(301, { digest: "0000-1001" })]);
    await uploadChunk();
    expect(await listTtlDays("chunk/")).toEqual([90, 90, 30]);
  });

  it("a common issue expires 30 days after its last report, a rare one after 90", async () => {
    await log.append([...common(1, 120), createReport(300, { digest: "0000-0000" })]);
    await projectStore.listNewestIssues();
    const remaining = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const tables = new IndexTables(storage);
      const remainingAfter = (days: number) => {
        const nowMs = readNowMs() + days * DAY_MS;
        tables.deleteExpiredIssues(nowMs - 90 * DAY_MS, nowMs - 30 * DAY_MS, nowMs, 10);
        return [...tables.issues.listNames("", 1_000)].sort();
      };
      return [remainingAfter(29), remainingAfter(31), remainingAfter(91)];
    });
    expect(remaining).toEqual([["0000-0000", "7F3K-Q2M9"], ["0000-0000"], []]);
  });

  it.each(["page", "public"] as const)(
    "reports of level %s do not make an issue of servers expire early",
    async (trust) => {
      const one = createReport(300, { occurredAtMs: readNowMs() - 8 * DAY_MS });
      await log.append([one, ...common(1, 120).map((report) => ({ ...report, trust }))]);
      await projectStore.listNewestIssues();
      const remaining = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
        const tables = new IndexTables(storage);
        const nowMs = readNowMs() + 31 * DAY_MS;
        tables.deleteExpiredIssues(nowMs - 90 * DAY_MS, nowMs - 30 * DAY_MS, nowMs, 10);
        return tables.issues.listNames("", 1_000);
      });
      expect(remaining).toEqual([one.digest]);
    },
  );

  it("with a retention of one day, a new issue is kept for three days", async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      createReport(n + 1, { occurredAtMs: readNowMs() }),
    );
    await log.append(many);
    await projectStore.listNewestIssues();
    const remaining = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const tables = new IndexTables(storage);
      const nowMs = readNowMs() + 2 * DAY_MS;
      tables.deleteExpiredIssues(nowMs - 3 * DAY_MS, nowMs - DAY_MS, nowMs, 10);
      return tables.issues.listNames("", 1_000);
    });
    expect(remaining).toEqual(["7F3K-Q2M9"]);
  });

  it("the retention is configurable", async () => {
    expect(getRetentionSeconds(7, true)).toBe(7 * 86_400);
    expect(getRetentionSeconds(7, false)).toBe(21 * 86_400);
  });
});

describe("a sweep of expired data", () => {
  const HOUR_MS = 3_600_000;
  const EXPIRED_MS = NOW_MS + 92 * DAY_MS;
  const TABLES = ["issue", "facet", "facet_value", "release_count", "issue_search", "alias"];

  /** Runs with the tables of an index that has 250 issues, half of them with an alias. */
  async function withIssues(
    work: (storage: DurableObjectStorage, tables: IndexTables) => Promise<void>,
  ): Promise<void> {
    // No log sends reports to the index of this project while the sweep lets others run.
    const stub = bindings.PROJECT_INDEX.getByName("swept");
    await addIssues(0, 250, stub);
    await runInDurableObject(stub, async (_: ProjectIndex, { storage }) => {
      const tables = new IndexTables(storage);
      for (let n = 0; n < 250; n += 2)
        tables.aliases.add(`alias ${n}`, toErrorDigest(n), NOW_MS, LinkRank.public);
      await work(storage, tables);
    });
  }

  const countRows = ({ sql }: DurableObjectStorage) =>
    TABLES.map((table) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n);

  it("deletes a few issues in a turn, with all that leads to them", async () => {
    await withIssues(async (storage, tables) => {
      const sweep = new ExpirySweep(storage, tables, 30);
      let isRunning = true;
      const swept = sweep.run(EXPIRED_MS).then(() => {
        isRunning = false;
      });
      const remaining = [250];
      while (isRunning) {
        remaining.push(tables.issues.countIssues(false));
        await scheduler.wait(0);
      }
      await swept;
      const deleted = remaining.slice(1).map((count, at) => (remaining[at] ?? 0) - count);
      expect(Math.max(...deleted)).toBe(5);
      expect(sweep.hasMore).toBe(false);
      expect(countRows(storage)).toEqual(TABLES.map(() => 0));
    });
  });

  it("continues after a restart, and then begins again after an hour", async () => {
    await withIssues(async (storage, tables) => {
      const { deleteExpiredIssues } = tables;
      vi.spyOn(tables, "deleteExpiredIssues")
        .mockImplementationOnce(deleteExpiredIssues)
        .mockImplementationOnce(() => {
          throw new Error("the object is killed");
        });
      await expect(new ExpirySweep(storage, tables, 30).run(EXPIRED_MS)).rejects.toThrow("killed");
      expect(tables.issues.countIssues(false)).toBe(245);
      await new ExpirySweep(storage, tables, 30).run(EXPIRED_MS + 1);
      expect(tables.issues.countIssues(false)).toBe(0);
      tables.issues.save(createIssue());
      const runAt = async (ms: number) => {
        await new ExpirySweep(storage, tables, 30).run(ms);
        return tables.issues.countIssues(false);
      };
      expect(await runAt(EXPIRED_MS + HOUR_MS)).toBe(1);
      expect(await runAt(EXPIRED_MS + HOUR_MS + 1)).toBe(0);
    });
  });

  it("deletes releases, except the newest of the highest level", async () => {
    await withIssues(async (storage, { releases }) => {
      const day = "2026-11-21";
      const names = { server: 520, page: 30 } as const;
      for (const [trust, count] of [
        ["server", names.server],
        ["page", names.page],
      ] as const) {
        for (let n = 0; n < count; n++)
          releases.recordSeen(`${trust} ${n}`, NOW_MS + n, `${day} ${n >> 6}`, trust);
      }
      while (releases.deleteExpired(EXPIRED_MS, 12));
      const left = storage.sql
        .exec<{ name: string }>("SELECT name FROM release")
        .toArray()
        .map(({ name }) => name);
      expect(left).toHaveLength(500);
      expect(left).toContain("server 20");
      expect(left).not.toContain("server 19");
      expect(releases.get("page 29")).toBeUndefined();
      expect(releases.get("server 519")).toMatchObject({ trust: "server" });
    });
  });

  it("deletes nothing before its time", async () => {
    await withIssues(async (storage, tables) => {
      const rows = countRows(storage);
      const sweep = new ExpirySweep(storage, tables, 30);
      await sweep.run(NOW_MS + 90 * DAY_MS);
      expect([sweep.hasMore, countRows(storage)]).toEqual([false, rows]);
    });
  });
});
