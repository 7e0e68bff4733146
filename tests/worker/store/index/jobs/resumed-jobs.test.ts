import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Job } from "#src/store/index/jobs/job-table.ts";
import { JobTable } from "#src/store/index/jobs/job-table.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { dumpKv } from "#support/store/dump-kv.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  getIndex,
  getShard,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(async () => {
  vi.restoreAllMocks();
  await emptyStore();
});

const PERSON = "ada.lovelace@example.org";
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ISSUES = 120;

/** `0000-0001` and so on. */
function toDigest(n: number): string {
  const digits = [5, 0].map((shift) => ALPHABET[(n >> shift) & 31]).join("");
  return `0000-00${digits}`;
}

/** More issues than a step restores, some merged, some decided, and reports in two chunks. */
async function fillProject(): Promise<void> {
  const reports = Array.from({ length: ISSUES }, (_, n) =>
    createReport(n, {
      digest: toDigest(n),
      message: n % 10 === 0 ? `no mail to ${PERSON}` : `fault ${n}`,
      aliases: n === 20 ? [PERSON] : [`77000${n}`],
      ...(n === 30 && {
        format: "render",
        traceId: "e44a7a5ce44a7a5c16cd43dd8448eb21",
        request: { url: `https://shop.example/of/${PERSON}` },
      }),
    }),
  );
  await log.append(reports);
  await uploadChunk();
  await projectStore.annotate(toDigest(1), { change: "merge", from: [toDigest(2), toDigest(3)] });
  await projectStore.annotate(toDigest(1), { change: "split", digest: toDigest(3) });
  await projectStore.annotate(toDigest(4), {
    change: "comment",
    id: toReportId(9),
    text: `ask ${PERSON}`,
  });
  await projectStore.decide(toDigest(5), { state: "archived" });
  await projectStore.saveView("hers", { query: PERSON, sort: "last" });
  await log.append([
    createReport(900, { digest: toDigest(2) }),
    createReport(901, { digest: toDigest(3) }),
  ]);
  await projectStore.listNewestIssues();
  await writeSnapshots();
  await uploadChunk();
  await log.append([createReport(902, { digest: toDigest(7) })]);
  await projectStore.listNewestIssues();
}

/** The counts and states of all issues, and the counters. */
async function readState() {
  const digests = Array.from({ length: ISSUES }, (_, n) => toDigest(n));
  const issues = await Promise.all(digests.map((digest) => projectStore.getFreshIssue(digest)));
  const counters = await projectStore.listCounters(7);
  return {
    issues: issues.map((issue) => issue && `${issue.digest} ${issue.count} ${issue.state}`),
    counters: counters.map((counter) => JSON.stringify(counter)).sort(),
  };
}

/**
 * Runs the jobs with a kill at the end of every step: in turn before its result is stored, so that
 * it runs again, and after. Returns the phases.
 */
async function runWithKills(): Promise<readonly string[]> {
  const phases: string[] = [];
  const { saveState } = JobTable.prototype;
  let calls = 0;
  vi.spyOn(JobTable.prototype, "saveState").mockImplementation(function (this: JobTable, ...args) {
    calls += 1;
    if (calls % 2 === 0) saveState.apply(this, args);
    phases.push(args[1].phase);
    throw new Error("the object is killed");
  });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  for (let round = 0; round < 200; round++) {
    await runDurableObjectAlarm(getIndex());
    if ((await getIndex().getHealth()).work === undefined) break;
    await abortAllDurableObjects();
  }
  vi.restoreAllMocks();
  return [...new Set(phases)];
}

const readTracePaths = () =>
  runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
    storage.sql
      .exec("SELECT path FROM trace")
      .toArray()
      .map(({ path }) => path),
  );

/** The object finds the job when it starts again. */
async function enqueue(job: Job): Promise<void> {
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    new JobTable(storage).enqueue(job);
  });
  await abortAllDurableObjects();
}

describe("a job that is killed at every step", { timeout: 90_000 }, () => {
  it("rebuilds the same issues and counters", async () => {
    await fillProject();
    const before = await readState();
    await enqueue({ kind: "rebuild" });
    const phases = await runWithKills();
    expect(phases).toEqual([
      ...["wipe", "decision", "annotations", "views", "repositories", "code-owners", "issues"],
      ...["merged", "list", "logs", "chunks", "flush", "titles", "source-maps"],
    ]);
    expect(await readState()).toEqual(before);
    await log.append([createReport(903, { digest: toDigest(7) })]);
    expect((await projectStore.getFreshIssue(toDigest(7)))?.count).toBe(3);
  });

  it("rebuilds the same after the index lost its storage", async () => {
    await fillProject();
    const before = await readState();
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    await runWithKills();
    expect(await readState()).toEqual(before);
  });

  it("erases a person everywhere, and every report still counts", async () => {
    await fillProject();
    const before = await readState();
    expect(await dumpKv()).toContain(PERSON);
    expect(await readTracePaths()).toEqual([`/of/${PERSON}`]);
    await enqueue({ kind: "erase-text", text: PERSON });
    const phases = await runWithKills();
    expect(phases).toEqual([
      ...["logs", "flush", "chunks", "decisions", "issues", "releases", "counters"],
      ...["aliases", "traces", "triage", "sent", "source-maps", "alerts"],
    ]);
    await uploadChunk();
    await writeSnapshots();
    expect(await dumpKv()).not.toContain("lovelace");
    expect(await projectStore.findIssuesByAlias(PERSON)).toEqual([]);
    expect(await projectStore.searchIssues("lovelace")).toEqual([]);
    expect(await readTracePaths()).toEqual([null]);
    expect(await readState()).toEqual(before);
  });

  it("erases an issue and no other", async () => {
    await fillProject();
    const before = await readState();
    await runInDurableObject(getIndex(), () => undefined);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await getIndex().eraseIssue(toDigest(1));
    await runWithKills();
    await uploadChunk();
    await writeSnapshots();
    const after = await readState();
    expect(after.issues[1]).toBeNull();
    const others = (issues: readonly unknown[]) => issues.filter((_, n) => n > 3);
    expect(others(after.issues)).toEqual(others(before.issues));
    const kv = await dumpKv();
    for (const n of [1, 2]) expect(kv).not.toContain(`issue/1/${toDigest(n).toLowerCase()}`);
  });

  it("erases the sessions of an environment and no others, also from a rebuilt index", async () => {
    const started = (environment: string) =>
      [["session", "server", "shop@1.4.0", environment, "started"], 7] as const;
    await log.append([createReport(1)], [started("sample"), started("production")]);
    await uploadChunk();
    await log.append([createReport(2)], [started("sample")]);
    await projectStore.listNewestIssues();
    await enqueue({ kind: "erase-sessions", environment: "sample" });
    expect(await runWithKills()).toEqual(["logs", "flush", "chunks", "counters"]);
    const before = await readState();
    expect(before.counters.filter((counter) => counter.includes("session"))).toEqual([
      expect.stringContaining('"production","started"],"count":7'),
    ]);
    await uploadChunk();
    await enqueue({ kind: "rebuild" });
    await runWithKills();
    expect(await readState()).toEqual(before);
  });

  it("erases everything", async () => {
    await fillProject();
    await enqueue({ kind: "erase-project" });
    const phases = await runWithKills();
    expect(phases).toContain("delete");
    const { keys } = await bindings.KV.list();
    expect(keys.filter(({ name }) => !name.startsWith("issue-list/"))).toEqual([]);
    expect(await projectStore.listCounters(7)).toEqual([]);
    expect((await getShard().getHealth()).rows).toBe(0);
    await log.append([createReport(1)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 1 });
  });
});
