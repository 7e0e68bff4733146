import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { JobTable } from "#src/store/index/jobs/job-table.ts";
import { ProjectJobs } from "#src/store/index/jobs/project-jobs.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { connectProject } from "#src/store/objects.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createBrowserError } from "#support/store/many-issues.ts";
import { recordStatements, type StatementRecorder } from "#support/store/recorded-statements.ts";
import {
  admin,
  bindings,
  finishJobs,
  getIndex,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

const ISSUES = 300;
/** A word of each message. */
const TEXT = "properties";
/** A new issue writes some 14 rows. */
const MAX_ROWS_PER_TURN = 500;
/** Deleting a search text or the values of an issue writes two, in their order. */
const MAX_ROWS_PER_WIPE = 2_000;
/** Two for each of 200 texts, which takes as long as 1,000 values. */
const MAX_SEARCH_ROWS = 400;
/** The statement that deletes search texts, next to the phases. */
const SEARCH_TEXTS = "search texts";

let recorder: StatementRecorder;

beforeEach(async () => {
  recorder = await recordStatements();
});

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

/** The most rows that one turn of the next jobs writes, by phase. */
async function recordTurns(run: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const most = new Map<string, number>();
  const { saveState } = JobTable.prototype;
  const wait = scheduler.wait.bind(scheduler);
  let phase = "begin";
  const raise = (name: string, rows: number) => most.set(name, Math.max(rows, most.get(name) ?? 0));
  const endTurn = () => {
    const statements = recorder.take();
    raise(
      phase,
      statements.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    );
    for (const { sql, rowsWritten } of statements)
      if (sql.startsWith("DELETE FROM issue_search")) raise(SEARCH_TEXTS, rowsWritten);
  };
  vi.spyOn(scheduler, "wait").mockImplementation((...args) => {
    endTurn();
    return wait(...args);
  });
  vi.spyOn(JobTable.prototype, "saveState").mockImplementation(function (
    this: JobTable,
    ...args: Parameters<JobTable["saveState"]>
  ) {
    endTurn();
    phase = args[1].phase;
    saveState.apply(this, args);
  });
  await run();
  return most;
}

it("a turn of a rebuild writes few rows, however many issues and reports there are", async () => {
  await log.append(Array.from({ length: ISSUES }, (_, n) => createBrowserError(n)));
  await projectStore.listNewestIssues();
  await uploadChunk();
  await writeSnapshots();
  // Reports that no snapshot counts.
  await log.append(Array.from({ length: ISSUES }, (_, n) => createBrowserError(ISSUES + n)));
  await projectStore.listNewestIssues();
  await uploadChunk();
  recorder.take();
  const most = await recordTurns(async () => {
    await admin.rebuildIndex();
    await finishJobs();
  });
  expect((await projectStore.listNewestIssues()).total).toBe(2 * ISSUES);
  const maxRows = (phase: string) =>
    phase === "begin" || phase === "wipe" ? MAX_ROWS_PER_WIPE : MAX_ROWS_PER_TURN;
  expect([...most].filter(([phase, rows]) => rows > maxRows(phase))).toEqual([]);
  expect(most.get(SEARCH_TEXTS)).toBeGreaterThan(0);
  expect(most.get(SEARCH_TEXTS)).toBeLessThanOrEqual(MAX_SEARCH_ROWS);
  expect([...most.keys()]).toEqual(expect.arrayContaining(["issues", "chunks", "titles"]));
});

it("a turn of an erasure writes few rows, however many issues have the text", async () => {
  const count = ISSUES + 1;
  await log.append(Array.from({ length: count }, (_, n) => createBrowserError(n)));
  await projectStore.listNewestIssues();
  await uploadChunk();
  recorder.take();
  const id = "0123456789abcdef0123456789abcdef";
  const most = await recordTurns(async () => {
    await admin.previewErasure(id, TEXT);
    await finishJobs();
    await admin.eraseMatching(TEXT, id);
    await finishJobs();
  });
  expect(await admin.getErasure(id)).toMatchObject({
    found: { reports: count, issues: count },
    erasedReports: count,
  });
  const titles = (await projectStore.listNewestIssues()).issues.map(({ message }) => message);
  expect(titles.filter((title) => title.includes(TEXT))).toEqual([]);
  expect([...most].filter(([, rows]) => rows > MAX_ROWS_PER_TURN)).toEqual([]);
  expect([...most.keys()]).toEqual(expect.arrayContaining(["chunks", "issues", "result"]));
});

/** The jobs of an empty project in the storage of the index, at `now.ms`. */
function createJobs(
  storage: DurableObjectStorage,
  now: { ms: number },
  {
    setAlarm,
    waitForSnapshots = async () => undefined,
    onIdle = async () => undefined,
  }: {
    readonly setAlarm: (atMs: number) => void;
    readonly waitForSnapshots?: () => Promise<void>;
    readonly onIdle?: () => Promise<void>;
  },
): ProjectJobs {
  return new ProjectJobs({
    ...{ project: "2", storage, tables: new IndexTables(storage), kv: () => bindings.KV },
    alarm: { setBy: async (atMs) => setAlarm(atMs) },
    objects: connectProject(() => bindings, { project: "2" }),
    listShards: () => [],
    startId: "first",
    nowMs: () => now.ms,
    onDirty: () => undefined,
    onNewestUpload: () => undefined,
    ...{ waitForSnapshots, onIdle },
  });
}

it("a step that fails is repeated after 2 s, and then later and later", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await projectStore.listNewestIssues();
  const delays = await runInDurableObject(getIndex(), async (_: ProjectIndex, { storage }) => {
    const now = { ms: NOW_MS };
    let alarmMs = 0;
    let isFailing = true;
    const jobs = createJobs(storage, now, {
      setAlarm: (atMs) => {
        alarmMs = atMs;
      },
      waitForSnapshots: async () => {
        if (isFailing) throw new Error("KV fails");
      },
    });
    jobs.enqueue({ kind: "rebuild" });
    const repeatedAfter: number[] = [];
    for (let round = 0; round < 9; round++) {
      await jobs.run(alarmMs);
      repeatedAfter.push((alarmMs - now.ms) / 1000);
      const retryMs = alarmMs;
      now.ms += 1;
      // The alarm fires earlier for another part of the object.
      if (round > 0) await jobs.run();
      expect(alarmMs).toBe(retryMs);
      now.ms = alarmMs;
    }
    isFailing = false;
    await jobs.run();
    expect(jobs.hasJobs).toBe(false);
    return repeatedAfter;
  });
  expect(delays).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300]);
});

it("a job that is enqueued while the run before it ends is run by the alarm", async () => {
  await projectStore.listNewestIssues();
  const alarms = await runInDurableObject(getIndex(), async (_: ProjectIndex, { storage }) => {
    const setTimes: number[] = [];
    const now = { ms: NOW_MS };
    const jobs = createJobs(storage, now, {
      setAlarm: (atMs) => setTimes.push(atMs),
      // The first job took so long that the alarm of its start has fired.
      onIdle: async () => {
        now.ms += 10_000;
        if (setTimes.length > 1) return;
        jobs.enqueue({ kind: "preview-erasure", id: "0".repeat(32), text: TEXT });
        void jobs.run();
      },
    });
    jobs.enqueue({ kind: "rebuild" });
    await jobs.run();
    expect(jobs.hasJobs).toBe(true);
    const afterFirst = [...setTimes];
    await jobs.run();
    expect(jobs.hasJobs).toBe(false);
    return afterFirst;
  });
  expect(alarms).toEqual([NOW_MS + 2_000, NOW_MS + 10_000]);
});
