import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { CounterDelta } from "#src/core/stats/counters.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import type { LogApi } from "#src/store/objects.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getShard, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const COUNTED: readonly CounterDelta[] = [[["counted", "session"], 1]];

/** A writer to the real shard that records calls; call number `refuse` fails. */
function createRecordingWriter(refuse?: number) {
  const calls: { entries: number; counters: number }[] = [];
  const append: LogApi["append"] = async (parts) => {
    for (const { entries, counters } of parts)
      calls.push({ entries: entries.length, counters: counters.length });
    if (calls.length === refuse) throw new Error("overloaded");
    return getShard().append(parts);
  };
  const REPORT_LOG = { getByName: () => ({ append }) } as unknown as typeof bindings.REPORT_LOG;
  const settings = { project: "1", shards: 1, nowMs: () => NOW_MS };
  return { log: createReportWriter({ ...bindings, REPORT_LOG }, settings), calls };
}

/** Reports of many issues, so that every body is stored. */
const reports = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    createReport(n + 1, { digest: `0000-${1000 + (n % 50)}` }),
  );

describe("an append of many reports", () => {
  const max = limits.maxReportsPerAppend;

  it("makes calls of at most limits.maxReportsPerAppend reports, the last one with the counters", async () => {
    const { log, calls } = createRecordingWriter();
    const answers = await log.append(reports(2 * max + 1), COUNTED);
    expect(calls).toEqual([
      { entries: max, counters: 0 },
      { entries: max, counters: 0 },
      { entries: 1, counters: 1 },
    ]);
    expect(answers).toHaveLength(2 * max + 1);
  });

  it("rejects if one call fails, and a retry of all reports counts each once", async () => {
    const { log } = createRecordingWriter(2);
    await expect(log.append(reports(max + 1), COUNTED)).rejects.toThrow("overloaded");
    const answers = await log.append(reports(max + 1), COUNTED);
    expect(answers.filter(({ isDuplicate }) => isDuplicate)).toHaveLength(max);
    const { issues } = await projectStore.listNewestIssues();
    expect(issues.reduce((sum, { count }) => sum + count, 0)).toBe(max + 1);
    const sessions = (await projectStore.listCounters(1)).find(
      ({ name }) => name.join(" ") === "counted session",
    );
    expect(sessions?.count).toBe(1);
  });
});

it("an append of counters calls one shard, and an empty append calls none", async () => {
  const { log, calls } = createRecordingWriter();
  await log.append([], COUNTED);
  await log.append([]);
  expect(calls).toEqual([{ entries: 0, counters: 1 }]);
});

describe("a location hint", () => {
  const settings = { project: "1", shards: 2, nowMs: () => NOW_MS };

  /** Calls every method of the Worker's clients. Resolves to the name and options of each stub. */
  async function listStubOptions(
    location?: DurableObjectLocationHint,
  ): Promise<readonly unknown[]> {
    const taken: unknown[] = [];
    const noting = <T extends typeof bindings.REPORT_LOG | typeof bindings.PROJECT_INDEX>(
      real: T,
    ) =>
      ({
        getByName(name: string, options: unknown) {
          taken.push([name, options]);
          return real.getByName(name);
        },
      }) as unknown as T;
    const bound = {
      ...bindings,
      REPORT_LOG: noting(bindings.REPORT_LOG),
      PROJECT_INDEX: noting(bindings.PROJECT_INDEX),
    };
    const facts = { ...settings, ...(location && { location }) };
    const its = reports(20);
    await createReportWriter(bound, facts).append(its, COUNTED);
    const projectStore = createProjectStore(bound, facts);
    const [first] = its;
    const position = (await projectStore.locateReport(first?.id ?? ""))?.position ?? "";
    await projectStore.readReport({ position });
    await projectStore.readReport({ position: position.replace(/^\d{10}/, "2020010100") });
    await projectStore.locateRecentReport(first?.id ?? "");
    await projectStore.locateReport("f".repeat(32));
    await projectStore.listNewestIssues();
    await projectStore.searchIssues("price");
    await projectStore.listCounters(1);
    await projectStore.getHealth();
    await projectStore.getIssue("0000-0000");
    await projectStore.getFreshIssue("0000-0000");
    await projectStore.findIssuesByAlias("2338823894");
    return taken;
  }

  it("is passed with every stub of a shard or the index", async () => {
    const taken = await listStubOptions("weur");
    for (const name of ["1/0", "1/1", "1"]) {
      expect(taken).toContainEqual([name, { locationHint: "weur" }]);
    }
    expect(new Set(taken.map((stub) => JSON.stringify(stub))).size).toBe(3);
  });

  it("is absent if none is configured", async () => {
    const taken = await listStubOptions();
    expect(new Set(taken.map((stub) => JSON.stringify(stub)))).toEqual(
      new Set(['["1/0",{}]', '["1/1",{}]', '["1",{}]']),
    );
  });
});
