import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compareReleases, type FirstSeenLookup } from "#src/core/release/compare-releases.ts";

const seen =
  (moments: Readonly<Record<string, number>>): FirstSeenLookup =>
  (release) =>
    moments[release];
const never = seen({});

describe("versions of one package compare by version", () => {
  test.each([
    ["1.3.9", "1.4.0"],
    ["1.4.0", "1.10.0"],
    ["v1.4.0", "1.5"],
    ["1.4", "1.4.1"],
    ["1.4.0.1", "1.4.0.2"],
    ["web@1.4.0", "web@2.0.0"],
    ["@shop/web@1.4.0", "@shop/web@1.4.1"],
    ["2026.11.9", "2026.11.21"],
    ["999999999.0", "999999999.999999999"],
    // The example of Semantic Versioning, section 11.
    ["1.0.0-alpha", "1.0.0-alpha.1"],
    ["1.0.0-alpha.1", "1.0.0-alpha.beta"],
    ["1.0.0-alpha.beta", "1.0.0-beta"],
    ["1.0.0-beta", "1.0.0-beta.2"],
    ["1.0.0-beta.2", "1.0.0-beta.11"],
    ["1.0.0-beta.11", "1.0.0-rc.1"],
    ["1.0.0-rc.1", "1.0.0"],
    ["1.0.0-9", "1.0.0-a"],
    ["1.0.0-90071992547409930", "1.0.0-90071992547409931"],
    [`1.0.0-${"9".repeat(150)}`, `1.0.0-1${"0".repeat(150)}`],
    ["1.0.0", "1.0.0+42"],
    ["1.0.0+42", "1.0.1"],
  ])("%s comes before %s", (earlier, later) => {
    // Independent of when they were seen: an old version may be deployed after a new one.
    for (const known of [never, seen({ [earlier]: 9, [later]: 1 })]) {
      expect(compareReleases(earlier, later, known)).toBeLessThan(0);
      expect(compareReleases(later, earlier, known)).toBeGreaterThan(0);
    }
  });

  test.each([
    ["1.4.0", "1.4.0"],
    ["1.4", "1.4.0"],
    ["v1.4.0", "1.4.0"],
    ["web@v1.4", "web@1.4.0.0"],
    ["1.0.0-01", "1.0.0-1"],
    ["3f2a1b9c", "3f2a1b9c"],
  ])("%s equals %s", (a, b) => {
    expect(compareReleases(a, b, seen({ [a]: 1, [b]: 1 }))).toBe(0);
  });
});

describe("other names compare by when they were first seen", () => {
  test.each([
    ["commits", "3f2a1b9c", "0d41e7aa"],
    ["dates", "2026-11-21", "2026-11-09"],
    ["single numbers", "42", "7"],
    ["versions of different packages", "web@2.0.0", "api@1.0.0"],
    ["names, a version and a commit,", "2.0.0", "0d41e7aa"],
    ["versions, only one with a package,", "web@2.0.0", "1.0.0"],
    ["builds of one version", "1.4.0+f3", "1.4.0+0a"],
    ["texts that contain a version", "1.4.0 final", "1.3.0 final"],
  ])("the later of two %s was seen later", (_, earlier, later) => {
    const known = seen({ [earlier]: 1, [later]: 2 });
    expect(compareReleases(earlier, later, known)).toBeLessThan(0);
    expect(compareReleases(later, earlier, known)).toBeGreaterThan(0);
  });

  it("an unseen release is later than all seen ones and equals other unseen ones", () => {
    expect(compareReleases("3f2a1b9c", "0d41e7aa", seen({ "3f2a1b9c": 1 }))).toBeLessThan(0);
    expect(compareReleases("3f2a1b9c", "0d41e7aa", never)).toBe(0);
  });
});

const identifier = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom("a", "rc", "RC", "0", "00", "-", "", "9007199254740993", "9007199254740992"),
);
const version = fc
  .record({
    v: fc.constantFrom("", "v"),
    numbers: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 4 }),
    preRelease: fc.array(identifier, { maxLength: 3 }),
    build: fc.constantFrom("", "+1", "+2", "+3f2a1b9c"),
  })
  .map(
    ({ v, numbers, preRelease, build }) =>
      `web@${v}${numbers.join(".")}${preRelease.join(".") && `-${preRelease.join(".")}`}${build}`,
  );

/** When each release was first seen; undefined if never. */
const moments = fc.func(fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }));

describe("the order", () => {
  it("of versions of one package is total", () => {
    fc.assert(
      fc.property(version, version, version, moments, (a, b, c, known) => {
        const order = (left: string, right: string) =>
          Math.sign(compareReleases(left, right, known));
        expect(order(a, a)).toBe(0);
        expect(order(a, b) + order(b, a) === 0).toBe(true);
        if (order(a, b) <= 0 && order(b, c) <= 0) expect(order(a, c)).toBeLessThanOrEqual(0);
        if (order(a, b) === 0) expect(order(a, c)).toBe(order(b, c));
      }),
      { numRuns: 2_000 },
    );
  });

  it("of any two texts is a number whose sign flips when they are swapped", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), version);
    fc.assert(
      fc.property(text, text, moments, (a, b, known) => {
        const difference = compareReleases(a, b, known);
        expect(difference).not.toBeNaN();
        expect(Math.sign(difference) + Math.sign(compareReleases(b, a, known)) === 0).toBe(true);
      }),
    );
  });

  it("of hostile names is computed in linear time", () => {
    const hostile = ["@".repeat(2_000), `${"1.".repeat(1_000)}x`, `1.1-${"-".repeat(2_000)}!`];
    for (const name of hostile) expect(compareReleases(name, `${name}@`, never)).toBe(0);
  });
});
