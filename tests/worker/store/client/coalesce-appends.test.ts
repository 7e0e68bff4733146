import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { ReportWriter } from "#src/core/ports/storage-ports.ts";
import type { CounterDelta } from "#src/core/stats/counters.ts";
import { createAppendCoalescer } from "#src/store/client/coalesce-appends.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import type { AppendOutcome, AppendPart } from "#src/store/log/log-entries.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import type { LogApi } from "#src/store/objects.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getShard, log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const COUNTED: readonly CounterDelta[] = [[["counted", "session"], 1]];
const OVERLOADED = Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });
const silent = () => new Promise<never>(() => undefined);

/** The object's response to call number `n`, from 1. `real` makes the call. */
type Behavior = (
  n: number,
  real: () => Promise<readonly AppendOutcome[]>,
  parts: readonly AppendPart[],
) => Promise<readonly AppendOutcome[]>;

/** A writer to the real shard, whose calls are recorded by the ids of each part. */
function createIsolate(behave: Behavior = (_, real) => real(), lateMs = 5_000, timeoutMs = 9_000) {
  const calls: string[][] = [];
  const clock = { nowMs: NOW_MS };
  const append: LogApi["append"] = (parts) => {
    calls.push(parts.map(({ entries }) => entries.map(({ id }) => Number(`0x${id}`)).join(" ")));
    return behave(calls.length, async () => getShard().append(parts), parts);
  };
  const REPORT_LOG = { getByName: () => ({ append }) } as unknown as typeof bindings.REPORT_LOG;
  const nowMs = () => clock.nowMs;
  const coalescer = createAppendCoalescer({ nowMs, lateMs, timeoutMs });
  const settings = { project: "1", shards: 1, nowMs, coalescer };
  return { writer: createReportWriter({ ...bindings, REPORT_LOG }, settings), calls, clock };
}

/** Reports of issues of their own, so that every body is stored. */
const createOwnReport = (n: number) => createReport(n, { digest: `0000-${1000 + n}` });
/** One append for each number, all in one turn. */
const appendEach = (writer: ReportWriter, numbers: readonly number[]) =>
  Promise.allSettled(numbers.map((n) => writer.append([createOwnReport(n)], COUNTED)));
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function countSessions(): Promise<number | undefined> {
  const counters = await projectStore.listCounters(1);
  return counters.find(({ name }) => name.join(" ") === "counted session")?.count;
}

async function expectStoredOnce(numbers: readonly number[]): Promise<void> {
  const { issues } = await projectStore.listNewestIssues();
  const counts = new Map(issues.map(({ digest, count }) => [digest, count]));
  expect(counts).toEqual(new Map(numbers.map((n) => [createOwnReport(n).digest, 1])));
  expect(await countSessions()).toBe(numbers.length);
}

describe("appends of one isolate to one shard", () => {
  it("are sent immediately if no call is in progress, and share the next call otherwise", async () => {
    const { writer, calls } = createIsolate();
    const settled = await appendEach(writer, range(1, 30));
    expect(calls).toEqual([["1"], range(2, 30).map(String)]);
    const results = settled.map((one) => (one.status === "fulfilled" ? one.value : []));
    expect(results.map(([result]) => result?.id)).toEqual(range(1, 30).map(toReportId));
    for (const [{ id = "", position = "" } = {}] of results)
      expect((await projectStore.readReport({ position }))?.id).toBe(id);
    await expectStoredOnce(range(1, 30));
  });

  it("do not wait for a slow call", async () => {
    const { writer, calls } = createIsolate((n, real) => (n === 1 ? silent() : real()));
    void writer.append([createOwnReport(1)]).catch(() => undefined);
    await appendEach(writer, [2, 3]);
    expect(calls).toEqual([["1"], ["2 3".split(" ")].flat()]);
  });

  it("are sent in calls of at most 250 reports, and never split", async () => {
    const { writer, calls } = createIsolate();
    const parts = [range(1, 1), range(2, 101), range(102, 201), range(202, 301)];
    await Promise.all(parts.map((numbers) => writer.append(numbers.map(createOwnReport), COUNTED)));
    expect(calls.map((call) => call.map((ids) => ids.split(" ").length))).toEqual([
      [1],
      [100, 100],
      [100],
    ]);
  });

  it("are sent in calls of at most a million characters, and a larger one alone", async () => {
    const { writer, calls } = createIsolate();
    const large = (n: number, chars: number) => ({
      ...createOwnReport(n),
      message: "x".repeat(chars),
    });
    const appended = [large(1, 1), large(2, 9), large(3, 1_200_000), large(4, 9), large(5, 9)];
    await Promise.all(appended.map((report) => writer.append([report], COUNTED)));
    expect(calls).toEqual([["1"], ["2"], ["3"], ["4", "5"]]);
    await expectStoredOnce(range(1, 5));
  });

  it("report a duplicate in the same call as a duplicate", async () => {
    const { writer, calls } = createIsolate();
    const settled = await appendEach(writer, [1, 2, 2]);
    expect(calls).toEqual([["1"], ["2", "2"]]);
    expect(settled.map((one) => one.status === "fulfilled" && one.value[0]?.isDuplicate)).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe("a part that cannot be written", () => {
  it("does not fail the others of its call, whose row it would have shared", async () => {
    await log.append([]);
    const exec = (sql: string) =>
      runInDurableObject(getShard(), (_: ReportLog, { storage }) => void storage.sql.exec(sql));
    await getShard().flush();
    await exec(
      "CREATE TRIGGER bad BEFORE INSERT ON log_row WHEN NEW.body LIKE '%poison%' " +
        "BEGIN SELECT RAISE(FAIL, 'refused'); END",
    );
    const { writer, calls } = createIsolate();
    const settled = await Promise.allSettled(
      range(1, 5).map((n) =>
        writer.append([{ ...createOwnReport(n), message: n === 3 ? "poison" : "m" }], COUNTED),
      ),
    );
    expect(calls).toEqual([["1"], ["2", "3", "4", "5"]]);
    expect(settled.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(await projectStore.locateReport(toReportId(3))).toBeNull();
    await expectStoredOnce([1, 2, 4, 5]);
    await exec("DROP TRIGGER bad");
  });
});

describe("a call that fails", () => {
  it("is sent again part by part, and each report and counter counts once", async () => {
    const { writer, calls } = createIsolate(async (n, real) => {
      const outcomes = await real();
      if (n === 2) throw new Error("Network connection lost.");
      return outcomes;
    });
    const settled = await appendEach(writer, range(1, 4));
    expect(calls).toEqual([["1"], ["2", "3", "4"], ["2"], ["3"], ["4"]]);
    expect(settled.every(({ status }) => status === "fulfilled")).toBe(true);
    await expectStoredOnce(range(1, 4));
  });

  it("is not sent again for counters without an id, which could count twice", async () => {
    const { writer, calls } = createIsolate(async (n, real) => {
      const outcomes = await real();
      if (n === 2) throw new Error("Network connection lost.");
      return outcomes;
    });
    const [, counted, reported] = await Promise.allSettled([
      writer.append([createOwnReport(1)]),
      writer.append([], COUNTED),
      writer.append([createOwnReport(2)]),
    ]);
    expect(calls).toEqual([["1"], ["", "2"], ["2"]]);
    expect([counted?.status, reported?.status]).toEqual(["rejected", "fulfilled"]);
    expect(await countSessions()).toBe(1);
  });

  it("is not sent again to an object that is overloaded", async () => {
    const { writer, calls } = createIsolate(() => Promise.reject(OVERLOADED));
    const settled = await appendEach(writer, range(1, 4));
    expect(calls).toEqual([["1"], ["2", "3", "4"]]);
    for (const one of settled) expect(one).toMatchObject({ reason: OVERLOADED });
  });
});

describe("a request without a result", () => {
  it("appends once more, together with the others whose leader was cancelled", async () => {
    const { writer, calls } = createIsolate((n, real) => (n === 2 ? silent() : real()), 100);
    const settled = await appendEach(writer, range(1, 4));
    expect(calls.slice(0, 2)).toEqual([["1"], ["2", "3", "4"]]);
    expect(calls.slice(2).flat().toSorted()).toEqual(["2", "3", "4"]);
    expect(settled.every(({ status }) => status === "fulfilled")).toBe(true);
    await expectStoredOnce(range(1, 4));
  });

  it("counts once if the shard had stored its report, and only the response was lost", async () => {
    const { writer } = createIsolate(async (n, real) => {
      const outcomes = await real();
      return n === 2 ? silent() : outcomes;
    }, 100);
    await appendEach(writer, range(1, 4));
    await expectStoredOnce(range(1, 4));
  });

  it("rejects after a timeout if the object does not respond", async () => {
    const { writer, calls } = createIsolate(silent, 20, 60);
    const settled = await appendEach(writer, range(1, 3));
    for (const one of settled)
      expect(one).toMatchObject({ reason: { message: "no response within 60 ms" } });
    expect(calls.flat().toSorted()).toEqual(["1", "1", "2", "2", "3", "3"]);
  });

  it("does not wait for a call that lost its leader before it was sent", async () => {
    const { writer, calls, clock } = createIsolate((n, real) => (n === 1 ? silent() : real()));
    void writer.append([createOwnReport(1)]).catch(() => undefined);
    const left = writer.append([createOwnReport(2)]);
    clock.nowMs += 2_500;
    await writer.append([createOwnReport(3)]);
    expect(calls.slice(0, 2)).toEqual([["1"], ["3"]]);
    await left;
  });
});
