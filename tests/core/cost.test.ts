import { expect, it } from "vitest";
import { fitsFreePlan, monthlyUsd } from "../../src/core/cost.ts";

it.each([
  { name: "nothing", uploads: 0, kvWrites: 0, usd: 5 },
  { name: "what the plan includes", uploads: 20_000, kvWrites: 900, usd: 5 },
  // 300M uploads: 290M requests at $0.30, 359M to objects at $0.15, 610M rows at $1; 2M writes over 1M at $5.
  { name: "ten million uploads a day", uploads: 10_000_000, kvWrites: 100_000, usd: 765.85 },
])("a month of $name costs $usd dollars", ({ uploads, kvWrites, usd }) => {
  expect(monthlyUsd({ uploads, kvWrites })).toBeCloseTo(usd, 2);
});

it.each([
  { uploads: 0, kvWrites: 0, isFree: true },
  { uploads: 45_000, kvWrites: 950, isFree: true },
  { uploads: 46_000, kvWrites: 950, isFree: false },
  { uploads: 10, kvWrites: 1_001, isFree: false },
])(
  "$uploads uploads and $kvWrites writes a day fit the free plan: $isFree",
  ({ isFree, ...use }) => {
    expect(fitsFreePlan(use)).toBe(isFree);
  },
);
