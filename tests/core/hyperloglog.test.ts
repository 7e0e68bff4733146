import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUserSketch, estimateUserCount, mergeUserSketches } from "#src/core/hyperloglog.ts";

const userSketch = (n: number) =>
  createUserSketch(createHash("sha256").update(`user ${n}`).digest());
const createSketch = (from: number, to: number) => {
  let sketch: string | undefined;
  for (let n = from; n < to; n++) sketch = mergeUserSketches(sketch, userSketch(n));
  return sketch;
};

describe("a user sketch", () => {
  it.each([0, 1, 2, 5, 10])("estimates %i users almost exactly", (users) => {
    expect(Math.abs(estimateUserCount(createSketch(0, users)) - users)).toBeLessThanOrEqual(1);
  });

  it.each([100, 1_000, 10_000])("has a mean error below a tenth for %i users", (users) => {
    const errors = Array.from({ length: 8 }, (_, issue) => {
      const from = issue * 100_000;
      return Math.abs(estimateUserCount(createSketch(from, from + users)) - users) / users;
    });
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.1);
  });

  it("counts a returning user once", () => {
    expect(mergeUserSketches(createSketch(0, 50), userSketch(7))).toBe(createSketch(0, 50));
  });

  it("of one user is three characters that many users share", () => {
    const sketches = new Set(Array.from({ length: 20_000 }, (_, n) => userSketch(n)));
    expect([...sketches].every((text) => /^[0-9a-f]{2}[0-9a-z]$/.test(text))).toBe(true);
    expect(sketches.size).toBeLessThan(4_000);
  });

  it("merges with another sketch in any order as if every user were added", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(300), (a, b, c) => {
        const [one, two] = [createSketch(a, a + b), createSketch(c, c + 40)];
        if (one === undefined || two === undefined) return;
        const both = mergeUserSketches(one, two);
        expect(mergeUserSketches(two, one)).toBe(both);
        let direct: string | undefined = one;
        for (let n = c; n < c + 40; n++) direct = mergeUserSketches(direct, userSketch(n));
        expect(both).toBe(direct);
      }),
      { numRuns: 30 },
    );
  });

  it("ignores invalid sketches", () => {
    const sketch = createSketch(0, 5) ?? "";
    for (const wrong of ["", "zz1", "0", "000"])
      expect(mergeUserSketches(sketch, wrong)).toBe(sketch);
  });
});
