import { reset } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import type { Tally } from "../../src/core/tally.ts";
import { createLog } from "../../src/store/log.ts";
import type { Entry, ReportLogRpc } from "../../src/store/rpc.ts";
import { aReport } from "../support/reports.ts";
import { type bindings, desk, NOW_MS, shard } from "../support/store.ts";

afterEach(() => reset());

const COUNTED: readonly Tally[] = [[["counted", "session"], 1]];

/** The log over the real shard, with every call noted; the call with this number is refused. */
function notingLog(refuse?: number) {
  const calls: { entries: number; tallies: number }[] = [];
  const append: ReportLogRpc["append"] = async (entries: readonly Entry[], tallies) => {
    calls.push({ entries: entries.length, tallies: tallies.length });
    if (calls.length === refuse) throw new Error("overloaded");
    return shard().append(entries, tallies);
  };
  const REPORT_LOG = { getByName: () => ({ append }) } as unknown as typeof bindings.REPORT_LOG;
  const settings = { project: "1", shards: 1, nowMs: () => NOW_MS };
  return { log: createLog({ REPORT_LOG }, settings), calls };
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
    expect(answers.filter(({ repeated }) => repeated)).toHaveLength(max);
    const { issues } = await desk.newest();
    expect(issues.reduce((sum, { count }) => sum + count, 0)).toBe(max + 1);
    const sessions = (await desk.tallies(1)).find(
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
