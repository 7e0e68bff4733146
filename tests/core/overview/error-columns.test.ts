// The columns of the chart on the home page.

import { describe, expect, it } from "vitest";
import {
  createErrorColumns,
  type ErrorHour,
  type OverviewPeriod,
  sumColumns,
} from "#src/core/overview/error-columns.ts";
import { addRecentErrors, startRecentErrors } from "#src/core/overview/recent-errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toUtcHour } from "#src/core/utc-time.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);
const hour = (hoursAgo: number, count: number, trust = "server"): ErrorHour => ({
  hour: toUtcHour(NOW_MS - hoursAgo * HOUR_MS),
  trust,
  count,
});
const create = (
  period: OverviewPeriod,
  ageMs: number,
  { sinceMs = 0, hours = [] as readonly ErrorHour[], isKnown = true } = {},
) => {
  const errors = [1, 70].map((minutes) => {
    return { atMs: NOW_MS - minutes * MINUTE_MS, origin: "browser" as const, count: 1 };
  });
  const recent = isKnown ? addRecentErrors(startRecentErrors(sinceMs), errors, NOW_MS) : undefined;
  return createErrorColumns({ period, nowMs: NOW_MS, firstSeenMs: NOW_MS - ageMs, recent, hours });
};

describe("the columns", () => {
  it.each([
    ["of a day are quarters of an hour", "24h", 9 * DAY_MS, 15 * MINUTE_MS, 96],
    ["of a week are two hours", "7d", 40 * DAY_MS, 2 * HOUR_MS, 84],
    ["of a month are days", "30d", 90 * DAY_MS, DAY_MS, 30],
    ["of a project of 50 minutes are minutes", "24h", 50 * MINUTE_MS, MINUTE_MS, 51],
    ["of a project of a minute are ten minutes", "24h", MINUTE_MS, MINUTE_MS, 11],
    ["of a project of 100 minutes are two minutes", "30d", 100 * MINUTE_MS, 2 * MINUTE_MS, 51],
    ["of a project of 6 hours are quarters of an hour", "24h", 6 * HOUR_MS, 15 * MINUTE_MS, 25],
    ["of a project of 3 days are hours", "7d", 72 * HOUR_MS, HOUR_MS, 73],
  ] as const)("%s", (_, period, ageMs, stepMs, length) => {
    const columns = create(period, ageMs);
    expect([columns.stepMs, columns.series.server.length]).toEqual([stepMs, length]);
    expect(columns.toMs - columns.fromMs).toBe(stepMs * length);
    expect(columns.toMs).toBeGreaterThan(NOW_MS);
    expect(columns.toMs - NOW_MS).toBeLessThanOrEqual(stepMs);
  });

  it("are hours while an upgraded index does not know the whole time by quarter", () => {
    expect(create("24h", 9 * DAY_MS, { sinceMs: NOW_MS - HOUR_MS }).stepMs).toBe(HOUR_MS);
    expect(create("24h", 9 * DAY_MS, { isKnown: false }).stepMs).toBe(HOUR_MS);
    expect(create("24h", 9 * DAY_MS, { sinceMs: NOW_MS - 25 * HOUR_MS }).stepMs).toBe(
      15 * MINUTE_MS,
    );
  });

  it("count errors with a server key as those of servers, and all others as of browsers", () => {
    const hours = [hour(0, 2), hour(1, 3, "page"), hour(1, 4, "public"), hour(2, 9, "other")];
    const { series } = create("7d", 40 * DAY_MS, { hours });
    expect([series.server.at(-1), series.browser.at(-1)]).toEqual([2, 7]);
  });

  it("have the time before in the same steps, an hour in equal parts", () => {
    const columns = create("24h", 9 * DAY_MS, { hours: [hour(24, 40), hour(25, 8, "public")] });
    expect(columns.before?.length).toBe(96);
    expect(columns.before?.slice(-7)).toEqual([2, 2, 2, 2, 10, 10, 10]);
    const week = create("7d", 40 * DAY_MS, { hours: [hour(7 * 24, 40)] });
    expect(week.before?.at(-1)).toBe(40);
  });

  it.each([
    ["24h", DAY_MS - 1, false],
    ["24h", 2 * DAY_MS - 1, false],
    ["24h", 2 * DAY_MS, true],
    ["7d", 8 * DAY_MS, false],
    ["30d", 60 * DAY_MS, true],
  ] as const)("of %s, at an age of %i ms, are compared: %s", (period, ageMs, isCompared) => {
    expect(create(period, ageMs).before !== undefined).toBe(isCompared);
  });

  it("have the life of a project that is younger than the period", () => {
    expect(create("24h", HOUR_MS).lifeMs).toBe(HOUR_MS);
    expect(create("24h", DAY_MS).lifeMs).toBeUndefined();
  });

  it("lose no recent error of a young project", () => {
    expect(sumColumns(create("24h", 80 * MINUTE_MS)).reduce((a, b) => a + b, 0)).toBe(2);
  });
});
