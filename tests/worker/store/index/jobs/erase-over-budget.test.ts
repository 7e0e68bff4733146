import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { dumpKv } from "#support/store/dump-kv.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  finishJobs,
  getIndex,
  getShard,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const PERSON = "Ada.Lovelace@example.org";
const DIGEST = "7F3K-Q2M9";
const MERGED = "6666-6666";

/** An issue whose report, comment and view name a person, all of it in KV. */
async function storePerson(): Promise<void> {
  const person = { message: `mail to ${PERSON} failed`, aliases: ["2338823894"] };
  await log.append([createReport(1, person), createReport(2, { digest: MERGED })]);
  await projectStore.listNewestIssues();
  await projectStore.annotate(DIGEST, {
    change: "comment",
    id: toReportId(9),
    text: `ask ${PERSON}`,
  });
  await projectStore.saveView("mine", { query: PERSON, sort: "last" });
  await uploadChunk();
  await eventually(async () => {
    const written = await dumpKv();
    for (const key of ["chunk/1/", "issue/1/", "annotations/1/", "views/1/", "issue-list/1/"])
      expect(written).toMatch(new RegExp(`^${key}.*${PERSON}`, "m"));
  });
}

/** Invented errors have used up the day's writes of log and index, and more issues wait. */
async function useUpWrites(): Promise<void> {
  for (const stub of [getShard(), getIndex()]) {
    await runInDurableObject(stub as ReturnType<typeof getShard>, (_: ReportLog, { storage }) => {
      const day = Math.floor(readNowMs() / 86_400_000);
      storage.sql.exec("INSERT OR REPLACE INTO write_budget VALUES (1, ?, 1000000)", day);
    });
  }
  await abortAllDurableObjects();
  const junk = Array.from({ length: 60 }, (_, n) =>
    createReport(1_000 + n, {
      trust: "public",
      digest: n.toString(32).toUpperCase().padStart(8, "0"),
    }),
  );
  await log.append(junk);
  await projectStore.listNewestIssues();
  await getIndex().waitUntilIdle();
  expect((await getIndex().getHealth()).snapshots.waiting).toBeGreaterThan(50);
}

describe("an erasure on a day whose write budget an untrusted sender has used up", () => {
  it("of a person removes all data from KV immediately, before the snapshots of that sender", async () => {
    await storePerson();
    await useUpWrites();
    expect(await dumpKv()).toContain(PERSON);
    await getIndex().enqueueJob({ kind: "erase-text", text: PERSON });
    await finishJobs();
    await getIndex().waitUntilIdle();
    expect(/.*lovelace.*/i.exec(await dumpKv())?.[0].slice(0, 80)).toBeUndefined();
    expect((await getIndex().getHealth()).snapshots.waiting).toBeGreaterThan(50);
  });

  it("of an issue removes it and its entry in the list, also after a restart", async () => {
    await storePerson();
    await useUpWrites();
    await getIndex().eraseIssue(DIGEST);
    await finishJobs();
    await writeSnapshots();
    const left = await dumpKv();
    expect(left).not.toContain(`issue/1/${DIGEST}`);
    expect(left).not.toContain(`annotations/1/${DIGEST}`);
    expect(left).not.toContain("alias/1/2338823894");
    expect(left).not.toMatch(new RegExp(`^issue-list/1/0.*${PERSON}`, "m"));
    expect(left).not.toMatch(new RegExp(`^chunk/1/.*${PERSON}`, "m"));
  });

  it("sets the alarm for the retry of an erasure that KV refuses, not for the next day", async () => {
    await storePerson();
    await useUpWrites();
    await runInDurableObject(
      getIndex() as unknown as ReturnType<typeof getShard>,
      (instance: ReportLog) => {
        const refuse = () => Promise.reject(new Error("KV failed: 429"));
        const kv = { ...bindings.KV, list: (options: object) => bindings.KV.list(options) };
        Object.assign(instance, {
          env: { ...bindings, KV: { ...kv, put: refuse, delete: refuse } },
        });
      },
    );
    await getIndex().enqueueJob({ kind: "erase-text", text: PERSON });
    await finishJobs();
    await getIndex().waitUntilIdle();
    const alarmMs = await runInDurableObject(
      getIndex() as unknown as ReturnType<typeof getShard>,
      (_: ReportLog, { storage }) => storage.getAlarm(),
    );
    expect((alarmMs ?? Number.POSITIVE_INFINITY) - readNowMs()).toBeLessThan(60_000);
    await runInDurableObject(
      getIndex() as unknown as ReturnType<typeof getShard>,
      (instance: ReportLog) => void Object.assign(instance, { env: bindings }),
    );
    await writeSnapshots();
    expect(await dumpKv()).not.toContain(PERSON);
  });
});
