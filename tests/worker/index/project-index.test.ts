import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Issue } from "../../../src/core/issue/issue.ts";
import { type ReportSummary, summarizeReport } from "../../../src/core/report/report-summary.ts";
import type { ProjectIndex } from "../../../src/store/index/project-index.ts";
import { IssueLists } from "../../../src/store/index/state/issue-lists.ts";
import { ProjectState } from "../../../src/store/index/state/project-state.ts";
import { AliasTable } from "../../../src/store/index/tables/alias-table.ts";
import { IssueTable } from "../../../src/store/index/tables/issue-table.ts";
import { expectConsoleError } from "../../support/console.ts";
import { eventually } from "../../support/eventually.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { bindings, desk, index, log, NOW_MS } from "../../support/store.ts";

afterEach(() => fresh());

/** Waits for the first copies, which are made behind the acknowledgement. */
const snapshotOf = (key: string) =>
  eventually(async () => {
    const value = await bindings.KV.get(key, "json");
    expect(value).not.toBeNull();
    return value;
  });

describe("what was acknowledged is on the console at once", () => {
  it("the issue, its count and the list, read right after the acknowledgement", async () => {
    await log.append([aReport(1), aReport(2)]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2, type: "TypeError" });
    expect((await desk.listNewestIssues()).issues).toMatchObject([
      { digest: "7F3K-Q2M9", count: 2 },
    ]);
  });

  it("and everywhere within a minute: the snapshots in KV say the same", async () => {
    await log.append([aReport(1, { aliases: ["2338823894"] })]);
    expect(await snapshotOf("issue/1/7F3K-Q2M9")).toMatchObject({ v: 1, count: 1 });
    expect(await snapshotOf("issue-list/1/0")).toMatchObject({ v: 1, total: 1 });
    expect(await snapshotOf("alias/1/2338823894")).toEqual({ v: 1, digests: ["7F3K-Q2M9"] });
  });

  it("a changed issue is not copied sooner than KV takes it, and a restarted index knows what is missing", async () => {
    await log.append([aReport(1)]);
    await snapshotOf("issue/1/7F3K-Q2M9");
    await log.append([aReport(2)]);
    await desk.getFreshIssue("7F3K-Q2M9");
    expect(await bindings.KV.get("issue/1/7F3K-Q2M9", "json")).toMatchObject({ count: 1 });
    await abortAllDurableObjects();
    await index().getIssue("7F3K-Q2M9");
    await eventually(async () =>
      expect(await bindings.KV.get("issue/1/7F3K-Q2M9", "json")).toMatchObject({ count: 2 }),
    );
  });
});

describe("aliases", () => {
  it("lead to every issue that has them, the newest first", async () => {
    await log.append([aReport(1, { aliases: ["2338823894"] })]);
    await desk.listNewestIssues();
    await log.append([aReport(2, { digest: "0000-0000", aliases: ["2338823894"] })]);
    expect(await desk.findIssuesByAlias("2338823894")).toEqual(["0000-0000", "7F3K-Q2M9"]);
    expect(await desk.findIssuesByAlias("1")).toEqual([]);
  });

  it("a browser's report that names the code of one server error belongs to it", async () => {
    await log.append([aReport(1, { aliases: ["2338823894"] })]);
    await desk.listNewestIssues();
    const ofBrowser = { side: "browser", digest: "0000-0000", aliases: ["2338823894"] } as const;
    await log.append([aReport(2, ofBrowser)]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1, linked: 1 });
    expect(await desk.getFreshIssue("0000-0000")).toBeNull();
  });
});

describe("linked reports", () => {
  it("are no occurrences, and do not rename the issue", async () => {
    await log.append([aReport(1)]);
    await log.append([
      aReport(2, { isLinked: true, side: "browser", kind: "notice", type: "Notice", message: "" }),
    ]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linked: 1,
      type: "TypeError",
    });
  });

  it("that come before the server's report give way to its name", async () => {
    await log.append([
      aReport(2, { isLinked: true, side: "browser", kind: "notice", type: "Notice", message: "" }),
    ]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 0, linked: 1 });
    await log.append([aReport(1)]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      linked: 1,
      type: "TypeError",
    });
  });
});

describe("what one sender wrote never keeps the others from being counted", () => {
  const long = "\u0001".repeat(2_000);

  it("texts that JSON writes six times as long", async () => {
    const texts = { type: long, message: long, release: long, environment: long };
    const request = { url: long, route: long };
    const hostile = Array.from({ length: 45 }, (_, n) => aReport(n, { ...texts, request }));
    await log.append([...hostile, aReport(99, { digest: "0000-0000" })]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 45 });
    expect(await desk.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
  });

  it("an issue that would not fit into a row names fewer reports, and counts all", async () => {
    await log.append([aReport(1)]);
    const issue = await desk.getFreshIssue("7F3K-Q2M9");
    const mark = { ...issue?.latestReports[0], message: long.repeat(100) } as ReportSummary;
    const kept = await runInDurableObject(index(), (_: ProjectIndex, state) => {
      const table = new IssueTable(state.storage);
      table.save({
        ...(issue as Issue),
        count: 7,
        latestReports: Array.from({ length: 40 }, () => mark),
      });
      return table.get("7F3K-Q2M9");
    });
    expect(kept?.count).toBe(7);
    expect(kept?.latestReports.length).toBeLessThan(40);
  });
});

it("an issue without a report for 90 days is forgotten, and the codes that led to it", async () => {
  await log.append([aReport(1, { aliases: ["2338823894"] })]);
  const issue = await desk.getFreshIssue("7F3K-Q2M9");
  const left = await runInDurableObject(index(), (_: ProjectIndex, state) => {
    const table = new IssueTable(state.storage);
    table.deleteExpired((issue?.asOfMs ?? 0) - 1, (issue?.asOfMs ?? 0) - 1, Date.now());
    const lists = new IssueLists(state.storage.sql, (digest) => table.get(digest));
    const before = lists.countIssues(false);
    table.deleteExpired(Date.now() + 1, Date.now() + 1, Date.now());
    const aliases = new AliasTable(state.storage);
    aliases.deleteExpired(Date.now() + 1);
    return [before, lists.countIssues(false), aliases.findDigests("2338823894").length];
  });
  expect(left).toEqual([1, 0, 0]);
});

describe("one report never keeps the others from being counted", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "whose tag is called %s",
    async (name) => {
      await log.append([
        aReport(1, { tags: [["plan", "x"]] }),
        aReport(2, { tags: [[name, "evil"]] }),
        aReport(3, { digest: "0000-0000" }),
      ]);
      await log.append([aReport(4, { tags: [["plan", "x"]] })]);
      expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
      expect(await desk.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
    },
  );

  it("that breaks the counting in a way that nobody has foreseen: it alone is left out", async () => {
    const written = expectConsoleError();
    await log.append([aReport(1)]);
    await desk.listNewestIssues();
    const applied = await runInDurableObject(index(), (_: ProjectIndex, { storage }) => {
      const ledger = new ProjectState(storage);
      const seq = ledger.issues.getAppliedSeq("0");
      const marks = [2, 3, 4].map((n) => summarizeReport(aReport(n), `2026112117/0.00000009:${n}`));
      const rows = marks.map((mark, n) => ({
        seq: seq + 1 + n,
        summary: n === 1 ? { ...mark, tags: 5 as never } : mark,
      }));
      const { lastSeq, issues } = ledger.logApplier.applyNewRows("0", rows, NOW_MS);
      return {
        last: lastSeq - seq,
        digests: [...issues],
        count: ledger.issues.get("7F3K-Q2M9")?.count,
      };
    });
    expect(applied).toEqual({ last: 3, digests: ["7F3K-Q2M9"], count: 3 });
    expect(written.join("\n")).toContain("a row is not counted");
  });
});

describe("counts are exact", () => {
  it("over many reports in many requests, with crashes in between", async () => {
    for (let round = 0; round < 5; round++) {
      const batch = Array.from({ length: 40 }, (_, i) => aReport(round * 1000 + i));
      await Promise.all(batch.map((report) => log.append([report])));
      if (round % 2 === 1) await abortAllDurableObjects();
    }
    expect((await desk.getFreshIssue("7F3K-Q2M9"))?.count).toBe(200);
    const latest = (await desk.getFreshIssue("7F3K-Q2M9"))?.latestReports.map(({ id }) => id);
    // Of a storm the first bodies are kept, of each life of the log.
    expect(latest).toContain(reportId(4_001));
    expect(latest).toHaveLength(20);
  });
});
