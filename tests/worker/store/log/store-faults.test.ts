import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { LogTable } from "#src/store/log/log-table.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getShard, listChunkKeys, log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

const createReports = (count: number, from: number, message = "m") =>
  Array.from({ length: count }, (_, i) => createReport(from + i, { message }));

it("a batch that fails in its second row stores nothing, and later positions are correct", async () => {
  await log.append(createReports(1, 1));
  const onRows = (statement: string) =>
    runInDurableObject(getShard(), (_: ReportLog, { storage }) => void storage.sql.exec(statement));
  await onRows(
    "CREATE TRIGGER full BEFORE INSERT ON log_row WHEN (SELECT count(*) FROM log_row) >= 2 " +
      "BEGIN SELECT RAISE(FAIL, 'full'); END",
  );
  await expect(log.append(createReports(4, 10, "x".repeat(240_000)))).rejects.toThrow();
  await onRows("DROP TRIGGER full");
  const [acked] = await log.append(createReports(1, 100));
  expect((await projectStore.readReport({ position: acked?.position ?? "" }))?.id).toBe(
    toReportId(100),
  );
  expect(await projectStore.locateReport(toReportId(10))).toBeNull();
});

it("a chunk is closed at its size limit, also while the alarm has not run", async () => {
  // Of many issues: of one issue only some bodies would be stored.
  const toDigest = (n: number) => `0000-${String(n % 700).padStart(4, "0")}`;
  for (let from = 1; from <= 12_001; from += 2_000) {
    await log.append(
      createReports(2_000, from).map((report, i) => ({ ...report, digest: toDigest(from + i) })),
    );
  }
  await uploadChunk();
  expect((await listChunkKeys()).length).toBeGreaterThan(1);
  expect((await projectStore.locateReport(toReportId(11_999)))?.digest).toBe(toDigest(11_999));
});

it("loads thousands of waiting rows after a restart, each with its position", async () => {
  await log.append(createReports(1, 1));
  const first = await runInDurableObject(getShard(), (_: ReportLog, { storage }) => {
    const table = new LogTable(storage, "0", 0);
    const first = table.getLastChunk() + 1;
    for (let n = 0; n < 3_000; n++) {
      const lines = createReports(2, 10 + n * 2).map((report) => JSON.stringify(report));
      const place = { chunk: first + Math.floor(n / 100), hour: "2026112117" };
      table.insert({ ...place, lines, extraIds: [], firstLine: 2 * (n % 100) });
    }
    return first;
  });
  await abortAllDurableObjects();
  expect(await getShard().locate(toReportId(10 + 2_555))).toBe(`2026112117/0.${first + 12}:155`);
  expect((await log.append([createReport(10 + 2_555)]))[0]?.isDuplicate).toBe(true);
  await getShard().flush();
  expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(6_001);
});

it("an alias of very many issues leads to the newest 20 of them", async () => {
  const reports = Array.from({ length: 40 }, (_, n) =>
    createReport(n, { digest: `0000-00${String(n).padStart(2, "0")}`, aliases: ["777000111"] }),
  );
  await log.append(reports);
  expect((await projectStore.listNewestIssues()).total).toBe(40);
  expect(await projectStore.findIssuesByAlias("777000111")).toHaveLength(20);
});
