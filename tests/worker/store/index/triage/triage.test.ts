import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { LiveEvent } from "#src/core/issue/live-event.ts";
import { limits } from "#src/core/limits.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { decide } from "#src/store/index/triage/triage.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  bindings,
  finishJobs,
  getIndex,
  getShard,
  log,
  projectStore,
  storage,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const A = "7F3K-Q2M9";
const B = "0000-0000";
const C = "0000-1001";

const comment = (n: number, text = `comment ${n}`) =>
  ({ change: "comment", id: toReportId(n), text }) as const;

async function readCounts() {
  const issues = await Promise.all([A, B, C].map((digest) => projectStore.getFreshIssue(digest)));
  return issues.map((issue) => issue?.count ?? 0);
}

/** Writes everything to KV. */
async function uploadAll() {
  for (let round = 0; round < 10 && (await getShard().getHealth()).rows > 0; round++)
    await uploadChunk();
  await projectStore.listNewestIssues();
  await writeSnapshots();
  expect((await projectStore.getHealth()).snapshots.waiting).toBe(0);
}

/** Deletes the storage of the index, which then rebuilds itself from KV. */
async function rebuildIndex() {
  await uploadAll();
  await loseStorage();
}

async function loseStorage() {
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
  await finishJobs();
}

describe("annotations", () => {
  it("have comments, which can be deleted, and an assignee", async () => {
    await log.append([createReport(1)]);
    await projectStore.annotate(A, comment(1));
    await projectStore.annotate(A, comment(2));
    await projectStore.annotate(A, { change: "delete-comment", id: toReportId(1) });
    await projectStore.annotate(A, { change: "assign", to: "Ada" });
    expect(await projectStore.annotate(A, { change: "assign", to: "Ada" })).toMatchObject({
      assignee: "Ada",
      activity: [
        { action: "commented", text: "comment 2" },
        { action: "assigned", to: "Ada" },
      ],
    });
    expect((await projectStore.getFreshIssue(A))?.assignee).toBe("Ada");
    await projectStore.annotate(A, { change: "assign" });
    expect((await projectStore.getFreshIssue(A))?.assignee).toBeUndefined();
    expect(await projectStore.annotate(B, comment(3))).toBeNull();
  });

  it("have a maximum number of entries, of which the newest are kept", async () => {
    await log.append([createReport(1)]);
    for (let n = 0; n < limits.maxActivityPerIssue + 2; n++)
      await projectStore.annotate(A, comment(n));
    const { activity } = await projectStore.getAnnotations(A);
    expect(activity.length).toBe(limits.maxActivityPerIssue);
    expect(activity.at(-1)).toMatchObject({ text: `comment ${limits.maxActivityPerIssue + 1}` });
  });

  it("are restored when the index loses its storage", async () => {
    await log.append([createReport(1), createReport(2, { digest: B })]);
    await projectStore.annotate(A, comment(1));
    await projectStore.annotate(A, { change: "assign", to: "Ada" });
    await projectStore.saveView("Mine", { query: "assigned:ada", sort: "count" });
    await rebuildIndex();
    expect((await projectStore.getAnnotations(A)).activity.length).toBe(2);
    expect((await projectStore.getFreshIssue(A))?.assignee).toBe("Ada");
    expect(await projectStore.listViews()).toEqual([
      { name: "Mine", query: "assigned:ada", sort: "count" },
    ]);
  });

  it("are erased with their issue, and redacted when a text is erased", async () => {
    await log.append([createReport(1), createReport(2, { digest: B })]);
    await projectStore.annotate(A, comment(1));
    await projectStore.annotate(B, comment(2, "ask ada@example.com"));
    await projectStore.saveView("Ada’s", { query: "ada@example.com", sort: "last" });
    await admin.eraseIssue(A);
    await admin.eraseMatching("ada@example.com");
    await finishJobs();
    await uploadAll();
    expect(await projectStore.getAnnotations(A)).toEqual({
      ...{ v: 2, activity: [] },
      alerts: [],
    });
    expect(
      JSON.stringify([await projectStore.getAnnotations(B), await projectStore.listViews()]),
    ).not.toContain("ada@");
    expect(await bindings.KV.get("views/1/list")).not.toContain("ada@");
    expect(await bindings.KV.get(`annotations/1/${A}`)).toBeNull();
  });
});

it("views are saved by name, up to the maximum", async () => {
  await log.append([createReport(1)]);
  for (let n = 0; n <= limits.maxSavedViews; n++) {
    await projectStore.saveView(`View ${n}`, { query: "", sort: "last" });
  }
  expect((await projectStore.listViews()).map(({ name }) => name)).not.toContain(
    `View ${limits.maxSavedViews}`,
  );
  await projectStore.saveView("View 7", { query: "is:open", sort: "last" });
  await projectStore.saveView("View 8", null);
  const views = await projectStore.listViews();
  expect(views.length).toBe(limits.maxSavedViews - 1);
  expect(views.at(-1)).toMatchObject({ name: "View 7", query: "is:open" });
});

it("a decision about several issues applies to those that exist", async () => {
  await log.append([createReport(1), createReport(2, { digest: B })]);
  expect(await projectStore.decideMany([A, C, B], { state: "archived" })).toEqual([A, B]);
  expect((await projectStore.getFreshIssue(B))?.state).toBe("archived");
});

it("resolving an issue again moves the start of regressions and adds no activity", async () => {
  await log.append([createReport(1)]);
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    const decided = [1_000, 2_000].flatMap(
      (nowMs) => decide(tables, [A], { state: "resolved" }, nowMs).result,
    );
    expect(decided.map((issue) => issue.decision?.atMs)).toEqual([1_000, 2_000]);
    const { activity } = tables.annotations.getOrEmpty(A);
    expect(activity.map(({ action }) => action)).toEqual(["resolved"]);
  });
});

it("repeating a decision adds no activity", async () => {
  await log.append([createReport(1)]);
  await projectStore.annotate(A, comment(1));
  for (let n = 0; n < 3; n++) await projectStore.decide(A, { state: "archived" });
  expect(await projectStore.decideMany([A], { state: "archived" })).toEqual([A]);
  await projectStore.decide(A, { state: "open" });
  const { activity } = await projectStore.getAnnotations(A);
  expect(activity.map(({ action }) => action)).toEqual(["commented", "archived", "opened"]);
});

describe("merged issues", () => {
  const three = [
    createReport(1),
    createReport(2, { digest: B, aliases: ["2338823894"] }),
    createReport(3, { digest: B }),
  ];

  it("count together, earlier and later reports, and their aliases lead to the target", async () => {
    await log.append(three);
    await projectStore.annotate(B, comment(1));
    expect(await projectStore.annotate(A, { change: "merge", from: [B, C] })).toBeNull();
    expect(await readCounts()).toEqual([1, 2, 0]);
    await projectStore.annotate(A, { change: "merge", from: [B, A] });
    await log.append([createReport(4, { digest: B }), createReport(5)]);
    expect(await readCounts()).toEqual([5, 0, 0]);
    expect(await projectStore.findIssuesByAlias(B)).toEqual([A]);
    expect(await projectStore.findIssuesByAlias("2338823894")).toEqual([A]);
    for (const n of [1, 2, 3, 4])
      expect(await projectStore.locateReport(toReportId(n))).toMatchObject({ digest: A });
    expect((await projectStore.getFreshIssue(A))?.mergedDigests).toEqual([B]);
    expect((await projectStore.getAnnotations(A)).activity.map(({ action }) => action)).toEqual([
      "commented",
      "merged",
    ]);
    expect((await projectStore.searchIssues("price")).length).toBe(1);
  });

  it("are found by the text of their reports, also after a rebuild, until they are erased", async () => {
    const readSearchTexts = () =>
      runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
        storage.sql
          .exec("SELECT digest, text FROM issue JOIN issue_search ON issue_search.rowid = issue.id")
          .toArray(),
      );
    await log.append([createReport(1), createReport(2, { digest: B, message: "grotesque" })]);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await abortAllDurableObjects();
    await log.append([
      createReport(3, { digest: B, message: "another grotesque ada@example.org" }),
    ]);
    expect(await projectStore.searchIssues("grotesque")).toEqual([A]);
    await uploadAll();
    await loseStorage();
    expect(await projectStore.searchIssues("grotesque")).toEqual([A]);
    await admin.eraseMatching("ada@example.org");
    await finishJobs();
    expect(JSON.stringify(await readSearchTexts())).not.toContain("ada");
    await admin.eraseIssue(A);
    await finishJobs();
    expect(await readSearchTexts()).toEqual([]);
  });

  it("that are split and happen again are found by their title", async () => {
    await log.append([createReport(1), createReport(2, { digest: B, message: "grotesque" })]);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await projectStore.annotate(A, { change: "split", digest: B });
    await log.append([createReport(3, { digest: B, message: "grotesque" })]);
    expect([...(await projectStore.searchIssues("grotesque"))].sort()).toEqual([B, A].sort());
  });

  it("keep the trust of an alias: a server has priority over public reports", async () => {
    const code = "2338823894";
    await log.append([
      createReport(1),
      createReport(2, { digest: B }),
      createReport(3, { digest: C, trust: "public" }),
    ]);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await log.append([createReport(4, { digest: B, aliases: [code] })]);
    await log.append([createReport(5, { digest: C, trust: "public", aliases: [code] })]);
    await log.append([createReport(6, { digest: "DDDD-DDDD", side: "browser", aliases: [code] })]);
    expect(await projectStore.getFreshIssue(A)).toMatchObject({ count: 3, linkedCount: 1 });
    expect(await projectStore.getFreshIssue(C)).toMatchObject({ count: 2, linkedCount: 0 });
  });

  it("can be merged again, and never into each other", async () => {
    await log.append([...three, createReport(6, { digest: C })]);
    await projectStore.annotate(B, { change: "merge", from: [A] });
    await projectStore.annotate(C, { change: "merge", from: [B] });
    expect(await projectStore.annotate(A, { change: "merge", from: [C] })).toBeNull();
    await log.append([createReport(7)]);
    expect(await readCounts()).toEqual([0, 0, 5]);
  });

  it("can be split: counted reports stay, later ones are an issue of their own", async () => {
    await log.append(three);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await projectStore.annotate(A, { change: "split", digest: B });
    expect(await projectStore.annotate(A, { change: "split", digest: B }), "twice").toBeNull();
    expect(await projectStore.findIssuesByAlias(B), "until it happens again").toEqual([A]);
    await log.append([createReport(4, { digest: B })]);
    expect(await readCounts()).toEqual([3, 1, 0]);
    expect(await projectStore.findIssuesByAlias(B)).toEqual([]);
    for (const n of [2, 3])
      expect(await projectStore.locateReport(toReportId(n))).toMatchObject({ digest: A });
    expect(await projectStore.locateReport(toReportId(4))).toMatchObject({ digest: B });
  });

  it("that are split lead to the issue that counts them, across merges and a rebuild", async () => {
    await log.append([...three, createReport(6, { digest: C })]);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await projectStore.annotate(A, { change: "split", digest: B });
    await projectStore.annotate(C, { change: "merge", from: [A] });
    expect(await projectStore.findIssuesByAlias(B)).toEqual([C]);
    await uploadAll();
    await loseStorage();
    expect(await projectStore.findIssuesByAlias(B)).toEqual([C]);
    for (const n of [2, 3])
      expect(await projectStore.locateReport(toReportId(n))).toMatchObject({ digest: C });
    await admin.eraseIssue(C);
    await finishJobs();
    expect(await projectStore.findIssuesByAlias(B)).toEqual([]);
  });

  it.each([
    ["were merged", false, true],
    ["were merged and split", true, true],
    ["were merged after the last snapshots", false, false],
    ["were merged and split after the last snapshots", true, false],
  ])("have equal counts after a rebuild if they %s", async (_, isSplit, hasSnapshots) => {
    await log.append(three);
    await uploadAll();
    const keys = [`issue/1/${A}`, `issue/1/${B}`];
    const snapshots = await Promise.all(keys.map((key) => bindings.KV.get(key)));
    // After the snapshots and before the merge.
    await log.append([
      createReport(11),
      createReport(12, { digest: B }),
      createReport(13, { digest: B }),
    ]);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    if (isSplit) await projectStore.annotate(A, { change: "split", digest: B });
    const before = await readCounts();
    expect(before).toEqual([6, 0, 0]);
    await uploadAll();
    // KV has the annotations before the issues.
    if (!hasSnapshots) {
      await Promise.all(keys.map((key, n) => bindings.KV.put(key, snapshots[n] ?? "")));
    }
    await loseStorage();
    expect(await readCounts()).toEqual(before);
    await log.append([createReport(4, { digest: B })]);
    expect(await readCounts()).toEqual(isSplit ? [6, 1, 0] : [7, 0, 0]);
    expect(await projectStore.findIssuesByAlias(B)).toEqual(isSplit ? [] : [A]);
  });

  it("bring along what was merged into them, which is split off separately", async () => {
    await log.append([...three, createReport(6, { digest: C })]);
    await projectStore.annotate(B, { change: "merge", from: [A] });
    await projectStore.annotate(C, { change: "merge", from: [B] });
    expect((await projectStore.getFreshIssue(C))?.mergedDigests).toEqual([B, A]);
    await projectStore.annotate(C, { change: "split", digest: B });
    await log.append([createReport(7), createReport(8, { digest: B })]);
    expect(await readCounts()).toEqual([0, 1, 5]);
    expect(await projectStore.locateReport(toReportId(7))).toMatchObject({ digest: C });
  });

  it("that are split are erased with the issue that counts them", async () => {
    await log.append(three);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await projectStore.annotate(A, { change: "split", digest: B });
    await log.append([createReport(4, { digest: B })]);
    await admin.eraseIssue(A);
    await finishJobs();
    expect(await readCounts()).toEqual([0, 1, 0]);
    for (const n of [1, 2, 3])
      expect(await projectStore.locateReport(toReportId(n)), `${n}`).toBeNull();
    expect(await projectStore.locateReport(toReportId(4))).toMatchObject({ digest: B });
    await admin.eraseIssue(B);
    await finishJobs();
    expect(await projectStore.locateReport(toReportId(4))).toBeNull();
  });

  it("are erased together", async () => {
    await log.append(three);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    await admin.eraseIssue(A);
    await finishJobs();
    expect(await readCounts()).toEqual([0, 0, 0]);
    expect(await projectStore.locateReport(toReportId(2))).toBeNull();
  });
});

describe("the live page", () => {
  it("receives each report with its issue as soon as it is counted", async () => {
    await log.append([createReport(1)]);
    const { webSocket, status } = await storage.connectLiveSocket();
    expect(status).toBe(101);
    const events: LiveEvent[] = [];
    const received = new Promise<void>((resolve) => {
      webSocket?.addEventListener("message", ({ data }) => {
        events.push(...(JSON.parse(String(data)) as LiveEvent[]));
        if (events.length >= 2) resolve();
      });
    });
    webSocket?.accept();
    await log.append([createReport(2), createReport(3, { digest: B })]);
    await received;
    webSocket?.close();
    expect(events.map(({ digest, isNew = false }) => [digest, isNew])).toEqual([
      [A, false],
      [B, true],
    ]);
  });

  it("starts with the latest reports", async () => {
    await log.append([createReport(1), createReport(2, { digest: B }), createReport(3)]);
    const latest = await projectStore.listLiveEvents();
    expect(latest.map(({ id }) => id)).toEqual([3, 2, 1].map(toReportId));
    expect(latest.map(({ isNew = false }) => isNew)).toEqual([false, true, true]);
  });
});
