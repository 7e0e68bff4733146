/** Under load the index stores an issue once for many reports. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report } from "#src/core/report.ts";
import { HOUR_MS } from "#src/core/utc-time.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { RowReceiver } from "#src/store/index/row-receiver.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { recordStatements, type StatementRecorder } from "#support/store/recorded-statements.ts";
import {
  admin,
  finishJobs,
  getIndex,
  getShard,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

const [A, B, C] = ["7F3K-Q2M9", "0000-0000", "0000-0001"] as const;

let recorder: StatementRecorder;
let next = 0;

beforeEach(async () => {
  next = 0;
  recorder = await recordStatements();
});

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

/** Sends reports of an issue, each in a call of its own. */
async function send(digest: string, calls: number, texts: Partial<Report> = {}): Promise<void> {
  for (let n = 0; n < calls; n++) {
    await log.append([createReport(next++, { digest, ...texts })]);
    await getShard().flush();
  }
}

/** Makes the index stage what comes next: A has 15 reports then, and B one. */
async function makeBusy(): Promise<void> {
  await send(B, 1);
  await send(A, 15);
  await projectStore.listNewestIssues();
  recorder.take();
}

const countIssueUpdates = () =>
  recorder.take().filter(({ sql, rowsWritten }) => /^UPDATE issue\b/.test(sql) && rowsWritten > 0)
    .length;

const listCounts = async () => {
  const { issues } = await projectStore.listIssues(parseIssueQuery("", "count"));
  return issues.map(({ digest, count }) => [digest, count]);
};

describe("a known issue that many reports have", () => {
  it("is stored once, before a query reads the tables", async () => {
    await makeBusy();
    await send(A, 20);
    expect(countIssueUpdates()).toBe(0);
    expect(await projectStore.getFreshIssue(A)).toMatchObject({ count: 35 });
    expect(countIssueUpdates()).toBe(0);
    expect(await listCounts()).toEqual([
      [A, 35],
      [B, 1],
    ]);
    expect(countIssueUpdates()).toBe(1);
  });

  it("is also stored once if its latest reports have long messages and addresses", async () => {
    const url = `https://shop.example/${"y".repeat(1_000)}`;
    const texts = { message: "too long ".repeat(100), request: { url } };
    await send(C, 20, texts);
    await makeBusy();
    await send(C, 20, texts);
    const updates = countIssueUpdates();
    const issue = await projectStore.getFreshIssue(C);
    expect(JSON.stringify(issue).length).toBeGreaterThan(20_000);
    expect(updates).toBe(0);
  });

  it("is stored with an issue that is new", async () => {
    await makeBusy();
    await send(A, 2);
    await send(C, 1);
    expect(countIssueUpdates()).toBe(1);
  });

  it("is stored at once in a quiet project", async () => {
    await send(A, 3);
    expect(countIssueUpdates()).toBe(2);
  });

  it("is stored at once again in a quiet project after the clock was set back", async () => {
    const isStored = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      const receiver = new RowReceiver(new IndexTables(storage));
      let seq = 0;
      const receive = (nowMs: number) => {
        const summary = summarizeReport(createReport(++seq), `2026112117/0.00000001:${seq}`);
        const options = { nowMs, startId: undefined, mayStage: true, isGapless: false };
        return receiver.receive("0", [{ seq, summary }], options).result.storedSeq === seq;
      };
      for (let n = 0; n < 20; n++) receive(NOW_MS);
      return [0, -HOUR_MS, 60_000 - HOUR_MS].map((ms) => receive(NOW_MS + ms));
    });
    expect(isStored).toEqual([false, true, true]);
  });

  it("counts each report once when the index stops before it is stored", async () => {
    await makeBusy();
    await send(A, 7);
    await evictDurableObject(getIndex());
    expect(await projectStore.getFreshIssue(A)).toMatchObject({ count: 22 });
    await makeBusy();
    await send(A, 5);
    await evictDurableObject(getIndex());
    await send(A, 1);
    expect(await listCounts()).toEqual([
      [A, 22 + 15 + 6],
      [B, 2],
    ]);
    const counters = await projectStore.listCounters(1);
    // Of a burst, some are counted without their bodies.
    const reports = counters.filter(
      ({ name: [kind] }) => kind === "accepted" || kind === "counted",
    );
    expect(reports.reduce((sum, { count }) => sum + count, 0)).toBe(45);
  });

  it("counts each report once when its chunks are in KV and both objects stop", async () => {
    await makeBusy();
    await send(A, 7);
    await uploadChunk();
    expect((await getShard().getHealth()).rows).toBeGreaterThan(0);
    await evictDurableObject(getIndex());
    await evictDurableObject(getShard());
    expect(await projectStore.getFreshIssue(A)).toMatchObject({ count: 22 });
  });

  it("is in the log until it is stored", async () => {
    await makeBusy();
    await send(A, 4);
    await uploadChunk();
    expect((await getShard().getHealth()).rows).toBeGreaterThan(0);
    await projectStore.listNewestIssues();
    await uploadChunk();
    expect((await getShard().getHealth()).rows).toBe(0);
  });

  it("counts each report once after a rebuild that starts meanwhile", async () => {
    await makeBusy();
    await send(A, 7);
    await admin.rebuildIndex();
    await finishJobs();
    expect(await listCounts()).toEqual([
      [A, 22],
      [B, 1],
    ]);
  });

  it("changes with a decision, and with the erasure of a report, as if it was stored", async () => {
    await makeBusy();
    await send(A, 3);
    await projectStore.decide(A, { state: "archived" });
    await send(A, 3);
    expect(await getIndex().eraseReport(toReportId(next - 1))).toBe(true);
    await evictDurableObject(getIndex());
    const issue = await projectStore.getFreshIssue(A);
    expect(issue).toMatchObject({ count: 21, state: "archived" });
    expect(issue?.latestReports.some(({ id }) => id === toReportId(next - 1))).toBe(false);
  });

  it("has a snapshot in KV that counts what is not stored, with its watermark", async () => {
    await makeBusy();
    await send(A, 3);
    await runDurableObjectAlarm(getIndex());
    await getIndex().waitUntilIdle();
    await admin.rebuildIndex();
    await finishJobs();
    expect(await projectStore.getFreshIssue(A)).toMatchObject({ count: 18 });
  });
});
