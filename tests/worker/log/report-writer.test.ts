import { afterEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import type { CounterDelta } from "../../../src/core/stats/counters.ts";
import { createProjectStore } from "../../../src/store/client/project-store.ts";
import { createReportWriter } from "../../../src/store/client/report-writer.ts";
import type { LogEntry, ReportLogRpc } from "../../../src/store/rpc/rpc.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { bindings, desk, NOW_MS, shard } from "../../support/store.ts";

afterEach(() => fresh());

const COUNTED: readonly CounterDelta[] = [[["counted", "session"], 1]];

/** The log over the real shard, with every call noted; the call with this number is refused. */
function notingLog(refuse?: number) {
  const calls: { entries: number; tallies: number }[] = [];
  const append: ReportLogRpc["append"] = async (entries: readonly LogEntry[], tallies) => {
    calls.push({ entries: entries.length, tallies: tallies.length });
    if (calls.length === refuse) throw new Error("overloaded");
    return shard().append(entries, tallies);
  };
  const REPORT_LOG = { getByName: () => ({ append }) } as unknown as typeof bindings.REPORT_LOG;
  const settings = { project: "1", shards: 1, nowMs: () => NOW_MS };
  return { log: createReportWriter({ ...bindings, REPORT_LOG }, settings), calls };
}

/** Of so many faults that every body is kept. */
const reports = (count: number) =>
  Array.from({ length: count }, (_, n) => aReport(n + 1, { digest: `0000-${1000 + (n % 50)}` }));

describe("many reports at once", () => {
  const max = limits.maxReportsPerAppend;

  it("go to the log in calls of at most limits.maxReportsPerAppend, the tallies with the last", async () => {
    const { log, calls } = notingLog();
    const answers = await log.append(reports(2 * max + 1), COUNTED);
    expect(calls).toEqual([
      { entries: max, tallies: 0 },
      { entries: max, tallies: 0 },
      { entries: 1, tallies: 1 },
    ]);
    expect(answers).toHaveLength(2 * max + 1);
  });

  it("of which a call is refused are not acknowledged, and count once when all are sent again", async () => {
    const { log } = notingLog(2);
    await expect(log.append(reports(max + 1), COUNTED)).rejects.toThrow("overloaded");
    const answers = await log.append(reports(max + 1), COUNTED);
    expect(answers.filter(({ isDuplicate }) => isDuplicate)).toHaveLength(max);
    const { issues } = await desk.listNewestIssues();
    expect(issues.reduce((sum, { count }) => sum + count, 0)).toBe(max + 1);
    const sessions = (await desk.listCounters(1)).find(
      ({ name }) => name.join(" ") === "counted session",
    );
    expect(sessions?.count).toBe(1);
  });
});

it("tallies alone go to a shard, and nothing at all to none", async () => {
  const { log, calls } = notingLog();
  await log.append([], COUNTED);
  await log.append([]);
  expect(calls).toEqual([{ entries: 0, tallies: 1 }]);
});

describe("a location hint", () => {
  const settings = { project: "1", shards: 2, nowMs: () => NOW_MS };

  /** Everything that the Worker asks of the objects, with the options of every stub that it took for that. */
  async function stubsTaken(location?: DurableObjectLocationHint): Promise<readonly unknown[]> {
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
    const asked = createProjectStore(bound, facts);
    const [first] = its;
    const position = (await asked.locateReport(first?.id ?? ""))?.position ?? "";
    await asked.readReport({ position });
    await asked.readReport({ position: position.replace(/^\d{10}/, "2020010100") });
    await asked.locateRecentReport(first?.id ?? "");
    await asked.locateReport("f".repeat(32));
    await asked.listNewestIssues();
    await asked.searchIssues("price");
    await asked.listCounters(1);
    await asked.getHealth();
    await asked.getIssue("0000-0000");
    await asked.getFreshIssue("0000-0000");
    await asked.findIssuesByAlias("2338823894");
    return taken;
  }

  it("goes with every stub that is taken of a shard or of the index", async () => {
    const taken = await stubsTaken("weur");
    for (const name of ["1/0", "1/1", "1"]) {
      expect(taken).toContainEqual([name, { locationHint: "weur" }]);
    }
    expect(new Set(taken.map((stub) => JSON.stringify(stub))).size).toBe(3);
  });

  it("is given by nobody where the operator gives none", async () => {
    const taken = await stubsTaken();
    expect(new Set(taken.map((stub) => JSON.stringify(stub)))).toEqual(
      new Set(['["1/0",{}]', '["1/1",{}]', '["1",{}]']),
    );
  });
});
