/** The digest that a project splits by stack leads to the issues of its stacks. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Report, ReportGrouping } from "#src/core/report.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  bindings,
  finishJobs,
  getIndex,
  getShard,
  listChunkKeys,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const SOURCE = "7F3K-Q2M9";
const A = "0000-0000";
const B = "0000-1001";
const toGrouping = (value: string): ReportGrouping => ({
  version: 1,
  parts: [
    { role: "type", value: "KeyError" },
    { role: "stack", value },
  ],
  splitFrom: SOURCE,
});
const split = (n: number, digest: string, over: Partial<Report> = {}) =>
  createReport(n, { digest, type: "KeyError", grouping: toGrouping(digest), ...over });
const listLinked = async () => [...(await projectStore.findIssuesByAlias(SOURCE))].sort();

describe("reports of stacks", () => {
  it("count in their own issues, which their digest without a stack leads to", async () => {
    const browser = { side: "browser", trust: "public" } as const;
    await log.append([split(1, A, browser), split(2, B, browser), split(3, A, browser)]);
    expect(await projectStore.getFreshIssue(A)).toMatchObject({ publicCount: 2, aliases: [] });
    expect(await projectStore.getFreshIssue(B)).toMatchObject({ publicCount: 1 });
    expect(await listLinked()).toEqual([A, B]);
    // Public reports that claim a digest lose it once a trusted one has it.
    await log.append([split(4, B)]);
    expect(await listLinked()).toEqual([B]);
  });

  it("are listed by the issue of that digest, before issues that are only similar", async () => {
    const plain = (n: number, digest: string) => createReport(n, { digest, type: "KeyError" });
    await log.append([plain(1, SOURCE), plain(2, "7777-777G"), split(3, A), split(4, B)]);
    const listSimilar = async (digest: string) =>
      (await projectStore.getCurrentIssue(digest)).similar.map((issue) => issue.digest);
    const [first, second, ...others] = await listSimilar(SOURCE);
    expect([first, second].sort()).toEqual([A, B]);
    expect(others).toEqual(["7777-777G"]);
    expect(await listSimilar(A)).toContain(SOURCE);
  });

  it("lead there through a merge, and without their own issue after its erasure", async () => {
    await log.append([createReport(1, { digest: SOURCE }), split(2, A), split(3, B)]);
    await projectStore.annotate(B, { change: "merge", from: [A] });
    expect(await listLinked()).toEqual([B]);
    await admin.eraseIssue(B);
    await finishJobs();
    expect(await listLinked()).toEqual([]);
    expect(await projectStore.getFreshIssue(SOURCE)).toMatchObject({ count: 1 });
  });
});

it.each([
  { name: "from chunks", expired: false },
  { name: "from snapshots, after its reports have expired", expired: true },
])("a rebuild restores these links $name", async ({ expired }) => {
  await log.append([split(1, A), split(2, B, { trust: "page" })]);
  await log.append([split(3, B)]);
  await uploadChunk();
  await writeSnapshots();
  expect((await getShard().getHealth()).rows).toBe(0);
  if (expired) {
    for (const key of await listChunkKeys()) await bindings.KV.delete(key);
    await runInDurableObject(getShard(), (_: ReportLog, { storage }) => storage.deleteAll());
  }
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
  await finishJobs();
  expect(await projectStore.getFreshIssue(A)).toMatchObject({ count: 1, grouping: toGrouping(A) });
  expect(await listLinked()).toEqual([A, B]);
});
