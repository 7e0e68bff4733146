// The smallest run of `npm run bench:scale`, and its options.

import { describe, expect, it } from "vitest";
import { decodeOptions, formatSizes } from "../../../.tools/bench-scale.ts";
import { workerFile } from "../../../.tools/build/built.ts";
import { measureSizes } from "../../../.tools/scale/sizes.ts";

it("a run with 100 reports fills every cell, and every event is acknowledged", async () => {
  const options = { share: 0.5, sizes: [100], parts: ["pages", "start"] } as const;
  const sizes = await measureSizes(workerFile, { ...options, pageMs: 0, watchMs: 200 });
  const [size] = sizes;
  expect(size?.failed).toBe(0);
  for (const row of ["CPU ms", "rows read", "rows written", "requests to objects", "KV writes"]) {
    expect([row, Number(size?.tables["an event under load"]?.[row]) > 0]).toEqual([row, true]);
  }
  const text = formatSizes(sizes).join("\n");
  expect(text).toContain("| an event under load | 50 % new, 100 (50 issues) |");
  // A page has a status if it was not answered as expected, and reads rows.
  expect(text).not.toMatch(/NaN|undefined|Infinity|status \d|\(0\)/);
}, 60_000);

describe("the options of the scale benchmark", () => {
  it.each([
    { args: ["--reports", "10"], names: "--reports" },
    { args: ["--distinct", "0"], names: "--distinct" },
    { args: ["--parts", "page"], names: "--parts" },
  ])("$args.0 $args.1 is refused by name", ({ args, names }) => {
    expect(() => decodeOptions(args)).toThrow(names);
  });

  it("sizes are sorted", () => {
    expect(decodeOptions(["--reports", "2000,1000"]).reports).toEqual([1_000, 2_000]);
  });
});
