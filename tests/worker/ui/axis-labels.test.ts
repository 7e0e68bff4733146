// Labels below the bars of a chart never touch each other.

import { expect, it } from "vitest";
import { fitAxisLabels } from "#src/ui/parts/chart/axis-labels.ts";

const DAY = [
  { position: 0, name: "Sun 21:45 UTC" },
  { position: 0.09375, name: "Mon 00:00" },
  { position: 0.34375, name: "06:00" },
  { position: 0.59375, name: "12:00" },
  { position: 0.84375, name: "18:00" },
];

it("omits a label that would cover the one before, and shows fewer in narrower charts", () => {
  const fitting = fitAxisLabels(DAY, "now").map(({ name, from }) => [name, from]);
  expect(fitting).toEqual([
    ["Sun 21:45 UTC", "narrow"],
    ["06:00", "phone"],
    ["12:00", "narrow"],
    ["18:00", "phone"],
  ]);
});

it("keeps the end of the chart free for its last name", () => {
  const late = { position: 0.98, name: "21:30" };
  expect(fitAxisLabels([late], "now")).toEqual([]);
  expect(fitAxisLabels([{ ...late, position: 0.94 }], "now")).toMatchObject([{ from: "wide" }]);
});
