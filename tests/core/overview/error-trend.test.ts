// A count compared with the one of an earlier time, as messages say it.

import { expect, it } from "vitest";
import { describeChange } from "#src/core/overview/error-trend.ts";

it.each([
  [12, 11, "11 the day before"],
  [11, 12, "12 the day before"],
  [33, 11, "3 times as many as the day before"],
  [118, 100, "18 % more than the day before"],
  [80, 100, "20 % fewer than the day before"],
  [1_001, 1_000, "about as many as the day before"],
  [7, 7, "as many as the day before"],
  [7, 0, "none the day before"],
  [0, 7, "7 the day before"],
])("%i after %i: %s", (count, before, text) => {
  expect(describeChange(count, before, "the day before")).toBe(text);
});
