// The parts of the benchmarks that could make a figure wrong without an error: ratios, and the
// bytes that are sent.

import { describe, expect, it } from "vitest";
import { readNowMs } from "#support/clock/clock.ts";
import { CASES } from "../../../.tools/bench/rounds.ts";
import { computeMedian, formatRatio } from "../../../.tools/command/figures.ts";
import { countIssuesAfter, MIXES, type Mix, selectIssue } from "../../../.tools/reports/events.ts";
import { sendEvents, sendSpread } from "../../../.tools/rig/load.ts";

describe("the figures of the benchmarks", () => {
  it.each([
    { figures: [300, 400, 2_000], others: [100, 200, 400], ratio: "3.00 ± 50 %" },
    { figures: [300, 400, 2_000], others: [300, 800, 1_000], ratio: "1.00 ± 75 %" },
    // Rounds without an answer are left out.
    { figures: [300, Number.NaN, 500], others: [100, 100, 100], ratio: "4.00 ± 25 %" },
    { figures: [300], others: undefined, ratio: "" },
  ])("a ratio is the median of the rounds' ratios: $ratio", ({ figures, others, ratio }) => {
    expect(formatRatio(figures, others)).toBe(ratio);
  });

  it.each([
    [[300, 400, 2_000], 400],
    [[1, 2], 1.5],
  ])("the median of %j is %d", (numbers, median) => {
    expect(computeMedian(numbers)).toBe(median);
  });
});

describe("the requests of the benchmarks", () => {
  const bodies = [...CASES.map((one) => [one.name, one.requests] as const)].filter(
    ([, { body }]) => body !== undefined,
  );

  it.each([...bodies, ["spread", sendSpread(1)] as const])(
    "every body of %s has different bytes",
    (_, { body }) => {
      expect(new Set([0, 1, 500].map((n) => body?.(n))).size).toBe(3);
    },
  );

  it.each(Object.entries(MIXES))("the mix %s has %d issues", (mix, issues) => {
    const { body } = sendEvents(mix as Mix);
    const faults = Array.from({ length: 1_000 }, (_, n) => {
      return /the \w+ order was not found/.exec(body?.(n) ?? "")?.[0];
    });
    expect(new Set(faults).size).toBe(Math.min(issues, 1_000));
  });

  it.each([1, 0.5, 0.05])("a share of %d of the spread events begins an issue", (share) => {
    const issues = Array.from({ length: 2_000 }, (_, n) => selectIssue(n, share));
    expect(new Set(issues).size).toBe(countIssuesAfter(2_000, share));
    // The issues so far are numbered without gaps.
    issues.forEach((issue, n) => {
      expect(issue).toBeLessThan(countIssuesAfter(n + 1, share));
    });
  });

  it("events come with the server key from no browser: new issues of others are limited", () => {
    const { path, headers } = sendEvents("distinct");
    expect(path).toContain("sentry_key=errata_server_");
    expect(Object.keys(headers).filter((name) => /^(?:origin|sec-)/i.test(name))).toEqual([]);
  });

  it.each([sendEvents("storm"), sendSpread(1)])(
    "an event is about 4 KB, has a time of the last 30 days, and no open marks",
    ({ body }) => {
      for (const text of [0, 1, 500].map((n) => body?.(n) ?? "")) {
        expect(text.length).toBeGreaterThan(3_900);
        expect(text.length).toBeLessThan(4_900);
        expect(text).not.toContain("$");
        const { timestamp } = JSON.parse(text.split("\n")[2] ?? "");
        expect(readNowMs() / 1000 - timestamp).toBeLessThan(30 * 86_400);
      }
    },
  );
});
