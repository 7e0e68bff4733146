/** The rows that public reports may write in a day. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "#src/core/issue/other-anonymous-reports.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { DailyCapTable } from "#src/store/index/tables/daily-cap-table.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { recordStatements } from "#support/store/recorded-statements.ts";
import { getAlertSender, getIndex, getShard, log, projectStore } from "#support/store/store.ts";

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

const DIGEST = "7F3K-Q2M9";
/** Twice as many do not escalate. */
const REPORTS = 4;
let lastId = 0;

const SHARE = limits.maxPublicRowsPerDay / 2;
const toDigest = (n: number) =>
  String(n)
    .padStart(8, "0")
    .replace(/^(....)/, "$1-");
const toSketch = (network: number) => network.toString(16).padStart(6, "0");
const sendPublic = (over: Partial<Report>) =>
  log.append([createReport(++lastId, { trust: "public", ...over })]);
const readCap = (name: string) =>
  runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const query = "SELECT used FROM daily_cap WHERE name = ?";
    return storage.sql.exec<{ used: number }>(query, name).toArray()[0]?.used ?? 0;
  });

async function useUpRows(
  rows: number = limits.maxPublicRowsPerDay,
  gatheredRows = 0,
): Promise<void> {
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const caps = new DailyCapTable(storage);
    caps.add(toUtcDay(readNowMs()), "row", rows);
    caps.add(toUtcDay(readNowMs()), "gathered-row", gatheredRows);
    caps.save();
  });
  // The index reads the table again.
  await abortAllDurableObjects();
}

/** Sends reports one after another, too few for a busy index. The statements that write rows. */
async function countWrites(over: Partial<Report>) {
  const recorder = await recordStatements();
  recorder.take();
  for (let n = 0; n < REPORTS; n++) {
    await log.append([createReport(++lastId, { digest: DIGEST, ...over })]);
    await getShard().flush();
  }
  const statements = recorder.take().filter(({ rowsWritten }) => rowsWritten > 0);
  vi.restoreAllMocks();
  const count = (text: string) => statements.filter(({ sql }) => sql.includes(text)).length;
  return { issues: count("UPDATE issue SET"), log: count("INSERT INTO log_row") };
}

it("above their share, counters wait for others, and each report is in the log", async () => {
  const isPublic = { trust: "public" } as const;
  await log.append([createReport(++lastId, { digest: DIGEST, ...isPublic })]);
  expect(await countWrites(isPublic)).toEqual({ issues: REPORTS, log: REPORTS });
  await useUpRows();
  expect(await countWrites(isPublic)).toEqual({ issues: 0, log: REPORTS });
  // The index loses what it has not written, and the log sends it again.
  await abortAllDurableObjects();
  const issue = await projectStore.getFreshIssue(DIGEST);
  expect(issue?.count).toBe(2 * REPORTS + 1);
});

it("above the share, decisions count, filters find new values, and erasure reaches them", async () => {
  const mail = ["mail", "ada@example.org"] as const;
  await sendPublic({ digest: DIGEST });
  await getShard().flush();
  await useUpRows();
  await sendPublic({ digest: DIGEST, tags: [mail], release: "b@2" });
  await projectStore.decide(DIGEST, { state: "resolved" });
  const list = async (query: string) =>
    (await projectStore.listIssues(parseIssueQuery(query))).issues.map(({ digest }) => digest);
  expect(await list("is:resolved")).toEqual([DIGEST]);
  expect(await list("release:b@2")).toEqual([DIGEST]);
  expect(await list("mail:ada@example.org")).toEqual([DIGEST]);
  await getIndex().enqueueJob({ kind: "erase-text", text: mail[1] });
  await vi.waitFor(async () => expect(await list("mail:ada@example.org")).toEqual([]));
  const left = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
    ["facet_values FROM facet", "value FROM facet_value"].flatMap((column) =>
      [...storage.sql.exec(`SELECT ${column}`)].map((row) => JSON.stringify(row)),
    ),
  );
  expect(left.filter((row) => row.includes(mail[1]))).toEqual([]);
});

it("reports of servers are written at once", async () => {
  await log.append([createReport(++lastId, { digest: DIGEST })]);
  await useUpRows();
  expect(await countWrites({})).toEqual({ issues: REPORTS, log: REPORTS });
});

/** New issues of 60 networks, each in an own request, with values that no issue had before. */
async function flood(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n++) {
    await sendPublic({
      ...{ digest: toDigest(n), message: `invented ${n}`, networkSketch: toSketch(1 + (n % 60)) },
      ...{ senderKey: "k", release: `evil@${n}`, tags: [["n", `${n}`]], aliases: [`code-${n}`] },
    });
    await getShard().flush();
  }
}

describe("a flood of new issues from 60 networks", () => {
  /** Tables of the other objects, and writes to KV, which have budgets of their own. */
  const OTHERS =
    /log_|public_usage| chunk\(|write_budget|taken|inbox|held|settings|DELETE FROM out/;

  it("uses as many rows as SQLite counts", async () => {
    await getAlertSender().deleteRule(DEFAULT_RULE.id);
    await flood(0, 1);
    const recorder = await recordStatements();
    const before = await readCap("row");
    recorder.take();
    await flood(1, 40);
    const ofIndex = recorder.take().filter(({ sql }) => !OTHERS.test(sql));
    const written = ofIndex.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
    expect(written).toBeGreaterThan(40 * 15);
    expect(Math.abs((await readCap("row")) - before - written)).toBeLessThan(30);
  });

  it("ends with the share of the day, and an outage is still seen", async () => {
    await useUpRows(SHARE - 1_500);
    await flood(0, 150);
    // Besides the issue of the others.
    const begun = (await projectStore.listIssues(parseIssueQuery("is:folded"))).total - 1;
    expect(begun).toBeGreaterThan(30);
    expect(begun).toBeLessThan(100);
    expect(await readCap("row")).toBeLessThanOrEqual(SHARE);
    const { count } = (await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST)) ?? {};
    expect(count).toBe(150 - begun);

    const digest = toDigest(90_000);
    for (let network = 100; network < 104; network++)
      await sendPublic({ digest, networkSketch: toSketch(network) });
    expect(await projectStore.getFreshIssue(digest)).toBeNull();
    await sendPublic({ digest, networkSketch: toSketch(104) });
    await sendPublic({ digest, networkSketch: toSketch(105) });
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ count: 2 });
    expect(await readCap("wide-issue")).toBe(1);
    expect(await readCap("row")).toBeLessThanOrEqual(SHARE);
  });
});

describe("gathered counters", () => {
  const clock = new TestClock();
  afterEach(() => clock.restore());

  it("are written once a minute, also while lists are read and reports arrive", async () => {
    clock.start();
    const digests = Array.from({ length: 10 }, (_, n) => toDigest(n));
    for (const digest of digests) await sendPublic({ digest });
    await getShard().flush();
    await useUpRows();
    const recorder = await recordStatements();
    recorder.take();
    for (let n = 0; n < 50; n++) {
      await sendPublic({ digest: toDigest(n % 10), tags: [["n", `${n}`]], release: `evil@${n}` });
      await getShard().flush();
      if (n % 10 === 0) await projectStore.listIssues(parseIssueQuery(""));
    }
    const count = () => recorder.take().filter(({ sql }) => sql.startsWith("UPDATE issue")).length;
    expect(count()).toBe(0);
    clock.advance(61_000);
    await sendPublic({ digest: toDigest(0) });
    await getShard().flush();
    expect(count()).toBe(10);
    const { issues } = await projectStore.listIssues(parseIssueQuery("is:open"));
    expect(issues.reduce((sum, issue) => sum + issue.count, 0)).toBe(61);
  });

  it("use few rows for each write when those of the day are used up", async () => {
    clock.start();
    const digests = Array.from({ length: 40 }, (_, n) => toDigest(n));
    for (const digest of digests) await sendPublic({ digest });
    await log.append([createReport(++lastId, { digest: DIGEST })]);
    await getShard().flush();
    const max = limits.maxGatheredRowsPerDay;
    await useUpRows(limits.maxPublicRowsPerDay, max - 200);
    for (let minute = 0; minute < 40; minute++) {
      clock.advance(61_000);
      await log.append(
        digests.map((digest) => createReport(++lastId, { trust: "public", digest })),
      );
      // Reports of servers store what was gathered.
      if (minute % 2 === 0) await log.append([createReport(++lastId, { digest: DIGEST })]);
      await getShard().flush();
    }
    const used = await readCap("gathered-row");
    expect(used).toBeGreaterThan(max);
    expect(used).toBeLessThan(max + 40 * 40);
    const counts = await Promise.all(
      [...digests, OTHER_ANONYMOUS_DIGEST].map((digest) => projectStore.getFreshIssue(digest)),
    );
    expect(counts.reduce((sum, issue) => sum + (issue?.count ?? 0), 0)).toBe(40 * 41);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 21 });
  });

  it("of public sessions wait too", async () => {
    clock.start();
    await sendPublic({ digest: DIGEST });
    await useUpRows();
    const recorder = await recordStatements();
    recorder.take();
    for (let n = 0; n < 20; n++) {
      await log.append([], [[["session", "public", "shop@1", "production", "started"], 1]]);
      await getShard().flush();
    }
    const written = recorder.take().filter(({ sql }) => /counter|shard_progress/.test(sql));
    expect(written.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBeLessThan(10);
  });
});
