import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { CopyQueue, CopyRank } from "#src/store/kv/copy-queue.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { addIssues } from "#support/store/many-issues.ts";
import { bindings, getIndex, log, projectStore, writeSnapshots } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const LIST = { kind: "issue-list", name: "0", rank: CopyRank.triage };

afterEach(() => emptyStore());

/** The outdated snapshots, with their ranks. */
function readQueue() {
  return runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
    storage.sql
      .exec("SELECT kind, name, rank FROM outdated_snapshot ORDER BY rank, kind, name")
      .toArray(),
  );
}

describe("the snapshot of an issue", () => {
  it("waits behind others if only public or page reports changed the issue since", async () => {
    await log.append([createReport(1)]);
    await projectStore.getFreshIssue(DIGEST);
    await writeSnapshots();
    await log.append([createReport(2, { trust: "public" })]);
    await projectStore.listNewestIssues();
    expect(await readQueue()).toEqual([
      { kind: "issue", name: DIGEST, rank: CopyRank.public },
      { ...LIST, rank: CopyRank.public },
    ]);
    await log.append([createReport(3, { trust: "page" })]);
    await projectStore.listNewestIssues();
    expect(await readQueue()).toEqual([
      { kind: "issue", name: DIGEST, rank: CopyRank.page },
      { ...LIST, rank: CopyRank.page },
    ]);
    await log.append([createReport(4)]);
    await projectStore.listNewestIssues();
    expect(await readQueue()).toEqual([
      LIST,
      { kind: "issue", name: DIGEST, rank: CopyRank.changed },
    ]);
  });

  it("comes first once a page asked for the issue", async () => {
    await log.append([createReport(1)]);
    await projectStore.listNewestIssues();
    await writeSnapshots();
    await log.append([createReport(2)]);
    await projectStore.getFreshIssue(DIGEST);
    expect(await readQueue()).toEqual([
      LIST,
      { kind: "issue", name: DIGEST, rank: CopyRank.viewed },
    ]);
  });

  it("is written at once when a person decides, and by the alarm after other changes", async () => {
    await log.append([createReport(1)]);
    await projectStore.listNewestIssues();
    await writeSnapshots();
    await log.append([createReport(2)]);
    await projectStore.listNewestIssues();
    const alarmMs = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
      storage.getAlarm(),
    );
    const waitMs = (alarmMs ?? Number.POSITIVE_INFINITY) - readNowMs();
    expect([waitMs > 0, waitMs <= 60_000]).toEqual([true, true]);
    expect(await bindings.KV.get(`issue/1/${DIGEST}`, "json")).toMatchObject({ count: 1 });
    await projectStore.decide(DIGEST, { state: "archived" });
    await eventually(async () =>
      expect(await bindings.KV.get(`issue/1/${DIGEST}`, "json")).toMatchObject({
        // The word that the release before reads.
        ...{ count: 2, state: "muted" },
      }),
    );
  });
});

it("a receipt shows a decision that no snapshot has yet", async () => {
  await log.append([createReport(1)]);
  await projectStore.getFreshIssue(DIGEST);
  await writeSnapshots();
  const before = await bindings.KV.get(`issue/1/${DIGEST}`);
  await projectStore.decide(DIGEST, { state: "resolved" });
  await getIndex().waitUntilIdle();
  await bindings.KV.put(`issue/1/${DIGEST}`, before ?? "");
  expect((await visit(`/e/${DIGEST}`)).body).toContain("It is fixed.");
});

/** Adds keys of public issues that are due in an hour. */
function fillQueue(count: number): Promise<void> {
  return runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const queue = new CopyQueue(storage);
    for (let n = 0; n < count; n++) {
      const ref = { kind: "issue", name: `queued ${count} ${n}` } as const;
      queue.add(ref, CopyRank.public, readNowMs() + 3_600_000 + n, readNowMs() - 600_000);
    }
  });
}

it("the status page counts outdated snapshots up to a limit and says how old they are", async () => {
  await fillQueue(1_200);
  const { snapshots } = await getIndex().getHealth();
  expect(snapshots).toMatchObject({ waiting: 1_000, hasMore: true });
  expect(Math.round((snapshots.ageMs ?? 0) / 60_000)).toBe(10);
  const { body } = await visit("/status?streaming=off");
  expect(body).toContain("1,000+ keys, for up to 11 minutes");
  expect(body).toContain("10 minutes behind");
});

describe("the rows read do not grow with the issues and the outdated snapshots", () => {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  beforeEach(async () => {
    const sql = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
      Object.getPrototypeOf(storage.sql),
    );
    const exec = sql.exec;
    vi.spyOn(sql, "exec").mockImplementation(function (this: SqlStorage, ...args: unknown[]) {
      const cursor = exec.apply(this, args);
      cursors.push(cursor);
      return cursor;
    });
  });

  afterEach(() => vi.restoreAllMocks());

  /** The rows that `work` reads and writes. */
  async function countRows(work: () => Promise<unknown>): Promise<number> {
    cursors.length = 0;
    await work();
    return cursors.reduce((sum, { rowsRead, rowsWritten }) => sum + rowsRead + rowsWritten, 0);
  }

  const report = (n: number) => async () => {
    await log.append([createReport(n)]);
    await projectStore.listNewestIssues();
    await getIndex().waitUntilIdle();
  };

  /** Writes the snapshot of an issue as if it were due. */
  async function writeSnapshot(name: string) {
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      new CopyQueue(storage).postpone({ kind: "issue", name }, 0);
    });
    await abortAllDurableObjects();
    await getIndex().getIssue(name);
    await getIndex().waitUntilIdle();
  }

  it("for a report, an alarm, a start and a snapshot", async () => {
    // The list has the 100 newest issues.
    await addIssues(0, 150);
    await report(1)();
    await report(2)();
    const measure = async (n: number) => [
      await countRows(report(n)),
      await countRows(() => runDurableObjectAlarm(getIndex())),
      await countRows(async () => {
        await abortAllDurableObjects();
        await report(n + 1)();
      }),
      await countRows(() => writeSnapshot(DIGEST)),
    ];
    const few = await measure(3);
    await addIssues(150, 1_000);
    await fillQueue(1_000);
    const many = await measure(5);
    await fillQueue(20_000);
    const most = await measure(7);
    for (const [i, rows] of few.entries()) {
      expect((many[i] ?? 0) - rows, `${i}: ${few} ${many}`).toBeLessThan(30);
      expect((most[i] ?? 0) - rows, `${i}: ${few} ${most}`).toBeLessThan(30);
    }
  });
});
