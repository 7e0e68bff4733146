/** The grouping keys of issues in the index: from reports, through merges, copies and erasures. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { Report, ReportGrouping } from "#src/core/report.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  finishJobs,
  getIndex,
  getShard,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const A = "7F3K-Q2M9";
const B = "0000-0000";
const C = "0000-1001";
const toGrouping = (value: string): ReportGrouping => ({
  version: 1,
  parts: [
    { role: "type", value: "KeyError" },
    { role: "function", value },
  ],
});
const report = (n: number, digest: string, over: Partial<Report> = {}) =>
  createReport(n, { digest, type: "KeyError", grouping: toGrouping(digest), ...over });

async function readGroupings(digest: string) {
  const { grouping, mergedGroupings } = (await projectStore.getFreshIssue(digest)) ?? {};
  return { grouping, mergedGroupings };
}

async function loseIndex() {
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
  await finishJobs();
}

it("an issue keeps the key of its reports through merges and splits", async () => {
  await log.append([report(1, A), report(2, B), report(3, C)]);
  expect(await readGroupings(A)).toEqual({ grouping: toGrouping(A) });
  await projectStore.annotate(A, { change: "merge", from: [B, C] });
  // A report of a higher rank in a merged issue describes the issue, but its key stays.
  await log.append([report(4, B, { message: "again" })]);
  const merged = {
    grouping: toGrouping(A),
    mergedGroupings: { [B]: toGrouping(B), [C]: toGrouping(C) },
  };
  expect(await readGroupings(A)).toEqual(merged);
  await projectStore.annotate(A, { change: "split", digest: B });
  expect(await readGroupings(A)).toEqual({ ...merged, mergedGroupings: { [C]: toGrouping(C) } });
  await log.append([report(5, B)]);
  expect(await readGroupings(B)).toEqual({ grouping: toGrouping(B) });
});

it("a rebuild restores the keys, from snapshots and from reports", async () => {
  await log.append([report(1, A), report(2, B)]);
  await projectStore.annotate(A, { change: "merge", from: [B] });
  const merged = { grouping: toGrouping(A), mergedGroupings: { [B]: toGrouping(B) } };
  for (const hasSnapshots of [true, false]) {
    for (let round = 0; round < 10 && (await getShard().getHealth()).rows > 0; round++)
      await uploadChunk();
    if (hasSnapshots) await writeSnapshots();
    await loseIndex();
    expect(await readGroupings(A)).toEqual(merged);
  }
});

it("a burst of reports has the key of its issue once", async () => {
  await log.append(Array.from({ length: 40 }, (_, n) => report(n + 1, A)));
  const issue = await projectStore.getFreshIssue(A);
  expect(issue).toMatchObject({ count: 40, grouping: toGrouping(A) });
  expect(JSON.stringify(issue?.latestReports)).not.toContain("grouping");
});

it("an erased report takes the key with it, if no other report has its title", async () => {
  await log.append([report(1, A)]);
  await admin.eraseReport(createReport(1).id);
  await finishJobs();
  expect(await readGroupings(A)).toEqual({});
  await log.append([report(2, A)]);
  expect(await readGroupings(A)).toEqual({ grouping: toGrouping(A) });
});

it("similar issues have the same type and place, or nearly the same text, and their keys", async () => {
  const inApp = true;
  const frames = [{ function: "priceOf", file: "/srv/shop/prices.py", inApp }];
  await log.append([
    report(1, A, { message: "basket without voucher", frames }),
    report(2, B, { message: "'EUR'", frames }),
    report(3, C, { message: "'EUR'", type: "ValueError", frames }),
    report(4, "0000-2002", { message: "'EUR'", frames: [{ function: "total", inApp }] }),
  ]);
  const { similar } = await projectStore.getCurrentIssue(A);
  expect(similar.map(({ digest, grouping }) => ({ digest, grouping }))).toEqual([
    { digest: B, grouping: toGrouping(B) },
  ]);
});
