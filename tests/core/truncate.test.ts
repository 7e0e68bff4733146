import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { Json } from "#src/core/report.ts";
import { truncateJson, truncateText } from "#src/core/truncate.ts";

describe("truncateText", () => {
  const cases = [
    { name: "keeps a text that fits", text: "cart", maxChars: 4, expected: "cart" },
    {
      name: "ends a truncated text with an ellipsis",
      text: "carts",
      maxChars: 4,
      expected: "car…",
    },
    { name: "never splits a surrogate pair", text: "ab😀cd", maxChars: 4, expected: "ab…" },
    { name: "keeps a pair that fits", text: "ab😀cd", maxChars: 5, expected: "ab😀…" },
    { name: "returns an empty text if nothing fits", text: "cart", maxChars: 0, expected: "" },
    {
      name: "returns the ellipsis if one character fits",
      text: "cart",
      maxChars: 1,
      expected: "…",
    },
  ];
  for (const { name, text, maxChars, expected } of cases) {
    it(name, () => expect(truncateText(text, maxChars)).toBe(expected));
  }

  it("is never longer than the limit and never ends in half a pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, maxChars) => {
        const truncated = truncateText(text, maxChars);
        expect(truncated.length).toBeLessThanOrEqual(Math.max(maxChars, 0));
        // encodeURIComponent throws for half a pair.
        expect(() => encodeURIComponent(truncated)).not.toThrow();
      }),
    );
  });
});

describe("truncateJson", () => {
  const smallLimits = { maxDepth: 3, maxMembers: 3, maxStringChars: 5, maxValues: 50 };
  const shared = ["x"];
  const cycle: Record<string, unknown> = { name: "loop" };
  cycle.self = cycle;
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();

  const cases: { name: string; value: unknown; expected: Json; isTruncated: boolean }[] = [
    {
      name: "keeps JSON that fits",
      value: { a: [1, "b", null, true].slice(0, 3) },
      expected: { a: [1, "b", null] },
      isTruncated: false,
    },
    { name: "truncates a long string", value: "abcdef", expected: "abcd…", isTruncated: true },
    {
      name: "truncates a long key",
      value: { abcdef: 1 },
      expected: { "abcd…": 1 },
      isTruncated: true,
    },
    {
      name: "omits members beyond the limit",
      value: [1, 2, 3, 4],
      expected: [1, 2, 3],
      isTruncated: true,
    },
    {
      name: "puts an ellipsis below the deepest level",
      value: [[[[1]]]],
      expected: [[["…"]]],
      isTruncated: true,
    },
    {
      name: "puts an ellipsis in place of an ancestor",
      value: cycle,
      expected: { name: "loop", self: "…" },
      isTruncated: true,
    },
    {
      name: "keeps values that are referenced twice",
      value: [shared, shared],
      expected: [["x"], ["x"]],
      isTruncated: false,
    },
    {
      name: "drops __proto__, constructor and prototype",
      value: JSON.parse('{"__proto__":{"a":1},"constructor":1,"prototype":2,"b":3}'),
      expected: { b: 3 },
      isTruncated: true,
    },
    {
      name: "turns NaN and Infinity into null",
      value: [Number.NaN, Number.POSITIVE_INFINITY],
      expected: [null, null],
      isTruncated: false,
    },
    {
      name: "omits functions, symbols and undefined",
      value: { f: () => 1, s: Symbol("s"), u: undefined, a: 1 },
      expected: { a: 1 },
      isTruncated: false,
    },
    { name: "writes a BigInt as text", value: 12n, expected: "12", isTruncated: false },
    { name: "turns undefined into null", value: undefined, expected: null, isTruncated: false },
    {
      name: "omits a member that cannot be read",
      value: {
        get a() {
          throw new Error("no");
        },
        b: 1,
      },
      expected: { b: 1 },
      isTruncated: true,
    },
    { name: "survives a revoked proxy", value: revoked, expected: {}, isTruncated: true },
    {
      name: "does not list the bytes of a buffer",
      value: new Uint8Array(9),
      expected: "…",
      isTruncated: true,
    },
  ];
  for (const { name, value, expected, isTruncated } of cases) {
    it(name, () =>
      expect(truncateJson(value, smallLimits)).toEqual({ value: expected, isTruncated }),
    );
  }

  it("visits no more values than the limit, however often they are referenced", () => {
    let wide: unknown = "leaf";
    for (let level = 0; level < 8; level++) wide = Array.from({ length: 100 }, () => wide);
    const { value, isTruncated } = truncateJson(wide, limits);
    expect(isTruncated).toBe(true);
    expect(JSON.stringify(value).split("leaf").length - 1).toBeLessThanOrEqual(limits.maxValues);
  });

  it("keeps any JSON within the limits and never throws", () => {
    const largeLimits = { maxDepth: 99, maxMembers: 999, maxStringChars: 9_999, maxValues: 99_999 };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        fc.pre(!/"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(value)));
        expect(truncateJson(plain, largeLimits)).toEqual({ value: plain, isTruncated: false });
      }),
    );
    fc.assert(
      fc.property(
        fc.anything({ withSparseArray: true, withTypedArray: true }),
        (value) => void truncateJson(value, smallLimits),
      ),
    );
  });
});
