import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { LiveEvent } from "../../../src/core/issue/live-event.ts";
import { limits } from "../../../src/core/limits.ts";
import { createLiveConnect } from "../../../src/store/client/live-client.ts";
import type { ProjectIndex } from "../../../src/store/index/project-index.ts";
import { ProjectState } from "../../../src/store/index/state/project-state.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import {
  bindings,
  desk,
  index,
  keeping,
  log,
  sealNow,
  shard,
  workDone,
} from "../../support/store.ts";

afterEach(() => fresh());

const A = "7F3K-Q2M9";
const B = "0000-0000";
const C = "0000-1001";

const comment = (n: number, text = `comment ${n}`) =>
  ({ change: "comment", id: reportId(n), text }) as const;

async function counts() {
  const issues = await Promise.all([A, B, C].map((digest) => desk.getFreshIssue(digest)));
  return issues.map((issue) => issue?.count ?? 0);
}

/** Copies everything into KV: an index that wakes up has not written any key a moment ago, and waits for none. */
async function copyAll() {
  for (let round = 0; round < 10 && (await shard().getHealth()).rows > 0; round++) await sealNow();
  await abortAllDurableObjects();
  await desk.listNewestIssues();
  await index().waitForSnapshots();
  expect((await desk.getHealth()).snapshots.waiting).toBe(0);
}

/** Loses the index, and has it made anew from KV. */
async function loseIndex() {
  await copyAll();
  await loseStorage();
}

async function loseStorage() {
  await runInDurableObject(index(), (_: ProjectIndex, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
  await workDone();
}

describe("what people add to an issue", () => {
  it("comments come and go, and somebody looks after it", async () => {
    await log.append([aReport(1)]);
    await desk.annotate(A, comment(1));
    await desk.annotate(A, comment(2));
    await desk.annotate(A, { change: "delete-comment", id: reportId(1) });
    await desk.annotate(A, { change: "assign", to: "Ada" });
    expect(await desk.annotate(A, { change: "assign", to: "Ada" })).toMatchObject({
      assignee: "Ada",
      activity: [
        { did: "commented", text: "comment 2" },
        { did: "assigned", to: "Ada" },
      ],
    });
    expect((await desk.getFreshIssue(A))?.assignee).toBe("Ada");
    await desk.annotate(A, { change: "assign" });
    expect((await desk.getFreshIssue(A))?.assignee).toBeUndefined();
    expect(await desk.annotate(B, comment(3))).toBeNull();
  });

  it("is bounded, and the newest is kept", async () => {
    await log.append([aReport(1)]);
    for (let n = 0; n < limits.maxActivityPerIssue + 2; n++) await desk.annotate(A, comment(n));
    const { activity } = await desk.getAnnotations(A);
    expect(activity.length).toBe(limits.maxActivityPerIssue);
    expect(activity.at(-1)).toMatchObject({ text: `comment ${limits.maxActivityPerIssue + 1}` });
  });

  it("comes back when the index is lost", async () => {
    await log.append([aReport(1), aReport(2, { digest: B })]);
    await desk.annotate(A, comment(1));
    await desk.annotate(A, { change: "assign", to: "Ada" });
    await desk.saveView("Mine", { query: "assigned:ada", sort: "count" });
    await loseIndex();
    expect((await desk.getAnnotations(A)).activity.length).toBe(2);
    expect((await desk.getFreshIssue(A))?.assignee).toBe("Ada");
    expect(await desk.listViews()).toEqual([
      { name: "Mine", query: "assigned:ada", sort: "count" },
    ]);
  });

  it("goes with the issue when that is erased, and names go with a person", async () => {
    await log.append([aReport(1), aReport(2, { digest: B })]);
    await desk.annotate(A, comment(1));
    await desk.annotate(B, comment(2, "ask ada@example.com"));
    await desk.saveView("Ada’s", { query: "ada@example.com", sort: "last" });
    await keeping.eraseIssue(A);
    await keeping.eraseMatching("ada@example.com");
    await workDone();
    await copyAll();
    expect(await desk.getAnnotations(A)).toEqual({ v: 1, activity: [] });
    expect(JSON.stringify([await desk.getAnnotations(B), await desk.listViews()])).not.toContain(
      "ada@",
    );
    expect(await bindings.KV.get("views/1/list")).not.toContain("ada@");
    expect(await bindings.KV.get(`annotations/1/${A}`)).toBeNull();
  });
});

it("views are kept under their names, as many as there may be", async () => {
  await log.append([aReport(1)]);
  for (let n = 0; n <= limits.maxSavedViews; n++) {
    await desk.saveView(`View ${n}`, { query: "", sort: "last" });
  }
  expect((await desk.listViews()).map(({ name }) => name)).not.toContain(
    `View ${limits.maxSavedViews}`,
  );
  await desk.saveView("View 7", { query: "is:open", sort: "last" });
  await desk.saveView("View 8", null);
  const views = await desk.listViews();
  expect(views.length).toBe(limits.maxSavedViews - 1);
  expect(views.at(-1)).toMatchObject({ name: "View 7", query: "is:open" });
});

it("one decision about many is about those that there are", async () => {
  await log.append([aReport(1), aReport(2, { digest: B })]);
  expect(await desk.decideMany([A, C, B], { state: "muted" })).toEqual([A, B]);
  expect((await desk.getFreshIssue(B))?.state).toBe("muted");
});

it("what is resolved once more returns by what happens from then on, and that is said once", async () => {
  await log.append([aReport(1)]);
  await desk.listNewestIssues();
  await runInDurableObject(index(), (_: ProjectIndex, { storage }) => {
    const { triage } = new ProjectState(storage);
    const decided = [1_000, 2_000].map((nowMs) => triage.decide(A, { state: "resolved" }, nowMs));
    expect(decided.map((issue) => issue?.decision?.atMs)).toEqual([1_000, 2_000]);
    expect(triage.getAnnotations(A).activity.map(({ action }) => action)).toEqual(["resolved"]);
  });
});

it("what was decided already is not decided again, and pushes nothing out", async () => {
  await log.append([aReport(1)]);
  await desk.annotate(A, comment(1));
  for (let n = 0; n < 3; n++) await desk.decide(A, { state: "muted" });
  expect(await desk.decideMany([A], { state: "muted" })).toEqual([A]);
  await desk.decide(A, { state: "open" });
  const said = (await desk.getAnnotations(A)).activity.map(({ action }) => action);
  expect(said).toEqual(["commented", "muted", "opened"]);
});

describe("issues that were merged", () => {
  const three = [
    aReport(1),
    aReport(2, { digest: B, aliases: ["2338823894"] }),
    aReport(3, { digest: B }),
  ];

  it("count together, what came and what comes, and their codes lead to the one", async () => {
    await log.append(three);
    await desk.annotate(B, comment(1));
    expect(await desk.annotate(A, { change: "merge", from: [B, C] })).toBeNull();
    expect(await counts()).toEqual([1, 2, 0]);
    await desk.annotate(A, { change: "merge", from: [B, A] });
    await log.append([aReport(4, { digest: B }), aReport(5)]);
    expect(await counts()).toEqual([5, 0, 0]);
    expect(await desk.findIssuesByAlias(B)).toEqual([A]);
    expect(await desk.findIssuesByAlias("2338823894")).toEqual([A]);
    for (const n of [1, 2, 3, 4])
      expect(await desk.locateReport(reportId(n))).toMatchObject({ digest: A });
    expect((await desk.getFreshIssue(A))?.mergedDigests).toEqual([B]);
    expect((await desk.getAnnotations(A)).activity.map(({ action }) => action)).toEqual([
      "commented",
      "merged",
    ]);
    expect((await desk.searchIssues("price")).length).toBe(1);
  });

  it("are found by what their reports said, live and made anew, and leave no word when they are erased", async () => {
    const words = () =>
      runInDurableObject(index(), (_: ProjectIndex, { storage }) =>
        storage.sql.exec("SELECT digest, text FROM issue_words").toArray(),
      );
    await log.append([aReport(1), aReport(2, { digest: B, message: "grotesque" })]);
    await desk.annotate(A, { change: "merge", from: [B] });
    await abortAllDurableObjects();
    await log.append([aReport(3, { digest: B, message: "another grotesque ada@example.org" })]);
    expect(await desk.searchIssues("grotesque")).toEqual([A]);
    await copyAll();
    await loseStorage();
    expect(await desk.searchIssues("grotesque")).toEqual([A]);
    await keeping.eraseMatching("ada@example.org");
    await workDone();
    expect(JSON.stringify(await words())).not.toContain("ada");
    await keeping.eraseIssue(A);
    await workDone();
    expect(await words()).toEqual([]);
  });

  it("and come again where nobody has noted their words, are found by what they are called", async () => {
    await log.append([aReport(1), aReport(2, { digest: B, message: "grotesque" })]);
    await desk.annotate(A, { change: "merge", from: [B] });
    await desk.annotate(A, { change: "split", digest: B });
    await log.append([aReport(3, { digest: B, message: "grotesque" })]);
    expect([...(await desk.searchIssues("grotesque"))].sort()).toEqual([B, A].sort());
  });

  it("keep who leads a foreign code: a server that shows the key, and nobody who only says that he is one", async () => {
    const code = "2338823894";
    await log.append([
      aReport(1),
      aReport(2, { digest: B, hasKey: true }),
      aReport(3, { digest: C }),
    ]);
    await desk.annotate(A, { change: "merge", from: [B] });
    await log.append([aReport(4, { digest: B, hasKey: true, aliases: [code] })]);
    await log.append([aReport(5, { digest: C, aliases: [code] })]);
    await log.append([aReport(6, { digest: "DDDD-DDDD", side: "browser", aliases: [code] })]);
    expect(await desk.getFreshIssue(A)).toMatchObject({ count: 3, linked: 1 });
    expect(await desk.getFreshIssue(C)).toMatchObject({ count: 2, linked: 0 });
  });

  it("of two that are merged one after the other too, and never in a circle", async () => {
    await log.append([...three, aReport(6, { digest: C })]);
    await desk.annotate(B, { change: "merge", from: [A] });
    await desk.annotate(C, { change: "merge", from: [B] });
    expect(await desk.annotate(A, { change: "merge", from: [C] })).toBeNull();
    await log.append([aReport(7)]);
    expect(await counts()).toEqual([0, 0, 5]);
  });

  it("are split again: what was counted stays, what comes is an issue of its own", async () => {
    await log.append(three);
    await desk.annotate(A, { change: "merge", from: [B] });
    await desk.annotate(A, { change: "split", digest: B });
    expect(await desk.annotate(A, { change: "split", digest: B }), "twice").toBeNull();
    expect(await desk.findIssuesByAlias(B), "until it happens again").toEqual([A]);
    await log.append([aReport(4, { digest: B })]);
    expect(await counts()).toEqual([3, 1, 0]);
    expect(await desk.findIssuesByAlias(B)).toEqual([]);
    for (const n of [2, 3])
      expect(await desk.locateReport(reportId(n))).toMatchObject({ digest: A });
    expect(await desk.locateReport(reportId(4))).toMatchObject({ digest: B });
  });

  it("and split off, lead to where they are, however often they move on, and after the index was lost", async () => {
    await log.append([...three, aReport(6, { digest: C })]);
    await desk.annotate(A, { change: "merge", from: [B] });
    await desk.annotate(A, { change: "split", digest: B });
    await desk.annotate(C, { change: "merge", from: [A] });
    expect(await desk.findIssuesByAlias(B)).toEqual([C]);
    await copyAll();
    await loseStorage();
    expect(await desk.findIssuesByAlias(B)).toEqual([C]);
    for (const n of [2, 3])
      expect(await desk.locateReport(reportId(n))).toMatchObject({ digest: C });
    await keeping.eraseIssue(C);
    await workDone();
    expect(await desk.findIssuesByAlias(B)).toEqual([]);
  });

  it.each([
    ["merged", false, true],
    ["split again", true, true],
    ["merged a moment ago", false, false],
    ["split again a moment ago", true, false],
  ])("come back equal when the index is lost: %s", async (_, isSplit, isCopied) => {
    await log.append(three);
    await copyAll();
    const keys = [`issue/1/${A}`, `issue/1/${B}`];
    const snapshots = await Promise.all(keys.map((key) => bindings.KV.get(key)));
    // Behind the snapshots, and before the merge.
    await log.append([aReport(11), aReport(12, { digest: B }), aReport(13, { digest: B })]);
    await desk.annotate(A, { change: "merge", from: [B] });
    if (isSplit) await desk.annotate(A, { change: "split", digest: B });
    const before = await counts();
    expect(before).toEqual([6, 0, 0]);
    await copyAll();
    // What was decided is in KV before the issues are.
    if (!isCopied) {
      await Promise.all(keys.map((key, n) => bindings.KV.put(key, snapshots[n] ?? "")));
    }
    await loseStorage();
    expect(await counts()).toEqual(before);
    await log.append([aReport(4, { digest: B })]);
    expect(await counts()).toEqual(isSplit ? [6, 1, 0] : [7, 0, 0]);
    expect(await desk.findIssuesByAlias(B)).toEqual(isSplit ? [] : [A]);
  });

  it("and what had been merged into one comes with it, and is split off by itself", async () => {
    await log.append([...three, aReport(6, { digest: C })]);
    await desk.annotate(B, { change: "merge", from: [A] });
    await desk.annotate(C, { change: "merge", from: [B] });
    expect((await desk.getFreshIssue(C))?.mergedDigests).toEqual([B, A]);
    await desk.annotate(C, { change: "split", digest: B });
    await log.append([aReport(7), aReport(8, { digest: B })]);
    expect(await counts()).toEqual([0, 1, 5]);
    expect(await desk.locateReport(reportId(7))).toMatchObject({ digest: C });
  });

  it("that were split again are erased where they count", async () => {
    await log.append(three);
    await desk.annotate(A, { change: "merge", from: [B] });
    await desk.annotate(A, { change: "split", digest: B });
    await log.append([aReport(4, { digest: B })]);
    await keeping.eraseIssue(A);
    await workDone();
    expect(await counts()).toEqual([0, 1, 0]);
    for (const n of [1, 2, 3]) expect(await desk.locateReport(reportId(n)), `${n}`).toBeNull();
    expect(await desk.locateReport(reportId(4))).toMatchObject({ digest: B });
    await keeping.eraseIssue(B);
    await workDone();
    expect(await desk.locateReport(reportId(4))).toBeNull();
  });

  it("are erased together", async () => {
    await log.append(three);
    await desk.annotate(A, { change: "merge", from: [B] });
    await keeping.eraseIssue(A);
    await workDone();
    expect(await counts()).toEqual([0, 0, 0]);
    expect(await desk.locateReport(reportId(2))).toBeNull();
  });
});

describe("who looks on", () => {
  it("is told what is counted, at once, and of its issue", async () => {
    await log.append([aReport(1)]);
    const { webSocket, status } = await createLiveConnect(bindings, { project: "1" })();
    expect(status).toBe(101);
    const told: LiveEvent[] = [];
    const heard = new Promise<void>((resolve) => {
      webSocket?.addEventListener("message", ({ data }) => {
        told.push(...(JSON.parse(String(data)) as LiveEvent[]));
        if (told.length >= 2) resolve();
      });
    });
    webSocket?.accept();
    await log.append([aReport(2), aReport(3, { digest: B })]);
    await heard;
    webSocket?.close();
    expect(told.map(({ digest, isNew = false }) => [digest, isNew])).toEqual([
      [A, false],
      [B, true],
    ]);
  });

  it("begins with what arrived last", async () => {
    await log.append([aReport(1), aReport(2, { digest: B }), aReport(3)]);
    const arrivals = await desk.listLiveEvents();
    expect(arrivals.map(({ id }) => id)).toEqual([3, 2, 1].map(reportId));
    expect(arrivals.map(({ isNew = false }) => isNew)).toEqual([false, true, true]);
  });
});
