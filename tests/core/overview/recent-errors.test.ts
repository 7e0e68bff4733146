// The errors of the last hours by minute and by quarter of an hour.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addRecentErrors,
  type CountedError,
  joinRecentErrors,
  MINUTES_KEPT_MS,
  QUARTER_MS,
  QUARTERS_KEPT_MS,
  RECENT_ERRORS,
  spreadSteps,
  startRecentErrors,
} from "#src/core/overview/recent-errors.ts";
import { HOUR_MS, MINUTE_MS } from "#src/core/utc-time.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);
const minutesAgo = (minutes: number, origin: CountedError["origin"] = "server", count = 1) => ({
  atMs: NOW_MS - minutes * MINUTE_MS,
  origin,
  count,
});
const add = (...errors: readonly CountedError[]) =>
  addRecentErrors(startRecentErrors(0), errors, NOW_MS);
const sum = (steps: readonly (readonly [number, number, number])[]) =>
  steps.reduce((total, [, server, browser]) => total + server + browser, 0);

describe("recent errors", () => {
  it("are counted by origin in the minute and the quarter in which they occurred", () => {
    const { minutes, quarters } = add(
      minutesAgo(4),
      minutesAgo(4, "browser", 3),
      minutesAgo(5),
      minutesAgo(20),
    );
    const minute = Math.floor(NOW_MS / MINUTE_MS);
    expect(minutes).toEqual([
      [minute - 20, 1, 0],
      [minute - 5, 1, 0],
      [minute - 4, 1, 3],
    ]);
    const quarter = Math.floor(NOW_MS / QUARTER_MS);
    expect(quarters).toEqual([
      [quarter - 2, 1, 0],
      [quarter - 1, 1, 0],
      [quarter, 1, 3],
    ]);
    expect(sum(quarters)).toBe(6);
  });

  it("of a sender whose clock is ahead are of now", () => {
    const { minutes } = add({ atMs: NOW_MS + HOUR_MS, origin: "browser", count: 2 });
    expect(minutes).toEqual([[Math.floor(NOW_MS / MINUTE_MS), 0, 2]]);
  });

  it("are forgotten after three hours by minute and after a day by quarter", () => {
    const old = add(
      minutesAgo(MINUTES_KEPT_MS / MINUTE_MS),
      minutesAgo(QUARTERS_KEPT_MS / MINUTE_MS),
    );
    expect([sum(old.minutes), sum(old.quarters)]).toEqual([0, 1]);
    const later = addRecentErrors(old, [], NOW_MS + QUARTERS_KEPT_MS);
    expect([later.minutes, later.quarters]).toEqual([[], []]);
  });

  it("of several rows are added up, and known since the latest beginning", () => {
    const a = addRecentErrors(startRecentErrors(0), [minutesAgo(1)], NOW_MS);
    const b = addRecentErrors(startRecentErrors(5), [minutesAgo(1), minutesAgo(9)], NOW_MS);
    const joined = joinRecentErrors([a, b]);
    expect(joined?.sinceMs).toBe(5);
    expect(sum(joined?.minutes ?? [])).toBe(3);
    expect(joinRecentErrors([])).toBeUndefined();
  });

  it("are spread over the steps of a chart, and those outside of it are left out", () => {
    const { minutes } = add(minutesAgo(1), minutesAgo(2, "browser"), minutesAgo(30));
    const range = { fromMs: NOW_MS - 4 * MINUTE_MS, stepMs: 2 * MINUTE_MS, length: 2 };
    expect(spreadSteps(minutes, MINUTE_MS, range)).toEqual({ server: [0, 1], browser: [0, 1] });
  });

  it("have a bounded size, whatever is sent, and are read as they were written", () => {
    const error = fc.record({
      atMs: fc.integer({ min: NOW_MS - 3 * QUARTERS_KEPT_MS, max: NOW_MS + HOUR_MS }),
      origin: fc.constantFrom("server" as const, "browser" as const),
      count: fc.integer({ min: 1, max: 1e6 }),
    });
    fc.assert(
      fc.property(fc.array(error, { maxLength: 400 }), (errors) => {
        const recent = add(...errors);
        expect(recent.minutes.length).toBeLessThanOrEqual(MINUTES_KEPT_MS / MINUTE_MS);
        expect(recent.quarters.length).toBeLessThanOrEqual(QUARTERS_KEPT_MS / QUARTER_MS);
        expect(RECENT_ERRORS.check(JSON.parse(RECENT_ERRORS.encode(recent)))).toEqual({
          kind: "ok",
          value: recent,
        });
      }),
    );
  });
});
