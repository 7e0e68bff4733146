import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, test } from "vitest";
import { getRetentionSeconds, isCommon } from "../../../src/core/issue/retention.ts";
import type { ProjectIndex } from "../../../src/store/index/project-index.ts";
import { IssueTable } from "../../../src/store/index/tables/issue-table.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { bindings, desk, index, log, sealNow, shard } from "../../support/store.ts";

afterEach(() => fresh());

const DAY_MS = 86_400_000;

/** How long KV keeps what stands under a prefix, in days, the longest first. */
async function daysKept(prefix: string): Promise<number[]> {
  const { keys } = await bindings.KV.list({ prefix });
  const seconds = keys.map(({ expiration = 0 }) => expiration - Date.now() / 1000);
  return seconds.map((it) => Math.round(it / 86_400)).sort((a, b) => b - a);
}

/** Reports of a fault that is old and frequent. */
const common = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    aReport(from + n, { occurredAtMs: Date.now() - 8 * DAY_MS + n }),
  );

test.each([
  ["99 times, for years", 99, 900, false],
  ["often, since six days", 100_000, 6, false],
  ["often, since a week", 100, 7, true],
])("an issue that happened %s: is common: %#", (_, count, days, expected) => {
  expect(isCommon({ count, firstSeenMs: 0 }, days * DAY_MS)).toBe(expected);
  expect(getRetentionSeconds(30, expected) / 86_400).toBe(expected ? 30 : 90);
});

describe("rare and new issues outlive common old ones", () => {
  it("a chunk is kept as long as the most important report in it", async () => {
    await log.append(common(1, 120));
    await shard().flush();
    await sealNow();
    expect(await daysKept("chunk/")).toEqual([30]);
    await log.append([...common(200, 3), aReport(300, { digest: "0000-0000" })]);
    await shard().flush();
    await sealNow();
    expect(await daysKept("chunk/")).toEqual([90, 30]);
    await log.append([aReport(301, { digest: "0000-1001" })]);
    await sealNow();
    expect(await daysKept("chunk/")).toEqual([90, 90, 30]);
  });

  it("a common issue is forgotten after 30 days without a report, a rare one after 90", async () => {
    await log.append([...common(1, 120), aReport(300, { digest: "0000-0000" })]);
    await desk.listNewestIssues();
    const left = await runInDurableObject(index(), (_: ProjectIndex, { storage }) => {
      const table = new IssueTable(storage);
      const leftAfter = (days: number) => {
        const nowMs = Date.now() + days * DAY_MS;
        table.deleteExpired(nowMs - 90 * DAY_MS, nowMs - 30 * DAY_MS, nowMs - 7 * DAY_MS);
        return [...table.listDigests()].sort();
      };
      return [leftAfter(29), leftAfter(31), leftAfter(91)];
    });
    expect(left).toEqual([["0000-0000", "7F3K-Q2M9"], ["0000-0000"], []]);
  });

  it("what is kept for a day alone is kept three days while it is new", async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      aReport(n + 1, { occurredAtMs: Date.now() }),
    );
    await log.append(many);
    await desk.listNewestIssues();
    const left = await runInDurableObject(index(), (_: ProjectIndex, { storage }) => {
      const table = new IssueTable(storage);
      const nowMs = Date.now() + 2 * DAY_MS;
      table.deleteExpired(nowMs - 3 * DAY_MS, nowMs - DAY_MS, nowMs - 7 * DAY_MS);
      return table.listDigests();
    });
    expect(left).toEqual(["7F3K-Q2M9"]);
  });

  it("the days are the operator's", async () => {
    expect(getRetentionSeconds(7, true)).toBe(7 * 86_400);
    expect(getRetentionSeconds(7, false)).toBe(21 * 86_400);
  });
});
