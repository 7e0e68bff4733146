/** The rows that public reports may write in a day. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { DailyCapTable } from "#src/store/index/tables/daily-cap-table.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { recordStatements } from "#support/store/recorded-statements.ts";
import { getIndex, getShard, log, projectStore } from "#support/store/store.ts";

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

const DIGEST = "7F3K-Q2M9";
/** Twice as many do not escalate. */
const REPORTS = 4;
let lastId = 0;

async function useUpRows(): Promise<void> {
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const caps = new DailyCapTable(storage);
    caps.add(toUtcDay(readNowMs()), "row", limits.maxPublicRowsPerDay);
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

it("reports of servers are written at once", async () => {
  await log.append([createReport(++lastId, { digest: DIGEST })]);
  await useUpRows();
  expect(await countWrites({})).toEqual({ issues: REPORTS, log: REPORTS });
});
