import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { incrementTopValue, type TopValues } from "#src/core/issue/top-values.ts";
import { limits } from "#src/core/limits.ts";

const once = (atMs: number) => ({ occurrences: 1, firstMs: atMs, lastMs: atMs });
const count = (names: readonly string[]) => {
  let topValues: TopValues | undefined;
  for (const [at, name] of names.entries())
    topValues = incrementTopValue(topValues, name, once(at));
  return topValues;
};

describe("top values", () => {
  it("are sorted by count, with the times of their first and last occurrence", () => {
    expect(count(["1.3", "1.4", "1.4", "1.3", "1.4"])?.values).toEqual([
      ["1.4", 3, 1, 4],
      ["1.3", 2, 0, 3],
    ]);
  });

  it("count many at once like one by one", () => {
    expect(
      incrementTopValue(undefined, "1.4", { occurrences: 480, firstMs: 3, lastMs: 9 }).values,
    ).toEqual([["1.4", 480, 3, 9]]);
  });

  it("are limited, contain the newest value, and add up to the total with the others", () => {
    const name = fc.integer({ min: 0, max: 60 }).map((n) => `release ${n}`);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 400 }), (names) => {
        const topValues = count(names);
        const values = topValues?.values ?? [];
        expect(values.length).toBeLessThanOrEqual(limits.topValuesPerKey);
        expect(values.map(([value]) => value)).toContain(names.at(-1));
        expect(new Set(values.map(([value]) => value)).size).toBe(values.length);
        const sum = values.reduce(
          (total, [, occurrences]) => total + occurrences,
          topValues?.otherCount ?? 0,
        );
        expect(sum).toBe(names.length);
      }),
    );
  });
});
