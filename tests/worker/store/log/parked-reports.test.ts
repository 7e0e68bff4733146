/** Reports that a release parked because it may not read the data of a later one. */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readNowMs } from "#support/clock/clock.ts";
import { expectConsoleError } from "#support/console.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, getIndex, getShard, log, projectStore } from "#support/store/store.ts";

const LATER = 9;
const TEXT = "jane-doe";

beforeEach(() => void expectConsoleError());
afterEach(() => emptyStore());

const inLog = <T>(work: (storage: DurableObjectStorage) => T) =>
  runInDurableObject(getShard() as never, (_, { storage }) => work(storage));

async function setOldest(oldest: number): Promise<void> {
  await inLog(
    ({ sql }) =>
      void sql.exec(
        "UPDATE schema_state SET oldest = ?, version = ?, writer = ?",
        ...[oldest, oldest, oldest],
      ),
  );
  await abortAllDurableObjects();
}

function countParked() {
  return inLog(({ sql }) => sql.exec("SELECT 1 FROM parked_append").toArray().length);
}

it("stay until their rows can be written", async () => {
  await log.append([createReport(1)]);
  await projectStore.listNewestIssues();
  await setOldest(LATER);
  const [result] = await log.append([createReport(2)]);
  expect(result).toMatchObject({ id: toReportId(2), isSpooled: true });
  // As with a full disk.
  const refusal = "SELECT RAISE(FAIL, 'database or disk is full')";
  const create = `CREATE TRIGGER full_disk BEFORE INSERT ON log_row BEGIN ${refusal}; END`;
  await inLog(({ sql }) => void sql.exec(create));
  await setOldest(1);
  expect(await countParked()).toBe(1);
  await inLog(({ sql }) => void sql.exec("DROP TRIGGER full_disk"));
  await getShard().flush();
  expect(await countParked()).toBe(0);
  expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
});

it("are appended soon, and before a text is erased", async () => {
  await log.append([createReport(1)]);
  await projectStore.listNewestIssues();
  await setOldest(LATER);
  for (let n = 2; n < 252; n++) await log.append([createReport(n)]);
  await log.append([createReport(252, { digest: "0000-0000", message: `${TEXT} left` })]);
  await setOldest(1);
  expect(await countParked()).toBeGreaterThan(0);
  const alarmMs = (await inLog((storage) => storage.getAlarm())) ?? Number.POSITIVE_INFINITY;
  expect(alarmMs - readNowMs()).toBeLessThan(2_000);
  await admin.eraseMatching(TEXT);
  await expect
    .poll(async () => (await getIndex().getHealth()).work, { timeout: 10_000 })
    .toBeUndefined();
  await getShard().flush();
  const issue = await projectStore.getFreshIssue("0000-0000");
  expect(issue).toMatchObject({ count: 1 });
  expect(JSON.stringify(issue)).not.toContain(TEXT);
});

it("are appended by the alarm after a migration that failed for a while", async () => {
  await log.append([createReport(1)]);
  await projectStore.listNewestIssues();
  // The state cannot be created again next to the other table.
  await inLog(({ sql }) => void sql.exec("DROP TABLE schema_state"));
  await abortAllDurableObjects();
  expect(await log.append([createReport(2)])).toMatchObject([{ isSpooled: true }]);
  await inLog(({ sql }) => void sql.exec("DROP TABLE schema_backfill"));
  vi.useFakeTimers({ toFake: ["Date"], now: readNowMs() + 3_600_000 });
  try {
    // The platform repeats an alarm that ends with its object.
    await runDurableObjectAlarm(getShard() as never).catch(() => undefined);
    expect(await log.append([createReport(3)])).not.toMatchObject([{ isSpooled: true }]);
  } finally {
    vi.useRealTimers();
  }
  expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
});
