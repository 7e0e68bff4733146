import { afterEach, describe, expect, it } from "vitest";
import type { AnnotationChange } from "#src/core/issue/annotations.ts";
import type { DecisionInput } from "#src/core/issue/decision.ts";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, finishJobs, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const A = "7F3K-Q2M9";
const B = "0000-0000";
const C = "0000-1001";
const ALL = [A, B, C];
const UNDO = "undo-1";

async function reportAll() {
  await log.append(
    ALL.map((digest, n) => createReport(n, { digest, receivedAtMs: readNowMs() + n })),
  );
}

const readIssue = (digest: string) => projectStore.getFreshIssue(digest);
const readActions = async (digest: string) =>
  (await projectStore.getAnnotations(digest)).activity.map(({ action }) => action);

describe("undo", () => {
  it.each<readonly [string, DecisionInput, DecisionInput]>([
    ["resolved", { state: "open" }, { state: "resolved" }],
    ["ignored for a count", { state: "archived" }, { state: "snoozed", forCount: 10 }],
    ["reopened", { state: "snoozed", forMs: 3_600_000 }, { state: "open" }],
  ])("restores the state of issues that were %s, without a trace", async (_, before, after) => {
    await reportAll();
    await projectStore.decideMany([A, B], before);
    const [a, b] = await Promise.all([readIssue(A), readIssue(B)]);
    const actions = await readActions(A);
    await projectStore.decideMany([A], after, UNDO);
    await projectStore.decideMany([B], after, UNDO);
    expect((await readIssue(A))?.state).toBe(after.state);
    expect(await projectStore.undo(UNDO)).toEqual({ change: "decision", digests: [A, B] });
    expect((await readIssue(A))?.decision).toEqual(a?.decision);
    expect((await readIssue(B))?.decision).toEqual(b?.decision);
    expect(await readActions(A)).toEqual(actions);
  });

  it("opens an issue that had no decision before", async () => {
    await reportAll();
    await projectStore.decide(A, { state: "archived" }, UNDO);
    await projectStore.undo(UNDO);
    expect((await readIssue(A))?.state).toBe("open");
    expect(await readActions(A)).toEqual([]);
  });

  it("works once, and leaves issues alone that were changed again", async () => {
    await reportAll();
    await projectStore.decideMany([A, B], { state: "resolved" }, UNDO);
    await projectStore.decide(B, { state: "archived" });
    expect((await projectStore.undo(UNDO))?.digests).toEqual([A]);
    expect((await readIssue(B))?.state).toBe("archived");
    expect(await projectStore.undo(UNDO)).toBeNull();
  });

  it("restores the state of an issue whose action was sent again", async () => {
    await reportAll();
    await projectStore.decide(A, { state: "archived" });
    const resolve = () => projectStore.decide(A, { state: "resolved" }, UNDO);
    const first = await resolve();
    let last = first;
    while (last?.decision?.atMs === first?.decision?.atMs) last = await resolve();
    expect(await projectStore.undo(UNDO)).toEqual({ change: "decision", digests: [A] });
    expect((await readIssue(A))?.state).toBe("archived");
    expect(await readActions(A)).toEqual(["archived"]);
  });

  it("restores the assignees of several issues", async () => {
    await reportAll();
    await projectStore.annotate(A, { change: "assign", to: "Ada" });
    await projectStore.assignMany([A, B], { change: "assign", to: "Grace" }, UNDO);
    expect((await readIssue(B))?.assignee).toBe("Grace");
    expect(await projectStore.undo(UNDO)).toEqual({ change: "assignee", digests: [A, B] });
    expect((await readIssue(A))?.assignee).toBe("Ada");
    expect((await readIssue(B))?.assignee).toBeUndefined();
    expect((await projectStore.getAnnotations(A)).assignee).toBe("Ada");
    expect(await readActions(B)).toEqual([]);
  });

  it("splits merged issues again", async () => {
    await reportAll();
    const merge: AnnotationChange = { change: "merge", from: [B, C] };
    await projectStore.annotate(A, merge, UNDO);
    expect(await projectStore.undo(UNDO)).toEqual({ change: "merge", digests: [A] });
    await log.append([createReport(9, { digest: B })]);
    expect((await readIssue(B))?.count).toBe(1);
    expect((await readIssue(A))?.mergedDigests).toBeUndefined();
  });

  it("is not possible after an erasure, which would not find what it restores", async () => {
    await reportAll();
    await projectStore.annotate(A, { change: "comment", id: toReportId(1), text: "by Ada" });
    await projectStore.annotate(A, { change: "assign", to: "Ada" });
    await projectStore.annotate(A, { change: "assign" }, UNDO);
    await admin.eraseMatching("Ada");
    await finishJobs();
    expect(await projectStore.undo(UNDO)).toBeNull();
  });
});

describe("the neighbors of an issue", () => {
  const OPEN = parseIssueQuery("is:open");

  it("are those before and after it in the list, with its position", async () => {
    await reportAll();
    const { issues } = await projectStore.listIssues(OPEN);
    const [first = "", second = "", third = ""] = issues.map(({ digest }) => digest);
    expect(await projectStore.findNeighbors(OPEN, first)).toEqual({
      ...{ next: second, position: 1, total: 3 },
    });
    expect(await projectStore.findNeighbors(OPEN, second)).toEqual({
      ...{ previous: first, next: third, position: 2, total: 3 },
    });
    expect(await projectStore.findNeighbors(OPEN, third)).toEqual({
      ...{ previous: second, position: 3, total: 3 },
    });
  });

  it("are known for an issue that has just left the list, which has no position", async () => {
    await reportAll();
    const { issues } = await projectStore.listIssues(OPEN);
    const [first = "", second = "", third = ""] = issues.map(({ digest }) => digest);
    await projectStore.decide(second, { state: "resolved" });
    expect(await projectStore.findNeighbors(OPEN, second)).toEqual({
      ...{ previous: first, next: third, total: 2 },
    });
    expect(await projectStore.findNeighbors(OPEN, "0000-9999")).toBeNull();
  });

  it.each(["last", "first", "count", "users"] as const)(
    "lead through the whole list by %s, and back to its page",
    async (sort) => {
      const digests = Array.from({ length: 60 }, (_, n) => `0000-2${String(n).padStart(3, "0")}`);
      await log.append(
        digests.map((digest, n) =>
          createReport(n, { digest, receivedAtMs: readNowMs() + (n % 7) }),
        ),
      );
      const query = { ...OPEN, sort };
      const page = await projectStore.listIssues(query);
      const rest = await projectStore.listIssues(query, page.next);
      const listed = [...page.issues, ...rest.issues].map(({ digest }) => digest);
      const walked: string[] = [];
      for (let next = listed[0]; next !== undefined; ) {
        walked.push(next);
        next = (await projectStore.findNeighbors(query, next))?.next;
      }
      expect(walked).toEqual(listed);
      const neighbors = await projectStore.findNeighbors(query, listed[55] ?? "");
      expect(neighbors?.position).toBe(56);
      expect((await projectStore.listIssues(query, neighbors?.page)).issues).toEqual(rest.issues);
    },
  );
});
