import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createUserSketch,
  estimateUserCount,
  mergeUserSketches,
} from "../../src/core/hyperloglog.ts";

const visitor = (n: number) =>
  createUserSketch(createHash("sha256").update(`visitor ${n}`).digest());
const sketchOf = (from: number, to: number) => {
  let sketch: string | undefined;
  for (let n = from; n < to; n++) sketch = mergeUserSketches(sketch, visitor(n));
  return sketch;
};

describe("people are counted without keeping who", () => {
  it.each([0, 1, 2, 5, 10])("%i of them almost exactly", (people) => {
    expect(Math.abs(estimateUserCount(sketchOf(0, people)) - people)).toBeLessThanOrEqual(1);
  });

  it.each([100, 1_000, 10_000])(
    "of many issues with %i the counts are right within a tenth in the mean",
    (people) => {
      const errors = Array.from({ length: 8 }, (_, issue) => {
        const from = issue * 100_000;
        return Math.abs(estimateUserCount(sketchOf(from, from + people)) - people) / people;
      });
      expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.1);
    },
  );

  it("whoever comes again is counted once", () => {
    expect(mergeUserSketches(sketchOf(0, 50), visitor(7))).toBe(sketchOf(0, 50));
  });

  it("what is kept of one is three characters that thousands share", () => {
    const kept = new Set(Array.from({ length: 20_000 }, (_, n) => visitor(n)));
    expect([...kept].every((text) => /^[0-9a-f]{2}[0-9a-z]$/.test(text))).toBe(true);
    expect(kept.size).toBeLessThan(4_000);
  });

  it("two sketches become one, in whatever order, whatever is in them", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(300), (a, b, c) => {
        const [one, two] = [sketchOf(a, a + b), sketchOf(c, c + 40)];
        if (one === undefined || two === undefined) return;
        const both = mergeUserSketches(one, two);
        expect(mergeUserSketches(two, one)).toBe(both);
        let direct: string | undefined = one;
        for (let n = c; n < c + 40; n++) direct = mergeUserSketches(direct, visitor(n));
        expect(both).toBe(direct);
      }),
      { numRuns: 30 },
    );
  });

  it("what is no visitor changes nothing", () => {
    const sketch = sketchOf(0, 5) ?? "";
    for (const wrong of ["", "zz1", "0", "000"])
      expect(mergeUserSketches(sketch, wrong)).toBe(sketch);
  });
});
