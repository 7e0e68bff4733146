import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { applyLogOnce } from "#src/store/index/apply/apply-log-once.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { createChunkMetadata, encodeChunk } from "#src/store/kv/chunk.ts";
import { parsePosition, toChunkKey, toInitialChunk } from "#src/store/kv/keys.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createRefusingKv } from "#support/store/faulty-kv.ts";
import {
  bindings,
  finishJobs,
  getIndex,
  getShard,
  listChunkKeys,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGESTS = ["7F3K-Q2M9", "0000-0000", "0000-1001"] as const;

/** The state of the project, without the time of reading. */
async function readState() {
  const issues = await Promise.all(DIGESTS.map((digest) => projectStore.getFreshIssue(digest)));
  const counters = await projectStore.listCounters(7);
  const { total } = await projectStore.listNewestIssues();
  return {
    total,
    issues: issues.map((issue) => issue && withoutTime(issue)),
    counters: counters.map((counter) => JSON.stringify(counter)).sort(),
  };
}

function withoutTime({ asOfMs: _asOfMs, watermarks: _watermarks, ...issue }: Issue) {
  return issue;
}

/** Reports of three issues: a storm, one with a linked browser report, one with a decision. */
async function addReports() {
  const storm = Array.from({ length: 60 }, (_, n) => createReport(n + 1));
  await log.append(storm, [[["counted", "session"], 3]]);
  await log.append([
    createReport(100, { digest: "0000-0000", aliases: ["2338823894"], side: "server" }),
  ]);
  await log.append([
    createReport(101, { digest: "0000-2002", aliases: ["2338823894"], side: "browser" }),
    createReport(102, { digest: "0000-1001", release: "1.4.0" }),
  ]);
  await projectStore.decide("0000-1001", { state: "resolved", release: "1.4.0" });
  await log.append([
    createReport(103, {
      digest: "0000-1001",
      release: "1.5.0",
      occurredAtMs: readNowMs() + 60_000,
    }),
  ]);
  await projectStore.decide("7F3K-Q2M9", { state: "archived" });
}

/** Uploads chunks until the log holds no rows, and waits for the snapshots. */
async function uploadAll() {
  for (let round = 0; round < 10 && (await getShard().getHealth()).rows > 0; round++)
    await uploadChunk();
  expect((await getShard().getHealth()).rows).toBe(0);
  await getIndex().waitUntilIdle();
}

const loseStorage = {
  index: () =>
    runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => storage.deleteAll()),
  log: () => runInDurableObject(getShard(), (_: ReportLog, { storage }) => storage.deleteAll()),
};

describe("a rebuild from KV restores", () => {
  it.each([
    ["the index", ["index"]],
    ["the log", ["log"]],
    ["both objects", ["index", "log"]],
  ] as const)(
    "the same issues, counters and positions when %s lost the storage",
    async (_, lost) => {
      await addReports();
      await uploadAll();
      const before = await readState();
      expect(before.issues.map((issue) => [issue?.state, issue?.count])).toEqual([
        ["archived", 60],
        ["open", 1],
        ["open", 2],
      ]);
      expect(before.issues[2]?.decision).toMatchObject({
        regressedInRelease: "1.5.0",
        resolvedInRelease: "1.4.0",
      });
      for (const it of lost) await loseStorage[it]();
      await abortAllDurableObjects();
      // A log that lost its storage reports that to the index on the first request to it.
      for (let turn = 0; turn < 20 && (await getShard().locate(toReportId(1))) === null; turn++) {
        await finishJobs();
      }
      expect(await getShard().locate(toReportId(1))).not.toBeNull();
      await finishJobs();
      expect(await readState()).toEqual(before);
      // A stored body, a sampled report of the storm, and a linked report.
      for (const n of [1, 55, 101]) {
        expect(await projectStore.locateReport(toReportId(n)), `${n}`).not.toBeNull();
      }
      expect(
        (await log.append([createReport(1), createReport(55)])).map(
          ({ isDuplicate }) => isDuplicate,
        ),
      ).toEqual([true, true]);
      const [next] = await log.append([createReport(500)]);
      expect(await projectStore.readReport({ position: next?.position ?? "" })).toMatchObject({
        id: toReportId(500),
      });
      expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.count).toBe(61);
    },
  );

  it("reports that only the log has, and reports that arrive during the rebuild", async () => {
    await addReports();
    await uploadChunk();
    await log.append([createReport(200), createReport(201, { digest: "0000-0000" })]);
    const before = await readState();
    await loseStorage.index();
    await abortAllDurableObjects();
    const [, results] = await Promise.all([
      readState().catch(() => undefined),
      log.append([createReport(202)]),
    ]);
    expect(results[0]?.isDuplicate).toBe(false);
    await finishJobs();
    const after = await readState();
    expect(after.issues[0]?.count).toBe((before.issues[0]?.count ?? 0) + 1);
    expect(after.issues.slice(1)).toEqual(before.issues.slice(1));
  });

  it("the same counts for several shards, and when it is repeated", async () => {
    const options = { project: "1", shards: 3, nowMs: () => NOW_MS };
    const [writer, store] = [
      createReportWriter(bindings, options),
      createProjectStore(bindings, options),
    ];
    const reports = Array.from({ length: 90 }, (_, n) =>
      createReport(n, { digest: `0000-10${n % 7}0` }),
    );
    await writer.append(reports);
    const shards = [0, 1, 2].map((n) => () => bindings.REPORT_LOG.getByName(`1/${n}`));
    const counts = async () => {
      const { issues } = await store.listNewestIssues();
      return issues.map(({ digest, count }) => `${digest} ${count}`).sort();
    };
    const before = await counts();
    for (const it of shards) await runDurableObjectAlarm(it());
    await getIndex().waitUntilIdle();
    for (let round = 0; round < 3; round++) {
      await getIndex().enqueueJob({ kind: "rebuild" });
      await finishJobs();
      expect(await counts()).toEqual(before);
    }
    expect(before.length).toBe(7);
  });

  it("more chunks than one invocation may read, in several runs and across a restart", async () => {
    const chunks = 450;
    for (let n = 1; n <= chunks; n++) {
      const lines = [JSON.stringify(createReport(n))];
      const key = toChunkKey("1", { hour: "2026112117", shard: "0", chunk: n });
      await bindings.KV.put(key, await encodeChunk(lines), {
        metadata: createChunkMetadata(lines),
      });
    }
    await expect(projectStore.listNewestIssues()).rejects.toThrow("rebuild in progress");
    expect((await getIndex().getHealth()).work).toMatchObject({
      job: "rebuild",
      phase: "chunks",
      total: chunks,
    });
    await abortAllDurableObjects();
    for (let step = 0; (await getIndex().getHealth()).work !== undefined && step < 5; step++) {
      await runDurableObjectAlarm(getIndex());
    }
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: chunks });
    expect(await projectStore.locateReport(toReportId(chunks))).toMatchObject({
      digest: "7F3K-Q2M9",
    });
  });

  it("chunks that are numbered ahead of the clock of a log that lost its storage", async () => {
    const aheadChunk = toInitialChunk(readNowMs()) + 36_000;
    const lines = [JSON.stringify(createReport(1)), JSON.stringify(createReport(2))];
    const key = toChunkKey("1", { hour: "2026112117", shard: "0", chunk: aheadChunk });
    await bindings.KV.put(key, await encodeChunk(lines), { metadata: createChunkMetadata(lines) });
    await projectStore.listNewestIssues().catch(() => undefined);
    await finishJobs();
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    expect(await projectStore.locateReport(toReportId(2))).toMatchObject({ digest: "7F3K-Q2M9" });
    const [next] = await log.append([createReport(3)]);
    expect(parsePosition(next?.position ?? "")?.chunk).toBeGreaterThan(aheadChunk);
  });

  it("the counts of expired reports from the snapshots of their issues", async () => {
    await log.append([createReport(1), createReport(2)]);
    await uploadAll();
    for (const key of await listChunkKeys()) await bindings.KV.delete(key);
    await loseStorage.log();
    await loseStorage.index();
    await abortAllDurableObjects();
    await finishJobs();
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    await log.append([createReport(3)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
  });
});

it("an empty index counts nothing until KV answers whether it has data", async () => {
  await log.append([createReport(1), createReport(2)]);
  await uploadAll();
  await loseStorage.index();
  await abortAllDurableObjects();
  await runInDurableObject(getIndex(), (instance: ProjectIndex) => {
    const KV = createRefusingKv(bindings.KV, "list");
    Object.assign(instance, { env: { ...bindings, KV } });
    return runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      storage.sql.exec("DELETE FROM initialized");
      storage.sql.exec("DELETE FROM job");
    });
  });
  await log.append([createReport(3)]);
  const getIssue = async () => getIndex().getIssue("7F3K-Q2M9");
  await expect(getIssue()).rejects.toThrow("cannot read the project's keys");
  await abortAllDurableObjects();
  await finishJobs();
  expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
});

it("rows sent before a replay are rejected until the earlier rows are applied", async () => {
  await log.append([createReport(1), createReport(2)]);
  const error = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    const summary = summarizeReport(createReport(9), "2026112117/0.00000009:0");
    tables.shardProgress.setApplied("0", 100, 0);
    try {
      applyLogOnce(tables, "0", [{ seq: 105, summary }], readNowMs(), { isGapless: true });
    } catch (error) {
      return String(error);
    }
  });
  expect(error).toContain("not applied yet");
});

it("a new project does not start a rebuild", async () => {
  await log.append([createReport(1)]);
  const { work } = await projectStore.getHealth();
  expect(work).toBeUndefined();
  expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1 });
});
