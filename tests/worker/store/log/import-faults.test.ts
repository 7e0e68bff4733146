/** An import whose index fails: each line is stored, and counted once. */
import { afterEach, expect, it, vi } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import type { ImportLine } from "#src/core/ports/storage-ports.ts";
import { ProjectIndex } from "#src/store/index/project-index.ts";
import { eventually } from "#support/eventually.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  finishJobs,
  getShard,
  log,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

const LINES = 300;

/** Lines of 50 issues. */
const createLines = (): readonly ImportLine[] =>
  Array.from({ length: LINES }, (_, n) =>
    createReport(n, { digest: `0000-00${10 + (n % 50)}` }),
  ).map((report) => ({ line: JSON.stringify(report), ids: [report.id] }));

async function importAll(): Promise<number> {
  const lines = createLines();
  let count = 0;
  for (let at = 0; at < LINES; at += 100)
    count += await getShard().importLines(lines.slice(at, at + 100));
  return count;
}

async function countReports(): Promise<number> {
  const { issues } = await projectStore.listIssues(parseIssueQuery("", "count"));
  return issues.reduce((sum, { count }) => sum + count, 0);
}

type Apply = () => ReturnType<ProjectIndex["applyRows"]>;

/** The failures of every third call of the index. */
const FAULTS: readonly (readonly [
  name: string,
  fail: (apply: Apply, restart: () => void) => unknown,
])[] = [
  ["refuses a call", () => Promise.reject(new Error("overloaded"))],
  ["loses a reply", (apply) => apply().then(() => Promise.reject(new Error("lost")))],
  ["restarts before it applies", (_, restart) => restart()],
  ["restarts after it applied", (apply, restart) => apply().then(restart)],
];

it.each(FAULTS)("an import is stored and counted once if the index %s", async (_, fail) => {
  const { applyRows } = ProjectIndex.prototype;
  let calls = 0;
  vi.spyOn(ProjectIndex.prototype, "applyRows").mockImplementation(async function (
    this: ProjectIndex,
    ...args
  ) {
    const apply = () => applyRows.apply(this, args);
    const { ctx } = this as unknown as { ctx: DurableObjectState };
    calls += 1;
    if (calls % 3 === 0) await fail(apply, () => ctx.abort("restart"));
    return apply();
  });
  expect(await importAll()).toBe(LINES);
  expect(calls).toBeGreaterThan(3);
  vi.restoreAllMocks();
  await eventually(() => getShard().flush());
  expect(await countReports()).toBe(LINES);
  expect(await importAll()).toBe(0);
  await uploadChunk();
  await admin.rebuildIndex();
  await finishJobs();
  expect(await countReports()).toBe(LINES);
});

it("a rebuild that starts during an import counts each line once", async () => {
  const importing = importAll();
  await eventually(async () => {
    if ((await getShard().getHealth()).lines === 0) throw new Error("nothing is imported yet");
  });
  await admin.rebuildIndex();
  expect(await importing).toBe(LINES);
  await finishJobs();
  await getShard().flush();
  expect(await countReports()).toBe(LINES);
});

it("two imports of the same lines, while the log receives them too, count each once", async () => {
  const append = async () => {
    for (let n = 0; n < LINES; n += 3)
      await log.append([createReport(n, { digest: `0000-00${10 + (n % 50)}` })]);
  };
  await Promise.all([importAll(), append(), importAll()]);
  expect(await countReports()).toBe(LINES);
});
