import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Issue } from "../../../src/core/issue/issue.ts";
import { summarizeReport } from "../../../src/core/report/report-summary.ts";
import { createProjectStore } from "../../../src/store/client/project-store.ts";
import { createReportWriter } from "../../../src/store/client/report-writer.ts";
import type { ProjectIndex } from "../../../src/store/index/project-index.ts";
import { ProjectState } from "../../../src/store/index/state/project-state.ts";
import { createChunkMetadata, encodeChunk } from "../../../src/store/kv/chunk.ts";
import { chunkKey, parsePosition, toInitialChunk } from "../../../src/store/kv/keys.ts";
import type { ReportLog } from "../../../src/store/log/report-log.ts";
import { refusingKv } from "../../support/faulty-kv.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import {
  bindings,
  chunkKeys,
  desk,
  index,
  log,
  NOW_MS,
  sealNow,
  shard,
} from "../../support/store.ts";

afterEach(() => fresh());

const DIGESTS = ["7F3K-Q2M9", "0000-0000", "0000-1001"] as const;

/** What is true of the project, but for when it was looked at. */
async function truth() {
  const issues = await Promise.all(DIGESTS.map((digest) => desk.getFreshIssue(digest)));
  const tallies = await desk.listCounters(7);
  const { total } = await desk.listNewestIssues();
  return {
    total,
    issues: issues.map((issue) => issue && withoutMoment(issue)),
    tallies: tallies.map((tally) => JSON.stringify(tally)).sort(),
  };
}

function withoutMoment({ asOfMs: _asOf, watermarks: _upTo, ...issue }: Issue) {
  return issue;
}

/** Reports of three issues: a storm, one that browsers are led to, one with a decision. */
async function fill() {
  const storm = Array.from({ length: 60 }, (_, n) => aReport(n + 1));
  await log.append(storm, [[["counted", "session"], 3]]);
  await log.append([
    aReport(100, { digest: "0000-0000", aliases: ["2338823894"], side: "server" }),
  ]);
  await log.append([
    aReport(101, { digest: "0000-2002", aliases: ["2338823894"], side: "browser" }),
    aReport(102, { digest: "0000-1001", release: "1.4.0" }),
  ]);
  await desk.decide("0000-1001", { state: "resolved", release: "1.4.0" });
  await log.append([
    aReport(103, { digest: "0000-1001", release: "1.5.0", occurredAtMs: Date.now() + 60_000 }),
  ]);
  await desk.decide("7F3K-Q2M9", { state: "muted" });
}

/** Copies until the log holds nothing: what came in the midst of a copy is copied with the next one. */
async function copyAll() {
  for (let round = 0; round < 10 && (await shard().getHealth()).rows > 0; round++) await sealNow();
  expect((await shard().getHealth()).rows).toBe(0);
  await index().waitForSnapshots();
}

/** Resolves when everything is made anew: on a busy machine that takes longer than a reader waits. */
async function madeAnew() {
  for (let step = 0; step < 20; step++) {
    if ((await index().getHealth()).work === undefined) return;
    await runDurableObjectAlarm(index());
    await desk.listNewestIssues().catch(() => undefined);
  }
}

const lose = {
  index: () => runInDurableObject(index(), (_: ProjectIndex, { storage }) => storage.deleteAll()),
  log: () => runInDurableObject(shard(), (_: ReportLog, { storage }) => storage.deleteAll()),
};

describe("from KV alone, everything comes back equal", () => {
  it.each([
    ["the index is lost", ["index"]],
    ["the log is lost", ["log"]],
    ["both are lost", ["index", "log"]],
  ] as const)("when %s", async (_, lost) => {
    await fill();
    await copyAll();
    const before = await truth();
    expect(before.issues.map((issue) => [issue?.state, issue?.count])).toEqual([
      ["muted", 60],
      ["open", 1],
      ["open", 2],
    ]);
    expect(before.issues[2]?.decision).toMatchObject({ regressedIn: "1.5.0", resolvedIn: "1.4.0" });
    for (const it of lost) await lose[it]();
    await abortAllDurableObjects();
    // A log that has lost its storage tells the index as soon as anybody asks it for something.
    for (let turn = 0; turn < 20 && (await shard().locate(reportId(1))) === null; turn++) {
      await madeAnew();
    }
    expect(await shard().locate(reportId(1))).not.toBeNull();
    await madeAnew();
    expect(await truth()).toEqual(before);
    // A kept body, one of the storm that was only counted, and one that was linked.
    for (const n of [1, 55, 101]) {
      expect(await desk.locateReport(reportId(n)), `${n}`).not.toBeNull();
    }
    expect(
      (await log.append([aReport(1), aReport(55)])).map(({ isDuplicate }) => isDuplicate),
    ).toEqual([true, true]);
    const [next] = await log.append([aReport(500)]);
    expect(await desk.readReport({ position: next?.position ?? "" })).toMatchObject({
      id: reportId(500),
    });
    expect((await desk.getFreshIssue("7F3K-Q2M9"))?.count).toBe(61);
  });

  it("what the log still holds too, and what comes meanwhile", async () => {
    await fill();
    await sealNow();
    await log.append([aReport(200), aReport(201, { digest: "0000-0000" })]);
    const before = await truth();
    await lose.index();
    await abortAllDurableObjects();
    const [, answers] = await Promise.all([
      truth().catch(() => undefined),
      log.append([aReport(202)]),
    ]);
    expect(answers[0]?.isDuplicate).toBe(false);
    await madeAnew();
    const after = await truth();
    expect(after.issues[0]?.count).toBe((before.issues[0]?.count ?? 0) + 1);
    expect(after.issues.slice(1)).toEqual(before.issues.slice(1));
  });

  it("over several shards, and again and again", async () => {
    const settings = { project: "1", shards: 3, nowMs: () => NOW_MS };
    const [spread, desk3] = [
      createReportWriter(bindings, settings),
      createProjectStore(bindings, settings),
    ];
    const reports = Array.from({ length: 90 }, (_, n) =>
      aReport(n, { digest: `0000-10${n % 7}0` }),
    );
    await spread.append(reports);
    const shards = [0, 1, 2].map((n) => () => bindings.REPORT_LOG.getByName(`1/${n}`));
    const counts = async () => {
      const { issues } = await desk3.listNewestIssues();
      return issues.map(({ digest, count }) => `${digest} ${count}`).sort();
    };
    const before = await counts();
    for (const it of shards) await runDurableObjectAlarm(it());
    await index().waitForSnapshots();
    for (let round = 0; round < 3; round++) {
      await index().enqueueJob({ kind: "rebuild" });
      await madeAnew();
      expect(await counts()).toEqual(before);
    }
    expect(before.length).toBe(7);
  });

  it("of more chunks than one invocation may read, step by step and over a restart", async () => {
    const chunks = 450;
    for (let n = 1; n <= chunks; n++) {
      const lines = [JSON.stringify(aReport(n))];
      const key = chunkKey("1", { hour: "2026112117", shard: "0", chunk: n });
      await bindings.KV.put(key, await encodeChunk(lines), {
        metadata: createChunkMetadata(lines),
      });
    }
    await expect(desk.listNewestIssues()).rejects.toThrow("made anew");
    expect((await index().getHealth()).work).toMatchObject({
      task: "rebuild",
      stops: chunks - 400,
    });
    await abortAllDurableObjects();
    for (let step = 0; (await index().getHealth()).work !== undefined && step < 5; step++) {
      await runDurableObjectAlarm(index());
    }
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: chunks });
    expect(await desk.locateReport(reportId(chunks))).toMatchObject({ digest: "7F3K-Q2M9" });
  });

  it("of chunks that are numbered ahead of the clock by which a log begins that has lost its storage", async () => {
    const ahead = toInitialChunk(Date.now()) + 36_000;
    const lines = [JSON.stringify(aReport(1)), JSON.stringify(aReport(2))];
    const key = chunkKey("1", { hour: "2026112117", shard: "0", chunk: ahead });
    await bindings.KV.put(key, await encodeChunk(lines), { metadata: createChunkMetadata(lines) });
    await desk.listNewestIssues().catch(() => undefined);
    await madeAnew();
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    expect(await desk.locateReport(reportId(2))).toMatchObject({ digest: "7F3K-Q2M9" });
    const [next] = await log.append([aReport(3)]);
    expect(parsePosition(next?.position ?? "")?.chunk).toBeGreaterThan(ahead);
  });

  it("counts of reports that KV has let expire, from the snapshots of their issues", async () => {
    await log.append([aReport(1), aReport(2)]);
    await copyAll();
    for (const key of await chunkKeys()) await bindings.KV.delete(key);
    await lose.log();
    await lose.index();
    await abortAllDurableObjects();
    await madeAnew();
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    await log.append([aReport(3)]);
    expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
  });
});

it("an index that cannot ask KV for its record counts nothing until it can", async () => {
  await log.append([aReport(1), aReport(2)]);
  await copyAll();
  await lose.index();
  await abortAllDurableObjects();
  await runInDurableObject(index(), (instance: ProjectIndex) => {
    const KV = refusingKv(bindings.KV, "list");
    Object.assign(instance, { env: { ...bindings, KV } });
    return runInDurableObject(index(), (_: ProjectIndex, { storage }) => {
      storage.sql.exec("DELETE FROM begun");
      storage.sql.exec("DELETE FROM task");
    });
  });
  await log.append([aReport(3)]);
  const asked = async () => index().getIssue("7F3K-Q2M9");
  await expect(asked()).rejects.toThrow("does not say");
  await abortAllDurableObjects();
  await madeAnew();
  expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 3 });
});

it("a delta that was sent before everything was handed over once more is not counted before it", async () => {
  await log.append([aReport(1), aReport(2)]);
  const late = await runInDurableObject(index(), (_: ProjectIndex, { storage }) => {
    const ledger = new ProjectState(storage);
    const mark = { ...summarizeReport(aReport(9), "2026112117/0.00000009:0") };
    ledger.issues.setApplied("0", 100, 0);
    try {
      ledger.logApplier.applyNewRows("0", [{ seq: 105, summary: mark }], Date.now(), true);
    } catch (error) {
      return String(error);
    }
  });
  expect(late).toContain("not counted yet");
});

it("a project that begins makes nothing anew, and one whose KV does not answer takes reports", async () => {
  await log.append([aReport(1)]);
  const { work } = await desk.getHealth();
  expect(work).toBeUndefined();
  expect(await desk.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1 });
});
