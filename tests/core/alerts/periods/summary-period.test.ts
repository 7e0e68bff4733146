import { describe, expect, it } from "vitest";
import {
  findLastPeriod,
  findNextSummaryMs,
  isSummaryChoice,
  type SummaryPeriod,
} from "#src/core/alerts/periods/summary-period.ts";

const toMs = (text: string) => Date.parse(`${text}Z`);
const toText = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe("the period whose summary was due last, and the next summary", () => {
  it.each<[SummaryPeriod, string, readonly [from: string, to: string, next: string]]>([
    // 23 November 2026 is a Monday.
    [
      "day",
      "2026-11-23T05:59:59.999",
      ["2026-11-21T00:00", "2026-11-22T00:00", "2026-11-23T06:00"],
    ],
    ["day", "2026-11-23T06:00:00", ["2026-11-22T00:00", "2026-11-23T00:00", "2026-11-24T06:00"]],
    ["day", "2026-11-23T23:59:59", ["2026-11-22T00:00", "2026-11-23T00:00", "2026-11-24T06:00"]],
    ["day", "2027-01-01T07:00:00", ["2026-12-31T00:00", "2027-01-01T00:00", "2027-01-02T06:00"]],
    ["week", "2026-11-23T05:59:59", ["2026-11-09T00:00", "2026-11-16T00:00", "2026-11-23T06:00"]],
    ["week", "2026-11-23T06:00:00", ["2026-11-16T00:00", "2026-11-23T00:00", "2026-11-30T06:00"]],
    ["week", "2026-11-29T23:00:00", ["2026-11-16T00:00", "2026-11-23T00:00", "2026-11-30T06:00"]],
  ])("of a %s at %s are %j", (period, at, expected) => {
    const { fromMs, toMs: endMs, beforeMs } = findLastPeriod(period, toMs(at));
    const nextMs = findNextSummaryMs(period, toMs(at));
    expect([fromMs, endMs, nextMs].map(toText)).toEqual(expected);
    expect(endMs - fromMs).toBe(fromMs - beforeMs);
  });
});

it("a destination can ask for no summary, or for those of a period", () => {
  const values = ["never", "day", "week", "", "month", "constructor", undefined, 1];
  expect(values.map(isSummaryChoice)).toEqual([true, true, true, ...Array(5).fill(false)]);
});
