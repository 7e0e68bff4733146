import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { decodeChunk } from "#src/store/kv/chunk.ts";
import { parsePosition, toChunkKey } from "#src/store/kv/keys.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createFaultyKv } from "#support/store/faulty-kv.ts";
import { recordStatements } from "#support/store/recorded-statements.ts";
import {
  bindings,
  getShard,
  listChunkKeys,
  log,
  projectStore,
  replaceKv,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const createReports = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => createReport(from + i));

/** Every report with these ids can be read, from the log or KV. */
async function expectFound(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const at = await projectStore.locateReport(id);
    expect(at, `report ${id} is lost`).not.toBeNull();
    const report = await projectStore.readReport({ position: at?.position ?? "" });
    expect(report?.id).toBe(id);
  }
}

describe("an acknowledged report", () => {
  it("survives crashes before and after the upload", async () => {
    const acked = await log.append(createReports(5));
    await abortAllDurableObjects();
    await expectFound(acked.map(({ id }) => id));
    await uploadChunk();
    await expectFound(acked.map(({ id }) => id));
    expect(await listChunkKeys()).toHaveLength(1);
  });

  it("survives failed puts, which are retried with the same bytes", async () => {
    const { kv, puts } = createFaultyKv(bindings.KV, ["refuse", "refuse"]);
    const acked = await log.append(createReports(5));
    await replaceKv(kv);
    await uploadChunk();
    expect(await listChunkKeys()).toHaveLength(0);
    await expectFound(acked.map(({ id }) => id));
    await uploadChunk();
    await uploadChunk();
    expect(await listChunkKeys()).toHaveLength(1);
    expect(new Set(puts.map(({ key, bytes }) => `${key} ${bytes}`)).size).toBe(1);
    expect(puts).toHaveLength(3);
    await expectFound(acked.map(({ id }) => id));
  });

  it("survives a put whose response is lost, and is stored under one key", async () => {
    const { kv, puts } = createFaultyKv(bindings.KV, ["lose-reply"]);
    const acked = await log.append(createReports(3));
    await replaceKv(kv);
    await uploadChunk();
    await uploadChunk();
    expect(puts).toHaveLength(2);
    expect(await listChunkKeys()).toHaveLength(1);
    await expectFound(acked.map(({ id }) => id));
  });

  it("survives a crash between a failed put and the next one", async () => {
    const { kv } = createFaultyKv(bindings.KV, ["refuse"], { forever: true });
    const first = await log.append(createReports(3));
    await replaceKv(kv);
    await uploadChunk();
    await abortAllDurableObjects();
    const second = await log.append(createReports(3, 100));
    await uploadChunk();
    await uploadChunk();
    await expectFound([...first, ...second].map(({ id }) => id));
    // The restarted object opened a new chunk instead of adding to the one whose put failed.
    expect(await listChunkKeys()).toHaveLength(2);
  });

  it("is counted while KV refuses every put", async () => {
    const { kv } = createFaultyKv(bindings.KV, ["refuse"], { forever: true });
    await log.append(createReports(1));
    await replaceKv(kv);
    for (let round = 1; round <= 4; round++) {
      await log.append(createReports(2, round * 10));
      await uploadChunk();
    }
    expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(9);
    expect(await listChunkKeys()).toHaveLength(0);
  });
});

describe("a report that was sent twice counts once", () => {
  const count = async () => (await projectStore.getFreshIssue("7F3K-Q2M9"))?.count;

  it("if both copies arrive together", async () => {
    const [[first], [second]] = await Promise.all([
      log.append(createReports(1)),
      log.append(createReports(1)),
    ]);
    expect([first?.isDuplicate, second?.isDuplicate].sort()).toEqual([false, true]);
    expect(first?.position).toBe(second?.position);
    expect(await count()).toBe(1);
  });

  it("if the second arrives after the upload", async () => {
    const [first] = await log.append(createReports(1));
    await uploadChunk();
    const [second] = await log.append(createReports(1));
    expect(second).toEqual({ ...first, isDuplicate: true });
    expect(await count()).toBe(1);
  });

  it("if the log crashes in between", async () => {
    await log.append(createReports(2));
    await abortAllDurableObjects();
    await log.append(createReports(2));
    expect(await count()).toBe(2);
  });

  it("if the log is evicted after the upload", async () => {
    await log.append(createReports(2));
    await uploadChunk();
    await evictDurableObject(getShard());
    await log.append(createReports(3));
    expect(await count()).toBe(3);
  });

  it("if the index applied it and the log crashed before it stored that", async () => {
    await log.append(createReports(2));
    await projectStore.getFreshIssue("7F3K-Q2M9");
    // The applied row number is stored with the next deletion only: after a crash, rows are sent
    // again.
    await abortAllDurableObjects();
    await log.append(createReports(1, 50));
    expect(await count()).toBe(3);
  });
});

describe("the archive", () => {
  it("has a chunk of gzipped lines at chunk/<project>/<hour>/<shard>.<number>, with metadata", async () => {
    const reports = [...createReports(2), createReport(3, { digest: "0000-0000" })];
    const answers = await log.append(reports);
    await uploadChunk();
    const [key] = await listChunkKeys();
    expect(key).toMatch(/^chunk\/1\/\d{10}\/0\.\d{9}$/);
    const { value, metadata } = await bindings.KV.getWithMetadata(key ?? "", "arrayBuffer");
    const lines = await decodeChunk(value ?? new ArrayBuffer());
    expect(lines.map((line) => JSON.parse(line))).toEqual(reports);
    expect(metadata).toMatchObject({
      v: 1,
      lineCount: 3,
      digests: [
        ["7F3K-Q2M9", 2],
        ["0000-0000", 1],
      ],
    });
    answers.forEach(({ position }, line) => {
      const place = parsePosition(position ?? "");
      expect(place && toChunkKey("1", place)).toBe(key);
      expect(place?.line).toBe(line);
    });
  });

  it("gets the reports of several quiet minutes in one chunk, also across restarts", async () => {
    const acked = [];
    for (let n = 1; n <= 4; n++) {
      acked.push(...(await log.append(createReports(1, n))));
      await (n === 2 ? abortAllDurableObjects() : evictDurableObject(getShard()));
    }
    const positions = acked.map(({ position }) => parsePosition(position ?? ""));
    expect(positions.map((place) => place?.line)).toEqual([0, 1, 2, 3]);
    expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(4);
    await uploadChunk();
    expect(await listChunkKeys()).toHaveLength(1);
    await expectFound(acked.map(({ id }) => id));
  });

  it("gets a report when the write budget allows; the alarm is set once for all until then", async () => {
    const readAlarm = () =>
      runInDurableObject(getShard(), (_: ReportLog, { storage }) => storage.getAlarm());
    const beforeMs = readNowMs();
    await log.append(createReports(1));
    const alarmMs = await readAlarm();
    // 475 writes a day of one shard: an even interval is 182 s at most, and a second at least.
    expect(alarmMs).toBeGreaterThanOrEqual(beforeMs + 1_000);
    expect(alarmMs).toBeLessThanOrEqual(readNowMs() + 182_000);
    await log.append(createReports(1, 2));
    await evictDurableObject(getShard());
    await log.append(createReports(1, 3));
    expect(await readAlarm()).toBe(alarmMs);
  });

  it("needs one alarm for a chunk, also if the alarm starts the object", async () => {
    await log.append(createReports(1));
    await projectStore.listNewestIssues();
    await runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
      storage.setAlarm(readNowMs() + 500),
    );
    await evictDurableObject(getShard());
    // Looks at KV alone: a call would start the object before the alarm.
    await eventually(async () => expect(await listChunkKeys()).toHaveLength(1));
    await eventually(async () => expect((await getShard().getHealth()).rows).toBe(0));
    const alarmMs = await runInDurableObject(getShard(), (_: ReportLog, { storage }) =>
      storage.getAlarm(),
    );
    expect(alarmMs).toBeNull();
  });

  it("replaces the log's rows once the index has applied them", async () => {
    await log.append(createReports(10));
    await uploadChunk();
    const rows = await runInDurableObject(getShard(), (_: ReportLog, state) =>
      state.storage.sql.exec("SELECT count(*) AS n FROM log_row").one(),
    );
    expect(rows).toEqual({ n: 0 });
  });

  it("finds an uploaded report by its id, also after a restart", async () => {
    await log.append(createReports(3));
    await uploadChunk();
    await abortAllDurableObjects();
    expect((await projectStore.locateReport(toReportId(2)))?.digest).toBe("7F3K-Q2M9");
    expect(await projectStore.locateReport(toReportId(999))).toBeNull();
  });
});

describe("an import", () => {
  it("is stored in rows of at most 20 lines, between which the index responds", async () => {
    const lines = createReports(45).map((report) => ({
      line: JSON.stringify(report),
      ids: [report.id],
    }));
    expect(await getShard().importLines(lines)).toBe(45);
    const rows = await runInDurableObject(getShard(), (_: ReportLog, { storage }) => [
      ...storage.sql.exec("SELECT first_line, line_count FROM log_row ORDER BY seq").raw(),
    ]);
    expect(rows).toEqual([
      [0, 20],
      [20, 20],
      [40, 5],
    ]);
    await expectFound(lines.flatMap(({ ids }) => ids));
    expect(await projectStore.listNewestIssues()).toMatchObject({ issues: [{ count: 45 }] });
  });

  it("of lines with thousands of ids reads the ids of uploaded chunks once", async () => {
    const toIds = (first: number) => Array.from({ length: 2_000 }, (_, n) => toReportId(first + n));
    const toLine = (ids: readonly string[]) => ({ line: '{"daily":1,"counters":[]}', ids });
    const [first, second] = [toLine(toIds(10_000)), toLine(toIds(20_000))];
    expect(await getShard().importLines([first])).toBe(1);
    await uploadChunk();
    await evictDurableObject(getShard());
    const recorder = await recordStatements();
    expect(await getShard().importLines([second])).toBe(1);
    const statements = recorder.take();
    vi.restoreAllMocks();
    expect(statements.length).toBeLessThan(50);
    const overlap = toLine([...toIds(30_000).slice(0, 100), toReportId(11_999)]);
    expect(await getShard().importLines([first, second, overlap])).toBe(0);
  });
});
