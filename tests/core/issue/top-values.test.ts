import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { incrementTopValue, type TopValues } from "../../../src/core/issue/top-values.ts";
import { limits } from "../../../src/core/limits.ts";

const once = (atMs: number) => ({ occurrences: 1, firstMs: atMs, lastMs: atMs });
const count = (names: readonly string[]) => {
  let tops: TopValues | undefined;
  for (const [at, name] of names.entries()) tops = incrementTopValue(tops, name, once(at));
  return tops;
};

describe("the most frequent values", () => {
  it("stand first, each with its count and when it was first and last seen", () => {
    expect(count(["1.3", "1.4", "1.4", "1.3", "1.4"])?.values).toEqual([
      ["1.4", 3, 1, 4],
      ["1.3", 2, 0, 3],
    ]);
  });

  it("count many at once as one by one", () => {
    expect(
      incrementTopValue(undefined, "1.4", { occurrences: 480, firstMs: 3, lastMs: 9 }).values,
    ).toEqual([["1.4", 480, 3, 9]]);
  });

  it("are a bounded number, the newcomer among them, and with the rest they add up to all", () => {
    const name = fc.integer({ min: 0, max: 60 }).map((n) => `release ${n}`);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 400 }), (names) => {
        const tops = count(names);
        const values = tops?.values ?? [];
        expect(values.length).toBeLessThanOrEqual(limits.topValuesPerKey);
        expect(values.map(([its]) => its)).toContain(names.at(-1));
        expect(new Set(values.map(([its]) => its)).size).toBe(values.length);
        const sum = values.reduce((total, [, its]) => total + its, tops?.otherCount ?? 0);
        expect(sum).toBe(names.length);
      }),
    );
  });
});
