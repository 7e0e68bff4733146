import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { fillCatalog, toFilledId, toFilledTrace } from "#support/store/fill-catalog.ts";
import { StatementRecorder } from "#support/store/recorded-statements.ts";
import { getShard, log, uploadChunk } from "#support/store/store.ts";

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

const CHUNKS = 1_000_000;

/** The tables of a shard. Those of the index and of accounts have other names. */
const LOG_STATEMENT =
  /\b(FROM|INTO|UPDATE|JOIN) (log_\w+|public_usage|write_budget|chunk|id_\w+|run_chunks|erased_line)\b/;

const runAlarm = () => runInDurableObject(getShard(), (log: ReportLog) => log.alarm());

/** The operations of a shard, and the rows that each may read and write with a million chunks. */
const OPERATIONS: readonly (readonly [
  name: string,
  mostRead: number,
  mostWritten: number,
  run: (n: number) => Promise<unknown>,
])[] = [
  ["a report of a new chunk", 5, 3, (n) => log.append([createReport(n)])],
  ["a report of a known chunk", 5, 2, (n) => log.append([createReport(n + 1)])],
  ["a retry", 5, 1, (n) => log.append([createReport(n)])],
  ["an upload, and the deletion of its rows", 40, 9, uploadChunk],
  ["an alarm without work", 5, 1, runAlarm],
  ["an unknown id", 250, 0, () => getShard().locate(toReportId(999_999))],
  ["the id of the first chunk", 250, 0, () => getShard().locate(toFilledId(1))],
  ["an unknown trace", 250, 0, () => getShard().locateByTrace("f".repeat(32))],
  ["the trace of the first chunk", 250, 0, () => getShard().locateByTrace(toFilledTrace(1))],
  ["the reports of a trace", 500, 0, () => getShard().readTrace(toFilledTrace(1))],
  ["the health", 250, 0, () => getShard().getHealth()],
  [
    "an imported line",
    250,
    3,
    (n) =>
      getShard().importLines([
        { line: JSON.stringify(createReport(n + 2)), ids: [toReportId(n + 2)] },
      ]),
  ],
  [
    "a report after a restart",
    200,
    4,
    async (n) => {
      await abortAllDurableObjects();
      await log.append([createReport(n + 3)]);
    },
  ],
];

/** The rows that a shard reads and writes for each operation. */
async function measure(recorder: StatementRecorder, from: number) {
  const counts: { readonly read: number; readonly written: number }[] = [];
  for (const [, , , run] of OPERATIONS) {
    recorder.take();
    await run(from);
    await getShard().flush();
    const statements = recorder.take().filter(({ sql }) => LOG_STATEMENT.test(sql));
    counts.push({
      read: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      written: statements.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    });
  }
  return counts;
}

it("no operation of a shard reads or writes more rows with a million stored chunks, or scans them", {
  timeout: 180_000,
}, async () => {
  await log.append([createReport(1)]);
  await uploadChunk();
  const recorder = await runInDurableObject(
    getShard(),
    (_: ReportLog, { storage }) => new StatementRecorder(storage.sql),
  );
  const few = await measure(recorder, 10);
  const bytesPerChunk = await fillCatalog(CHUNKS);
  await abortAllDurableObjects();
  await log.append([createReport(2)]);
  await uploadChunk();
  const many = await measure(recorder, 20);
  for (const [n, [name, mostRead, mostWritten]] of OPERATIONS.entries()) {
    expect(many[n]?.read, `${name}: rows read`).toBeLessThanOrEqual(mostRead);
    expect(many[n]?.written, `${name}: rows written`).toBeLessThanOrEqual(mostWritten);
    expect(many[n]?.written).toBeLessThanOrEqual((few[n]?.written ?? 0) + 2);
  }
  // A report with a trace, alone in its chunk: 24 bytes for the chunk, 14 for each of its ids.
  expect(bytesPerChunk).toBeLessThan(60);
  // The other tables have recent chunks, one or two rows a day, or what is not uploaded yet.
  const growing = /^SCAN (run_chunks|id_block|erased_line)\b/;
  expect(recorder.listScans().filter(({ scan }) => growing.test(scan))).toEqual([]);
});
