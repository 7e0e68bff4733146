import { describe, expect, it } from "vitest";
import { formatClockSkew } from "#src/core/report/clock-skew.ts";

describe("formatClockSkew", () => {
  it.each([
    [-3 * 3_600_000, "3 h slow"],
    [3 * 3_600_000 + 4_000, "3 h fast"],
    [-61_000, "1 min slow"],
    [90 * 60_000, "90 min fast"],
    [-26 * 3_600_000, "26 h slow"],
    [40 * 86_400_000, "40 days fast"],
  ])("%i ms is %s", (skewMs, text) => {
    expect(formatClockSkew(skewMs)).toBe(text);
  });
});
