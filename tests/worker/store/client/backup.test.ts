import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExportOptions } from "#src/core/ports/storage-ports.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import {
  type BackupState,
  continueBackup,
  findNextPart,
  readBackup,
} from "#src/store/client/backup.ts";
import worker from "#src/worker.ts";
import { readNowMs, START_MS } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import {
  admin,
  bindings,
  log,
  openTestStorage,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";
import {
  emptyBothProjects,
  fillProject,
  otherStore,
  readContents,
  readExport,
  sendImport,
  splitLines,
} from "#support/store/two-projects.ts";

const { TEST_BUCKET: bucket } = env as unknown as { readonly TEST_BUCKET: R2Bucket };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY = toUtcDay(START_MS);
const NEXT_DAY = toUtcDay(START_MS + DAY_MS);
const KEY = `errata/1/${DAY}.ndjson`;
/** Six minutes after the end of the first day. */
const NEXT_MORNING_MS = Date.parse(NEXT_DAY) + 6 * MINUTE_MS;

afterEach(async () => {
  vi.restoreAllMocks();
  await emptyBothProjects();
});

/** Runs the cron job of a Worker with the bucket, at a time. */
async function runCron(atMs: number, backup = bucket): Promise<void> {
  vi.spyOn(Date, "now").mockReturnValue(atMs);
  // The isolate remembers the registry of these bindings.
  await worker.scheduled(createScheduledController(), { ...bindings, BACKUP: backup });
  vi.restoreAllMocks();
}

interface Run {
  readonly atMs?: number;
  readonly into?: R2Bucket;
  readonly ids?: readonly string[];
  readonly readExport?: (project: string, options: ExportOptions) => AsyncIterable<Uint8Array>;
}

/** One run of the backup. By default, each part of an export has one chunk. */
async function run({
  atMs = NEXT_MORNING_MS,
  into = bucket,
  ids = ["1"],
  readExport: read = (project, options) =>
    openTestStorage(project).projectAdmin.readExport({
      ...options,
      limits: { calls: 1, chunksPerCall: 1, bytes: 1 },
    }),
}: Run = {}): Promise<readonly string[]> {
  const problems: string[] = [];
  await continueBackup(into, {
    projects: ids.map((id) => ({ id, createdMs: START_MS })),
    nowMs: atMs,
    retentionDays: 30,
    readExport: async (project, options) => read(project, options),
    logProblem: (cause) => problems.push(String(cause)),
  });
  return problems;
}

/** The bucket, of which writes to the keys that match fail. */
function failPuts(pattern: RegExp): R2Bucket {
  const put = (key: string, ...rest: unknown[]) =>
    pattern.test(key)
      ? Promise.reject(new Error("R2 is down"))
      : (bucket.put as (...args: unknown[]) => Promise<R2Object>).call(bucket, key, ...rest);
  return { get: bucket.get.bind(bucket), put } as unknown as R2Bucket;
}

/** The keys of the exports in the bucket. */
async function listDays(): Promise<readonly string[]> {
  const { objects } = await bucket.list({ prefix: "errata/" });
  return objects.map(({ key }) => key).filter((key) => key.includes(".ndjson"));
}

async function readObject(key: string): Promise<string> {
  const object = await bucket.get(key);
  return object === null ? expect.fail(`no object ${key}`) : object.text();
}

const withoutTime = (text: string) => text.replace(/"exportedAt":"[^"]*"/, "");

describe("the next part of a backup", () => {
  const nowMs = Date.UTC(2026, 10, 21, 12);
  const project = (id: string, created: string) => ({ id, createdMs: Date.parse(created) });
  const one = [project("1", "2026-11-18T22:00:00Z")];
  const two = [...one, project("2", "2026-11-19")];
  const cases: readonly [string, Partial<Parameters<typeof findNextPart>[1]>, object, object?][] = [
    ["the day on which the project was created", {}, {}, { project: "1", day: "2026-11-18" }],
    ["the day that the state names", {}, { 1: { nextDay: "2026-11-20" } }, { day: "2026-11-20" }],
    ["none, before the day has ended", {}, { 1: { nextDay: "2026-11-21" } }],
    [
      "none in the first minutes after a day",
      { nowMs: Date.parse("2026-11-22T00:04:00Z") },
      { 1: { nextDay: "2026-11-21" } },
    ],
    [
      "a day that ended some minutes ago",
      { nowMs: Date.parse("2026-11-22T00:05:00Z") },
      { 1: { nextDay: "2026-11-21" } },
      { day: "2026-11-21" },
    ],
    ["the oldest day within the retention", { retentionDays: 1 }, {}, { day: "2026-11-20" }],
    [
      "a day that is partly written, also if it is older than that",
      { retentionDays: 1 },
      { 1: { nextDay: "2026-11-19", parts: 2, cursor: "0.2.end" } },
      { day: "2026-11-19", entry: { parts: 2, cursor: "0.2.end" } },
    ],
    ["the oldest day of all projects", { projects: two }, {}, { project: "1", day: "2026-11-18" }],
    [
      "a later day, before those of a project that failed",
      { projects: two },
      { 1: { nextDay: "2026-11-18", failedMs: nowMs } },
      { project: "2", day: "2026-11-19" },
    ],
    [
      "that of the project that failed longest ago, if all others are complete",
      { projects: two },
      { 1: { failedMs: nowMs }, 2: { failedMs: nowMs - 1 } },
      { project: "2" },
    ],
    ["none without projects", { projects: [] }, { 1: { nextDay: "2026-11-18" } }],
  ];
  it.each(cases)("is %s", (_, range, projects, expected) => {
    const state = { v: 1, projects } as BackupState;
    const next = findNextPart(state, { projects: one, nowMs, retentionDays: 30, ...range });
    if (expected === undefined) expect(next).toBeUndefined();
    else expect(next).toMatchObject(expected);
  });
});

describe("the cron job", () => {
  /** The registry is created, and no day has ended. */
  beforeEach(() => runCron(START_MS));

  it("writes each day that has ended as the export of the day, and no other", async () => {
    await fillProject();
    await runCron(START_MS + 5 * MINUTE_MS);
    expect(await listDays()).toEqual([]);
    await runCron(NEXT_MORNING_MS);
    await runCron(NEXT_MORNING_MS + 5 * MINUTE_MS);
    expect(await listDays()).toEqual([KEY]);
    const expected = await readExport(`/export?day=${DAY}`);
    expect(splitLines(expected).length).toBeGreaterThan(20);
    expect(withoutTime(await readObject(KEY))).toBe(withoutTime(expected));
    await runCron(NEXT_MORNING_MS + DAY_MS);
    expect(await listDays()).toEqual([KEY, `errata/1/${NEXT_DAY}.ndjson`]);
    expect(await readBackup(bucket, "1")).toEqual({ nextDay: toUtcDay(START_MS + 2 * DAY_MS) });
  });

  it("writes what an import makes an equal project of", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    await runCron(NEXT_MORNING_MS);
    expect(await sendImport(await readObject(KEY))).toMatchObject({
      status: 200,
      duplicateCount: 0,
      isComplete: true,
    });
    expect(await readContents(otherStore)).toEqual(before);
  });

  it("writes days that can be restored in order, with the triage of the last one", async () => {
    await log.append([createReport(1)]);
    await projectStore.decide("7F3K-Q2M9", { state: "resolved" });
    await runCron(NEXT_MORNING_MS);
    vi.spyOn(Date, "now").mockReturnValue(NEXT_MORNING_MS + MINUTE_MS);
    await log.append([createReport(2)]);
    await projectStore.decide("7F3K-Q2M9", { state: "archived" });
    await runCron(NEXT_MORNING_MS + DAY_MS);
    const [first = "", last = ""] = await Promise.all((await listDays()).map(readObject));
    const isTriage = /^\{"(decision|annotations|view)":1/;
    const reports = splitLines(first).filter((line) => !isTriage.test(line));
    await sendImport(reports.join("\n"));
    await sendImport(last);
    const restored = await otherStore.getFreshIssue("7F3K-Q2M9");
    expect([restored?.count, restored?.state]).toEqual([2, "archived"]);
  });

  it("writes a day without reports with all triage", async () => {
    await projectStore.saveView("Mine", { query: "assigned:ada", sort: "count" });
    await runCron(NEXT_MORNING_MS);
    const lines = splitLines(await readObject(KEY)).map((line) => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({ errata: 1, project: "1", day: DAY, source: expect.any(String) }),
      expect.objectContaining({ view: 1, name: "Mine" }),
      { end: 1, lines: 1 },
    ]);
  });

  it("does not miss a report that arrives after the export of the day before", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse(NEXT_DAY) - MINUTE_MS);
    await log.append([createReport(1)]);
    // The chunk of the report is not uploaded: it may take lines until the write budget allows it.
    await runCron(NEXT_MORNING_MS);
    vi.spyOn(Date, "now").mockReturnValue(NEXT_MORNING_MS + MINUTE_MS);
    await log.append([createReport(2)]);
    await runCron(NEXT_MORNING_MS + DAY_MS);
    const perDay = await Promise.all((await listDays()).map(readObject));
    expect(perDay).toHaveLength(2);
    for (const n of [0, 1]) {
      expect(perDay[n]).toContain(JSON.stringify(createReport(n + 1)));
      expect(perDay[n]).not.toContain(JSON.stringify(createReport(2 - n)));
    }
  });

  it("leaves deleted projects out", async () => {
    const registry = createRegistryClient(
      { ...bindings },
      { nowMs: readNowMs, waitUntil: () => undefined },
    );
    for (const name of ["Shop", "Blog"])
      await registry.applyChange({ kind: "local" }, { do: "create-project", name });
    const deletion = { do: "delete-project", project: "2", confirmation: "Shop" } as const;
    await registry.applyChange({ kind: "local" }, deletion);
    for (const n of [0, 1, 2]) await runCron(NEXT_MORNING_MS + n * 5 * MINUTE_MS);
    expect(await listDays()).toEqual([KEY, `errata/3/${DAY}.ndjson`]);
  });
});

describe("a day that one run cannot export", () => {
  /** A project with four chunks of the first day, and a decision. */
  async function fillChunks(): Promise<void> {
    for (const n of [1, 2, 3, 4]) {
      await log.append([createReport(n)]);
      await uploadChunk();
    }
    await projectStore.decide("7F3K-Q2M9", { state: "archived" });
  }

  it("continues in further objects; each can be imported, in any order", async () => {
    await fillChunks();
    const before = await projectStore.getFreshIssue("7F3K-Q2M9");
    for (let n = 0; n < 8; n++) await run({ atMs: NEXT_MORNING_MS + n * 5 * MINUTE_MS });
    const keys = await listDays();
    expect(keys).toEqual([KEY, `${KEY}.002`, `${KEY}.003`, `${KEY}.004`]);
    expect(await readBackup(bucket, "1")).toEqual({ nextDay: NEXT_DAY });
    const parts = await Promise.all(keys.map(readObject));
    expect(parts.map((part) => JSON.parse(splitLines(part).at(-1) ?? "").end)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
    ]);
    for (const part of [...parts.slice(0, 3).toReversed(), parts[3] ?? ""])
      expect(await sendImport(part)).toMatchObject({ status: 200, isComplete: true });
    const after = await otherStore.getFreshIssue("7F3K-Q2M9");
    expect([after?.count, after?.state]).toEqual([before?.count, before?.state]);
    expect([after?.count, after?.state]).toEqual([4, "archived"]);
  });

  it("is repeated from the part whose run was killed", async () => {
    await fillChunks();
    await run();
    // The run ends after it wrote its part, and before it wrote the state.
    await expect(
      run({ atMs: NEXT_MORNING_MS + 5 * MINUTE_MS, into: failPuts(/state$/) }),
    ).rejects.toThrow("R2 is down");
    expect(await listDays()).toEqual([KEY, `${KEY}.002`]);
    for (const n of [2, 3, 4]) await run({ atMs: NEXT_MORNING_MS + n * 5 * MINUTE_MS });
    expect(await listDays()).toHaveLength(4);
    const lines = (await Promise.all((await listDays()).map(readObject))).flatMap(splitLines);
    for (const n of [1, 2, 3, 4])
      expect(lines.filter((line) => line === JSON.stringify(createReport(n)))).toHaveLength(1);
  });

  it("continues with the same part after a failure", async () => {
    await fillChunks();
    await run();
    const later = (n: number) => ({ atMs: NEXT_MORNING_MS + n * 5 * MINUTE_MS });
    expect(await run({ ...later(1), into: failPuts(/\.002$/) })).toEqual(["Error: R2 is down"]);
    expect(await listDays()).toEqual([KEY]);
    const { atMs: failedMs } = later(1);
    const problem = "Error: R2 is down";
    expect(await readBackup(bucket, "1")).toMatchObject({ nextDay: DAY, failedMs, problem });
    for (const n of [2, 3, 4]) expect(await run(later(n))).toEqual([]);
    expect(await listDays()).toHaveLength(4);
    expect(await readBackup(bucket, "1")).toEqual({ nextDay: NEXT_DAY });
  });

  it("writes nothing more after the project was deleted", async () => {
    await fillChunks();
    await run();
    await run({ atMs: NEXT_MORNING_MS + 5 * MINUTE_MS, ids: [] });
    expect(await listDays()).toEqual([KEY]);
  });
});

describe("a run", () => {
  it("writes no object if the export ends early, and the next one writes the whole day", async () => {
    await log.append([createReport(1)]);
    async function* failing() {
      yield new TextEncoder().encode('{"errata":1}\n');
      throw new Error("the index is unavailable");
    }
    expect(await run({ readExport: failing })).toEqual(["Error: the index is unavailable"]);
    expect(await listDays()).toEqual([]);
    await run({ atMs: NEXT_MORNING_MS + 5 * MINUTE_MS });
    expect(splitLines(await readObject(KEY))).toContain(JSON.stringify(createReport(1)));
  });

  it("writes the days of other projects before it tries one again that failed", async () => {
    const read = (project: string, options: ExportOptions) => {
      if (project === "1") throw new Error("the first project is unavailable");
      return admin.readExport(options);
    };
    for (let n = 0; n < 4; n++)
      await run({
        atMs: NEXT_MORNING_MS + n * 5 * MINUTE_MS,
        ids: ["1", "2", "3"],
        readExport: read,
      });
    expect(await listDays()).toEqual([`errata/2/${DAY}.ndjson`, `errata/3/${DAY}.ndjson`]);
    const { problem } = await readBackup(bucket, "1");
    expect(problem).toBe("Error: the first project is unavailable");
  });

  it("does nothing while another one works", async () => {
    let exports = 0;
    const read = (_: string, options: ExportOptions) => {
      exports += 1;
      return admin.readExport(options);
    };
    const ids = ["1", "2"];
    await Promise.all([1, 2, 3].map(() => run({ ids, readExport: read })));
    expect(exports).toBe(1);
    await run({ atMs: NEXT_MORNING_MS + 3 * MINUTE_MS, ids, readExport: read });
    expect(exports).toBe(1);
    await run({ atMs: NEXT_MORNING_MS + 5 * MINUTE_MS, ids, readExport: read });
    expect(exports).toBe(2);
  });

  it("does not overwrite the state of a run that took its place", async () => {
    const overtaken = run({
      async *readExport(_, options) {
        await run({ atMs: NEXT_MORNING_MS + 5 * MINUTE_MS });
        await run({ atMs: NEXT_MORNING_MS + DAY_MS });
        yield* admin.readExport(options);
      },
    });
    await overtaken;
    expect((await readBackup(bucket, "1")).nextDay).toBe(toUtcDay(START_MS + 2 * DAY_MS));
  });

  it("that has nothing to write makes one call to R2", async () => {
    await run();
    const get = vi.spyOn(bucket, "get");
    const put = vi.spyOn(bucket, "put");
    await run({ atMs: NEXT_MORNING_MS + 5 * MINUTE_MS });
    expect([get.mock.calls.length, put.mock.calls.length]).toEqual([1, 0]);
  });

  it("changes nothing if the state is of a later release", async () => {
    const state = '{"v":2,"days":[]}';
    await bucket.put("errata/state", state);
    await expect(run()).rejects.toThrow("was written by a later release of Errata");
    expect([await listDays(), await readObject("errata/state")]).toEqual([[], state]);
    expect((await readBackup(bucket, "1")).problem).toContain("later release");
  });
});
