// The parts of the benchmark that do not measure: what is asked, what is made of rounds, how time is shared out.

import { describe, expect, it } from "vitest";
import { requestOf } from "../../.tools/bench/asks.mjs";
import { type Case, cases } from "../../.tools/bench/cases.mjs";
import { verdictOf } from "../../.tools/bench/goals.mjs";
import { linesOf } from "../../.tools/bench/lines.mjs";
import { optionsOf } from "../../.tools/bench/options.mjs";
import { planOf, ROUNDS, WARM_UP_MS } from "../../.tools/bench/plan.mjs";
import { median } from "../../.tools/bench/quantiles.mjs";
import type { Round } from "../../.tools/bench/round.mjs";

const named = (name: string) => cases.find((one) => one.name === name) ?? expect.fail(name);

/** A contestant whose rounds took so much CPU. */
function played(name: string, cpuUs: readonly number[], of: "this" | "other" = "this") {
  const one: Case = { ...named(name), connections: [32] };
  const rounds: Round[] = cpuUs.map((cpu) => ({
    ...{ answered: Number.isFinite(cpu) ? 100 : 0, failed: 0, failures: [] },
    ...{ perSecond: 1_000, p50Ms: 1, p99Ms: 2 },
    cpuUs: cpu,
  }));
  const stage = {} as Parameters<typeof linesOf>[0][number]["stage"];
  const player = {} as Parameters<typeof linesOf>[0][number]["player"];
  return { case: one, of, stage, player, rounds: new Map([[32, rounds]]) };
}

describe("the figures", () => {
  it("are medians, and ratios are the median of the rounds' ratios", () => {
    const lines = linesOf([
      played("bare-post", [100, 200, 400]),
      played("storm", [300, 400, 2_000]),
      played("storm", [300, 800, 1_000], "other"),
    ]);
    const storm = lines.find(({ name, of }) => name === "storm" && of === "this");
    expect(storm?.cpuUs).toBe(400);
    expect(storm?.bare).toEqual({ times: 3, spread: 1 });
    expect(storm?.other?.times).toBe(1);
  });

  it("compare with nothing that was not played", () => {
    const [line] = linesOf([played("fixture", [300])]);
    expect(line?.bare).toBeNull();
    expect(line?.plain).toBeNull();
    expect(line?.other).toBeNull();
  });

  it("leave out a round in which nothing was answered", () => {
    const none = Number.POSITIVE_INFINITY;
    const lines = linesOf([
      played("bare-post", [100, 100, 100]),
      played("storm", [300, none, 500]),
    ]);
    const storm = lines.find(({ name }) => name === "storm");
    expect(storm?.cpuUs).toBe(400);
    expect(storm?.bare).toEqual({ times: 4, spread: 0.5 });
  });

  it("of a view that follows a change leave the change out", () => {
    // A request of the sequence is an event or a view: 600 for both, of which 200 are the event.
    const lines = linesOf([played("list-changed", [300]), played("change", [200])]);
    expect(lines.find(({ name }) => name === "list-changed")?.cpuUs).toBe(400);
  });

  it.each([
    [[], 0],
    [[3], 3],
    [[5, 1, 3], 3],
    [[4, 1, 3, 2], 2.5],
  ])("have %j in the middle at %d", (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });
});

describe("the goals", () => {
  it.each([
    [{ what: "", wanted: 0.28, is: 0.26 }, "reached: 0.26"],
    [{ what: "", wanted: 0.28, is: 0.6 }, "not reached: 0.60 instead of 0.28"],
    [{ what: "", wanted: 2_500, is: 926.4, isAtLeast: true }, "not reached: 926 instead of 2,500"],
    [{ what: "", wanted: 2_500, is: 2_500, isAtLeast: true }, "reached: 2,500"],
  ])("say of %j: %s", (goal, said) => {
    expect(verdictOf(goal)).toBe(said);
  });

  it("are not reached by what could not be measured", () => {
    expect(verdictOf({ what: "", wanted: 1, is: Number.NaN })).toMatch(/^not reached/);
  });
});

describe("what is asked", () => {
  const reports = cases.flatMap(({ name, asks }) =>
    asks.flatMap((ask) => (ask.kind === "page" ? [] : [{ name, ask }])),
  );

  it.each(reports)("has other bytes each time: $name", ({ ask }) => {
    const { body } = requestOf(ask);
    const bodies = [0, 1, 500].map((n) => body?.(n).body);
    expect(new Set(bodies).size).toBe(3);
  });

  it.each([
    ["storm", 1],
    ["change", 100],
    ["mixed", 500],
    ["distinct", 1_000],
  ])("has so many faults: %s %d", (name, count) => {
    const [ask] = named(name).asks;
    const { body } = requestOf(ask ?? expect.fail());
    const faults = Array.from({ length: 1_000 }, (_, n) => {
      return /the \w+ order was not found/.exec(body?.(n).body ?? "")?.[0];
    });
    expect(new Set(faults).size).toBe(count);
  });

  it("is an event of about 4 KB", () => {
    const [ask] = named("storm").asks;
    const length = requestOf(ask ?? expect.fail()).body?.(1).body.length;
    expect(length).toBeGreaterThan(3_900);
    expect(length).toBeLessThan(4_500);
  });
});

describe("the command line", () => {
  it("brings along what a case is compared with", () => {
    const { chosen } = optionsOf(["--cases", "list-changed"]);
    expect(chosen.map(({ name }) => name)).toEqual([
      "bare-get",
      "list-changed-plain",
      "list-changed",
      "bare-post",
      "change",
    ]);
  });

  it.each([
    [["--cases", "storms"], "No case is storms"],
    [["--seconds", "soon"], "--seconds"],
    [["--seconds", "5"], "--seconds"],
  ])("refuses %j", (args, said) => {
    expect(() => optionsOf(args)).toThrow(said);
  });

  it("measures what is written for this revision alone", () => {
    expect(optionsOf([]).extras).toEqual(["cold-start", "writes", "latency"]);
    expect(optionsOf(["--against", "HEAD"]).extras).toEqual(["cold-start"]);
    expect(optionsOf(["--cases", "storm"]).extras).toEqual([]);
  });
});

describe("the plan", () => {
  it("stays within the time that was asked for", () => {
    const asked = { seconds: 540, turns: 24, writingTurns: 12, isWhole: true };
    const { roundMs, writesMs, latencyEvents } = planOf(asked);
    const loadMs = (WARM_UP_MS + ROUNDS * roundMs) * asked.turns;
    expect(loadMs + 3 * 1.5 * writesMs + latencyEvents * 100).toBeLessThan(asked.seconds * 1_000);
    expect(roundMs).toBeGreaterThan(1_000);
  });

  it("plays rounds that say something, however short it should be", () => {
    const { roundMs } = planOf({ seconds: 30, turns: 40, writingTurns: 20, isWhole: false });
    expect(roundMs).toBe(500);
  });
});
