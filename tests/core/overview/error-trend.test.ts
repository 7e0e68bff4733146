import { describe, expect, it } from "vitest";
import { createErrorTrend, describeTrend } from "#src/core/overview/error-trend.ts";
import type { DailyCounter } from "#src/core/stats/counters.ts";

/** Half past five in the afternoon. */
const NOW_MS = Date.UTC(2026, 10, 21, 17, 30);

const errors = (hour: string, count: number, noise = "", trust = "server"): DailyCounter => ({
  day: "2026-11-21",
  name: ["accepted", "error", noise, hour, trust],
  count,
});

describe("the errors by hour", () => {
  it("end with the current hour, and count bodies and sampled reports", () => {
    const counters: DailyCounter[] = [
      errors("2026112117", 2),
      { day: "2026-11-22", name: ["counted", "error", "", "2026112117", "server"], count: 3 },
      errors("2026112116", 1),
    ];
    const { series, fromMs, toMs } = createErrorTrend(counters, NOW_MS, 48);
    const counts = series.server;
    expect([counts.length, counts.at(-1), counts.at(-2), counts.at(-3)]).toEqual([48, 5, 1, 0]);
    expect(toMs - fromMs).toBe(48 * 3_600_000);
  });

  it("leave out noise, other kinds, and errors without an hour", () => {
    const counters: DailyCounter[] = [
      errors("2026112117", 4, "extension"),
      { day: "2026-11-21", name: ["accepted", "csp", ""], count: 5 },
      { day: "2026-11-21", name: ["accepted", "error", ""], count: 6 },
      {
        day: "2026-11-21",
        name: ["dropped", "error", "invention", "2026112117", "server"],
        count: 7,
      },
    ];
    expect(createErrorTrend(counters, NOW_MS, 48)).toMatchObject({ lastDay: 0, dayBefore: 0 });
  });

  it("compare the last day with the same hours before, the last one up to the same minute", () => {
    const counters = [
      errors("2026112117", 1),
      errors("2026112018", 10),
      // Half of this hour.
      errors("2026112017", 100),
      errors("2026111918", 20),
      errors("2026111917", 400),
    ];
    expect(createErrorTrend(counters, NOW_MS, 72)).toMatchObject({ lastDay: 11, dayBefore: 70 });
  });

  it("are those of all levels: with a server key of servers, all others of browsers", () => {
    const counters = [
      errors("2026112117", 2),
      errors("2026112010", 3),
      errors("2026112117", 9_000, "", "public"),
      errors("2026112117", 400, "", "page"),
      errors("2026112010", 40, "", "page"),
      errors("2026112117", 7, "", "unknown"),
    ];
    const { series, lastDay, dayBefore } = createErrorTrend(counters, NOW_MS, 72);
    expect([series.server.at(-1), series.browser.at(-1)]).toEqual([2, 9_400]);
    expect([lastDay, dayBefore]).toEqual([9_402, 43]);
  });
});

it.each([
  [118, 100, "18 % more than yesterday at this time"],
  [82, 100, "18 % fewer than yesterday at this time"],
  [100, 100, "as many as yesterday at this time"],
  [1_000, 1_001, "about as many as yesterday at this time"],
  [500, 100, "5 times as many as yesterday at this time"],
  [3, 0, "none yesterday at this time"],
  [0, 1_234, "1,234 yesterday at this time"],
])("%d errors after %d: %s", (lastDay, dayBefore, text) => {
  expect(describeTrend({ lastDay, dayBefore })).toBe(text);
});
