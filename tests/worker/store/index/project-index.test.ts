import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import { applyLogOnce } from "#src/store/index/apply/apply-log-once.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { IssueTable } from "#src/store/index/tables/issue-table.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { expectConsoleError } from "#support/console.ts";
import { eventually } from "#support/eventually.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  getIndex,
  log,
  NOW_MS,
  projectStore,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;

/** Waits for the first snapshots, which are written after the acknowledgement. */
const readSnapshot = (key: string) =>
  eventually(async () => {
    const value = await bindings.KV.get(key, "json");
    expect(value).not.toBeNull();
    return value;
  });

describe("an acknowledged report", () => {
  it("is in the issue and in the list on the next read", async () => {
    await log.append([createReport(1), createReport(2)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 2,
      type: "TypeError",
    });
    expect((await projectStore.listNewestIssues()).issues).toMatchObject([
      { digest: "7F3K-Q2M9", count: 2 },
    ]);
  });

  it("is in the snapshots in KV", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    expect(await readSnapshot("issue/1/7F3K-Q2M9")).toMatchObject({ v: 1, count: 1 });
    expect(await readSnapshot("issue-list/1/0")).toMatchObject({ v: 1, total: 1 });
    expect(await readSnapshot("alias/1/2338823894")).toEqual({ v: 1, digests: ["7F3K-Q2M9"] });
  });

  it("does not rewrite a recent snapshot, and a restarted index writes it when it is due", async () => {
    await log.append([createReport(1)]);
    await readSnapshot("issue/1/7F3K-Q2M9");
    await log.append([createReport(2)]);
    await projectStore.getFreshIssue("7F3K-Q2M9");
    expect(await bindings.KV.get("issue/1/7F3K-Q2M9", "json")).toMatchObject({ count: 1 });
    await writeSnapshots();
    expect(await bindings.KV.get("issue/1/7F3K-Q2M9", "json")).toMatchObject({ count: 2 });
  });
});

describe("aliases", () => {
  it("lead to every issue that has them, the newest link first", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    await projectStore.listNewestIssues();
    await log.append([createReport(2, { digest: "0000-0000", aliases: ["2338823894"] })]);
    expect(await projectStore.findIssuesByAlias("2338823894")).toEqual(["0000-0000", "7F3K-Q2M9"]);
    expect(await projectStore.findIssuesByAlias("1")).toEqual([]);
  });

  it("link a browser report to the only server issue that has them", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    await projectStore.listNewestIssues();
    const browserReport = {
      side: "browser",
      digest: "0000-0000",
      aliases: ["2338823894"],
    } as const;
    await log.append([createReport(2, browserReport)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linkedCount: 1,
    });
    expect(await projectStore.getFreshIssue("0000-0000")).toBeNull();
  });
});

describe("linked reports", () => {
  it("are not occurrences and do not change the title of the issue", async () => {
    await log.append([createReport(1)]);
    await log.append([
      createReport(2, {
        isLinked: true,
        side: "browser",
        kind: "notice",
        type: "Notice",
        message: "",
      }),
    ]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linkedCount: 1,
      type: "TypeError",
    });
  });

  it("that came first yield the title to the server's report", async () => {
    await log.append([
      createReport(2, {
        isLinked: true,
        side: "browser",
        kind: "notice",
        type: "Notice",
        message: "",
      }),
    ]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 0,
      linkedCount: 1,
    });
    await log.append([createReport(1)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linkedCount: 1,
      type: "TypeError",
    });
  });
});

describe("one sender does not block counting for others", () => {
  const long = "\u0001".repeat(2_000);

  it("with texts that become six times as long as JSON", async () => {
    const texts = { type: long, message: long, release: long, environment: long };
    const request = { url: long, route: long };
    const hostile = Array.from({ length: 45 }, (_, n) => createReport(n, { ...texts, request }));
    await log.append([...hostile, createReport(99, { digest: "0000-0000" })]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 45 });
    expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
  });

  it("with an issue that exceeds the row limit: it shows fewer reports and counts all", async () => {
    await log.append([createReport(1)]);
    const issue = await projectStore.getFreshIssue("7F3K-Q2M9");
    const summary = { ...issue?.latestReports[0], message: long.repeat(100) } as ReportSummary;
    const stored = await runInDurableObject(getIndex(), (_: ProjectIndex, state) => {
      const table = new IssueTable(state.storage);
      table.save({
        ...(issue as Issue),
        count: 7,
        latestReports: Array.from({ length: 40 }, () => summary),
      });
      return table.get("7F3K-Q2M9");
    });
    expect(stored?.count).toBe(7);
    expect(stored?.latestReports.length).toBeLessThan(40);
  });
});

it("an issue without a report for 90 days expires together with its aliases", async () => {
  await log.append([createReport(1, { aliases: ["2338823894"] })]);
  const issue = await projectStore.getFreshIssue("7F3K-Q2M9");
  const counts = await runInDurableObject(getIndex(), (_: ProjectIndex, state) => {
    const tables = new IndexTables(state.storage);
    const expireBefore = (ms: number) => tables.deleteExpiredIssues(ms, ms, readNowMs(), 10);
    expireBefore(issue?.asOfMs ?? 0);
    const before = tables.issues.countIssues(false);
    expireBefore(readNowMs() + DAY_MS);
    const { issues, aliases } = tables;
    return [before, issues.countIssues(false), aliases.findDigests("2338823894").length];
  });
  expect(counts).toEqual([1, 0, 0]);
});

describe("one report does not block counting of others", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "with a tag named %s",
    async (name) => {
      await log.append([
        createReport(1, { tags: [["plan", "x"]] }),
        createReport(2, { tags: [[name, "evil"]] }),
        createReport(3, { digest: "0000-0000" }),
      ]);
      await log.append([createReport(4, { tags: [["plan", "x"]] })]);
      expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
      expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
    },
  );

  it("when it makes the code throw: only that report is skipped", async () => {
    const written = expectConsoleError();
    await log.append([createReport(1)]);
    await projectStore.listNewestIssues();
    const applied = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const tables = new IndexTables(storage);
      const seq = tables.shardProgress.getAppliedSeq("0");
      const summaries = [2, 3, 4].map((n) =>
        summarizeReport(createReport(n), `2026112117/0.00000009:${n}`),
      );
      const rows = summaries.map((summary, n) => ({
        seq: seq + 1 + n,
        summary: n === 1 ? { ...summary, tags: 5 as never } : summary,
      }));
      const { lastSeq, issues } = applyLogOnce(tables, "0", rows, NOW_MS);
      return {
        rowCount: lastSeq - seq,
        digests: [...issues],
        count: tables.issues.get("7F3K-Q2M9")?.count,
      };
    });
    expect(applied).toEqual({ rowCount: 3, digests: ["7F3K-Q2M9"], count: 3 });
    expect(written.join("\n")).toContain("row skipped");
  });
});

describe("counts are exact", () => {
  it("for many reports in many requests, with restarts in between", async () => {
    for (let round = 0; round < 5; round++) {
      const batch = Array.from({ length: 40 }, (_, i) => createReport(round * 1000 + i));
      await Promise.all(batch.map((report) => log.append([report])));
      if (round % 2 === 1) await abortAllDurableObjects();
    }
    expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(200);
    const latest = (await projectStore.getFreshIssue("7F3K-Q2M9"))?.latestReports.map(
      ({ id }) => id,
    );
    // The log keeps the first bodies of a storm, and again after each restart.
    expect(latest).toContain(toReportId(4_001));
    expect(latest).toHaveLength(20);
  });
});
