// The parts of the benchmark that could make a figure wrong without an error: ratios, and the bytes
// that are sent.

import { describe, expect, it } from "vitest";
import { cases } from "../../../.tools/bench/cases.ts";
import { computeLines, type Played, type Round } from "../../../.tools/bench/lines.ts";
import { MIXES } from "../../../.tools/reports/mix-events.ts";
import { createRequest } from "../../../.tools/rig/requests.ts";

const findCase = (name: string) => cases.find((one) => one.name === name) ?? expect.fail(name);

/** A case whose rounds took these CPU times per request, in µs. */
function createPlayed(name: string, cpuUs: readonly number[], of: Played["of"] = "this"): Played {
  const rounds: Round[] = cpuUs.map((cpu) => ({
    ...{ answered: Number.isFinite(cpu) ? 100 : 0, failed: 0, failures: [] },
    ...{ perSecond: 1_000, p50Ms: 1, p99Ms: 2, cpuUs: cpu },
  }));
  return { case: findCase(name), of, rounds: new Map([[32, rounds]]) };
}

describe("the figures of the benchmark", () => {
  it("a CPU time is a median, and a ratio is the median of the rounds' ratios", () => {
    const lines = computeLines([
      createPlayed("bare-post", [100, 200, 400]),
      createPlayed("storm", [300, 400, 2_000]),
      createPlayed("storm", [300, 800, 1_000], "other"),
    ]);
    const storm = lines.find(({ name, of }) => name === "storm" && of === "this");
    expect(storm?.cpuUs).toBe(400);
    expect(storm?.bare).toEqual({ times: 3, spread: 1 });
    expect(storm?.other?.times).toBe(1);
  });

  it("a case that did not run has no ratio", () => {
    const [line] = computeLines([createPlayed("fixture", [300])]);
    expect([line?.bare, line?.reference, line?.other]).toEqual([null, null, null]);
  });

  it("a round without a response is omitted", () => {
    const lines = computeLines([
      createPlayed("bare-post", [100, 100, 100]),
      createPlayed("storm", [300, Number.POSITIVE_INFINITY, 500]),
    ]);
    const storm = lines.find(({ name }) => name === "storm");
    expect(storm?.cpuUs).toBe(400);
    expect(storm?.bare).toEqual({ times: 4, spread: 0.5 });
  });
});

describe("the requests of the benchmark", () => {
  const reports = cases.filter(({ ask }) => ask.kind !== "page");

  it.each(reports)("every body of $name has different bytes", ({ ask }) => {
    const { body } = createRequest(ask);
    const bodies = [0, 1, 500].map((n) => body?.(n).body);
    expect(new Set(bodies).size).toBe(3);
  });

  it.each(Object.entries(MIXES))("the mix %s has %d issues", (mix, issues) => {
    const { body } = createRequest({ kind: "event", mix: mix as keyof typeof MIXES });
    const faults = Array.from({ length: 1_000 }, (_, n) => {
      return /the \w+ order was not found/.exec(body?.(n).body ?? "")?.[0];
    });
    expect(new Set(faults).size).toBe(Math.min(issues, 1_000));
  });

  it("events come with the server key from no browser: new issues of others are limited", () => {
    const { path, headers } = createRequest(findCase("distinct").ask);
    expect(path).toContain("sentry_key=errata_server_");
    expect(Object.keys(headers).filter((name) => /^(?:origin|sec-)/i.test(name))).toEqual([]);
  });

  it("an event is about 4 KB", () => {
    const length = createRequest(findCase("storm").ask).body?.(1).body.length;
    expect(length).toBeGreaterThan(3_900);
    expect(length).toBeLessThan(4_500);
  });
});
