import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "#src/core/issue/other-anonymous-reports.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { createPageTraceId } from "#src/core/request/page-trace.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { DailyCapTable } from "#src/store/index/tables/daily-cap-table.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  finishJobs,
  getIndex,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const toDigest = (n: number) =>
  String(n)
    .padStart(8, "0")
    .replace(/^(....)/, "$1-");
const publicReport = (n: number, over: Partial<Report> = {}) =>
  createReport(n, { trust: "public", digest: toDigest(n), message: `invented ${n}`, ...over });
/** Public reports that would each create an issue. */
const invent = (from: number, count: number, over: Partial<Report> = {}) =>
  Array.from({ length: count }, (_, n) => publicReport(from + n, over));
const countRows = (table: string) =>
  runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    return storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;
  });
const OVER = 25;
/** The receipt as the index knows it, which its snapshot in KV follows. */
async function readReceipt(): Promise<unknown> {
  const fresh = replaceMethods(projectStore, { getIssue: projectStore.getFreshIssue });
  const { body } = await visit(`/e/${DIGEST}.json`, { services: { projectStore: fresh } });
  return JSON.parse(body);
}

describe("new issues of public reports", () => {
  const max = limits.maxNewIssuesPerNetworkAndDay;
  const network = { networkSketch: "0a1b2c" };
  const fill = () => log.append(invent(0, max, network));

  it("of all networks together have a limit", async () => {
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const caps = new DailyCapTable(storage);
      const all = limits.maxNewPublicIssuesPerDay;
      caps.take(toUtcDay(readNowMs()), "issue", all, all - 2);
      caps.save();
    });
    await log.append(invent(0, 2));
    await log.append(
      Array.from({ length: OVER }, (_, n) => {
        const networkSketch = n.toString(16).padStart(6, "0");
        return publicReport(5_000 + n, { networkSketch });
      }),
    );
    expect((await projectStore.listIssues(parseIssueQuery(""))).total).toBe(3);
    expect(await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST)).toMatchObject({ count: OVER });
    expect(await countRows("daily_cap WHERE name LIKE 'network-%'")).toBe(0);
  });

  it("count several networks of one rollup as one of them", async () => {
    await fill();
    const networkSketch = "0a1b2cffffff";
    await log.append([publicReport(9_001, { networkSketch })]);
    expect(await projectStore.getFreshIssue(toDigest(9_001))).toMatchObject({ networkSketch });
  });

  it("beyond the limit of a day count in one issue, also after a restart", async () => {
    await fill();
    await projectStore.listNewestIssues();
    await abortAllDurableObjects();
    await log.append(
      invent(5_000, OVER, { ...network, tags: [["evil", "yes"]], aliases: ["evil"] }),
    );
    const { total } = await projectStore.listIssues(parseIssueQuery(""));
    expect(total).toBe(max + 1);
    const other = await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST);
    expect(other).toMatchObject({ count: OVER, publicCount: OVER, trust: "public" });
    expect(JSON.stringify(other)).not.toMatch(/evil|invented/);
    expect(await projectStore.searchIssues("invented")).not.toContain(OTHER_ANONYMOUS_DIGEST);
  });

  it("beyond the limit are counted on the status page, and a report of them is found", async () => {
    await fill();
    await log.append(invent(5_000, OVER, network));
    const status = await visit("/status.json");
    expect(JSON.parse(status.body)).toMatchObject({
      received: { total: max + OVER },
      collapsed: { total: OVER },
    });
    expect(await projectStore.locateReport(toReportId(5_001))).toMatchObject({
      digest: OTHER_ANONYMOUS_DIGEST,
    });
  });

  it("leave room for those of trusted reports, and for known issues", async () => {
    await fill();
    await log.append([
      createReport(9_001, { digest: toDigest(9_001) }),
      createReport(9_002, { digest: toDigest(9_002), trust: "page" }),
      publicReport(9_003, { ...network, digest: toDigest(7) }),
    ]);
    expect(await projectStore.getFreshIssue(toDigest(9_001))).toMatchObject({ count: 1 });
    expect(await projectStore.getFreshIssue(toDigest(9_002))).toMatchObject({ count: 1 });
    expect(await projectStore.getFreshIssue(toDigest(7))).toMatchObject({ count: 2 });
    expect(await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST)).toBeNull();
  });

  it("count the same after a rebuild", async () => {
    // A rebuild reads the day of an issue from its first time.
    const occurredAtMs = readNowMs();
    await log.append(invent(0, max, { ...network, occurredAtMs }));
    await log.append(invent(5_000, OVER, { ...network, occurredAtMs }));
    await projectStore.listNewestIssues();
    await uploadChunk();
    await getIndex().waitUntilIdle();
    await admin.rebuildIndex();
    await finishJobs();
    const { total } = await projectStore.listIssues(parseIssueQuery(""));
    expect(total).toBe(max + 1);
    expect(await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST)).toMatchObject({ count: OVER });
    expect(await projectStore.getFreshIssue(toDigest(7))).toMatchObject({ count: 1 });
  });
});

describe("new issues of page reports", () => {
  const fill = () => log.append(invent(0, limits.maxNewPageIssuesPerDay, { trust: "page" }));

  it("beyond the limit of a day count in the same issue, also after a restart", async () => {
    await fill();
    await projectStore.listNewestIssues();
    await abortAllDurableObjects();
    await log.append(invent(5_000, OVER, { trust: "page", aliases: ["evil"] }));
    const { total } = await projectStore.listNewestIssues();
    expect(total).toBe(limits.maxNewPageIssuesPerDay + 1);
    const other = await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST);
    expect(other).toMatchObject({ count: OVER, trust: "public" });
    expect(JSON.stringify(other)).not.toMatch(/evil|invented/);
  });

  it("leave room for those of servers and of public reports, and for known issues", async () => {
    await fill();
    await log.append([
      createReport(9_001, { digest: toDigest(9_001) }),
      publicReport(9_002, { digest: toDigest(9_002) }),
      createReport(9_003, { digest: toDigest(7), trust: "page" }),
    ]);
    expect(await projectStore.getFreshIssue(toDigest(9_001))).toMatchObject({ trust: "server" });
    expect(await projectStore.getFreshIssue(toDigest(9_002))).toMatchObject({ trust: "public" });
    expect(await projectStore.getFreshIssue(toDigest(7))).toMatchObject({ count: 2, pageCount: 2 });
    expect(await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST)).toBeNull();
  });
});

describe("aliases of public and page reports", () => {
  const code = "2338823894";

  it.each([
    ["public", limits.maxPublicAliasesPerDay],
    ["page", limits.maxPageAliasesPerDay],
  ] as const)("do not grow without bound (%s)", async (trust, max) => {
    const count = Math.ceil((1.2 * max) / limits.maxAliasesPerReport);
    const many = Array.from({ length: count }, (_, n) =>
      publicReport(n, {
        ...{ trust, digest: DIGEST },
        aliases: Array.from({ length: limits.maxAliasesPerReport }, (_, at) => `${n}-${at}`),
      }),
    );
    await log.append(many);
    await projectStore.listNewestIssues();
    expect(await countRows("alias")).toBe(max);
    await log.append([createReport(90_000, { digest: DIGEST, aliases: ["2338823894"] })]);
    expect(await projectStore.findIssuesByAlias("2338823894")).toEqual([DIGEST]);
  });

  it("do not hide the issue that a server links to the same code", async () => {
    await log.append(invent(0, 2 * limits.maxIssuesPerAlias, { aliases: [code] }));
    await log.append([createReport(900, { aliases: [code] })]);
    await log.append(invent(100, 10, { aliases: [code] }));
    expect(await projectStore.findIssuesByAlias(code)).toEqual([DIGEST]);
  });

  it("lead from one code to a limited number of issues, the newest of each level", async () => {
    const max = limits.maxIssuesPerAlias;
    await log.append(invent(0, 3 * max, { aliases: [code] }));
    await log.append(invent(1_000, 3 * max, { aliases: [code], trust: "page" }));
    // These raise links of public reports.
    await log.append(invent(0, 3 * max, { aliases: [code], trust: "page" }));
    await projectStore.listNewestIssues();
    expect(await countRows("alias")).toBeLessThanOrEqual(2 * max);
    expect(await projectStore.findIssuesByAlias(code)).toHaveLength(max);
  });

  it("of pages do not displace the issue of a server key, also after a rebuild", async () => {
    await log.append([createReport(1, { side: "browser", aliases: [code] })]);
    const occurredAtMs = NOW_MS + 30_000;
    const flood = { aliases: [code], trust: "page", occurredAtMs } as const;
    await log.append(invent(10, 2 * limits.maxIssuesPerAlias, flood));
    expect((await projectStore.findIssuesByAlias(code))[0]).toBe(DIGEST);
    await uploadChunk();
    await getIndex().waitUntilIdle();
    await admin.rebuildIndex();
    await finishJobs();
    expect((await projectStore.findIssuesByAlias(code))[0]).toBe(DIGEST);
  });

  it("are shown while no trusted report links the code", async () => {
    await log.append(invent(0, 2, { aliases: [code] }));
    expect(await projectStore.findIssuesByAlias(code)).toHaveLength(2);
  });

  it.each(["public", "page"] as const)(
    "leave a digest to its own issue as soon as a server reports it (%s)",
    async (trust) => {
      const [other, own] = [toDigest(2), toDigest(3)];
      await log.append([createReport(1, { digest: other, aliases: [code] })]);
      // A report that is linked to another issue was answered with its own digest.
      await log.append([createReport(2, { trust, digest: own, side: "browser", aliases: [code] })]);
      expect(await projectStore.findIssuesByAlias(own)).toEqual([other]);
      await log.append([createReport(3, { digest: own })]);
      expect(await projectStore.findIssuesByAlias(own)).toEqual([]);
    },
  );

  it("cannot take a digest that was merged", async () => {
    const merged = toDigest(2);
    await log.append([
      createReport(1),
      createReport(2, { digest: merged }),
      publicReport(3, { aliases: [code] }),
    ]);
    await projectStore.annotate(DIGEST, { change: "merge", from: [merged] });
    await log.append([publicReport(4, { digest: merged, side: "browser", aliases: [code] })]);
    expect(await projectStore.findIssuesByAlias(merged)).toEqual([DIGEST]);
  });
});

describe("a public report that claims to be a server", () => {
  it("links no browser error by its trace", async () => {
    const traceId = createPageTraceId("0".repeat(32));
    await log.append([publicReport(1, { format: "render", traceId })]);
    await log.append([
      createReport(2, {
        digest: DIGEST,
        side: "browser",
        format: "sentry",
        traceId,
        trust: "page",
      }),
    ]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 1 });
  });

  it("has no receipt, unlike a report of a server", async () => {
    await log.append([publicReport(1, { digest: DIGEST })]);
    expect(await readReceipt()).toEqual({ isKnown: false });
    await log.append([createReport(2, { trust: "page" })]);
    expect(await readReceipt()).toEqual({ isKnown: false });
    await log.append([createReport(3)]);
    expect(await readReceipt()).toMatchObject({ isKnown: true });
  });
});

describe("the number of times on a receipt", () => {
  it("is that of server reports alone", async () => {
    const thisWeek = { digest: DIGEST, occurredAtMs: NOW_MS };
    await log.append([publicReport(1, thisWeek), createReport(2, { ...thisWeek, trust: "page" })]);
    await log.append([createReport(3, thisWeek), publicReport(4, thisWeek)]);
    await log.append([createReport(5, { ...thisWeek, trust: "page" }), createReport(6, thisWeek)]);
    expect(await readReceipt()).toMatchObject({ isKnown: true, weekCount: 2 });
  });
});

describe("the progress of a fix on a receipt", () => {
  it("is neither delayed nor completed by 600 releases of public reports", async () => {
    const occurredAtMs = Date.UTC(2100, 0, 1);
    const flood = (from: number) =>
      log.append(
        Array.from({ length: 600 }, (_, n) =>
          publicReport(from + n, {
            digest: toDigest(1),
            release: `evil@${from + n}`,
            occurredAtMs,
          }),
        ),
      );
    await log.append([createReport(1, { release: "shop@a" })]);
    await projectStore.decide(DIGEST, { state: "resolved", inNextRelease: true });
    await flood(10_000);
    expect(await readReceipt()).toMatchObject({ fixProgress: "pending" });
    await log.append([createReport(2, { digest: toDigest(2), release: "shop@b", occurredAtMs })]);
    expect(await readReceipt()).toMatchObject({ fixProgress: "fixed" });
  });
});
