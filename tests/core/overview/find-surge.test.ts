// When errors surge, since which minute, and in which release.

import { describe, expect, it } from "vitest";
import type { ErrorColumns } from "#src/core/overview/error-columns.ts";
import { findSurge, findSurgeShare } from "#src/core/overview/find-surge.ts";
import { MINUTE_MS } from "#src/core/utc-time.ts";

const STEP_MS = 15 * MINUTE_MS;
const FROM_MS = Date.UTC(2026, 10, 27, 15, 45);
/** 15:34, in the middle of the last of 96 steps. */
const NOW_MS = FROM_MS + 95 * STEP_MS + 4 * MINUTE_MS;

/** Columns that end with `last`; all others, and all of yesterday, are `usual`. */
function createColumns(last: readonly number[], usual: number, before = usual): ErrorColumns {
  const server = [...Array.from({ length: 96 - last.length }, () => usual), ...last];
  return {
    fromMs: FROM_MS,
    toMs: FROM_MS + 96 * STEP_MS,
    stepMs: STEP_MS,
    series: { server, browser: server.map(() => 0) },
    before: server.map(() => before),
  };
}

const minutes = (list: readonly (readonly [minutesAgo: number, count: number])[]) => ({
  minutes: list.map(([ago, count]) => [Math.floor(NOW_MS / MINUTE_MS) - ago, count, 0] as const),
});

describe("a surge", () => {
  it.each([
    ["three times yesterday and more", createColumns([80, 100], 4), 180],
    ["also if the current step has just begun", createColumns([80, 0], 4), 80],
    ["of a project that is usually silent", createColumns([25], 0), 25],
  ])("is %s", (_, columns, count) => {
    expect(findSurge(columns, undefined, NOW_MS)?.count).toBe(count);
  });

  it.each([
    ["12 after 11", createColumns([3, 3], 3)],
    ["fewer than 20 errors", createColumns([9, 10], 0)],
    ["as many as yesterday at this time", createColumns([80, 20], 4, 60)],
    ["a peak that has passed", createColumns([90, 4, 4, 4], 4)],
    ["a fall", createColumns([0, 0], 40)],
  ])("is not %s", (_, columns) => {
    expect(findSurge(columns, undefined, NOW_MS)).toBeUndefined();
  });

  it("is unknown without a day before", () => {
    const { before: _, ...columns } = createColumns([80, 100], 4);
    expect(findSurge(columns, undefined, NOW_MS)).toBeUndefined();
  });

  it("begins in the first minute that has more than usual, or with its step", () => {
    const columns = createColumns([80, 100], 4);
    const known = minutes([
      [18, 1],
      [12, 9],
      [11, 20],
    ]);
    expect(findSurge(columns, known, NOW_MS)).toMatchObject({
      sinceMs: NOW_MS - 12 * MINUTE_MS,
      count: 180,
      before: 5,
    });
    expect(findSurge(columns, minutes([]), NOW_MS)?.sinceMs).toBe(FROM_MS + 94 * STEP_MS);
  });
});

describe("the release of a surge", () => {
  it.each([
    ["has all errors", [{ count: 9, releases: ["a", "a"] }], { release: "a", share: 1 }],
    [
      "has at least 80 %",
      [
        { count: 90, releases: ["a", "a"] },
        { count: 10, releases: ["b"] },
      ],
      { release: "a", share: 0.9 },
    ],
    [
      "is none below 80 %",
      [
        { count: 70, releases: ["a"] },
        { count: 30, releases: ["b"] },
      ],
      undefined,
    ],
    ["is none if most errors name none", [{ count: 9, releases: [undefined] }], undefined],
    ["is none without known reports", [{ count: 9, releases: [] }], undefined],
  ])("%s", (_, issues, expected) => {
    expect(findSurgeShare(issues)).toEqual(expected);
  });
});
