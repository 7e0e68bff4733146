import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import type { Json } from "../../src/core/report.ts";
import { truncateJson, truncateText } from "../../src/core/truncate.ts";

describe("cutText", () => {
  const cases = [
    { name: "leaves a text that fits as it is", text: "cart", maxChars: 4, cut: "cart" },
    { name: "ends a cut text in an ellipsis", text: "carts", maxChars: 4, cut: "car…" },
    { name: "never splits a surrogate pair", text: "ab😀cd", maxChars: 4, cut: "ab…" },
    { name: "keeps a pair that fits", text: "ab😀cd", maxChars: 5, cut: "ab😀…" },
    { name: "leaves nothing where nothing fits", text: "cart", maxChars: 0, cut: "" },
    {
      name: "leaves the ellipsis alone where one character fits",
      text: "cart",
      maxChars: 1,
      cut: "…",
    },
  ];
  for (const { name, text, maxChars, cut } of cases) {
    it(name, () => expect(truncateText(text, maxChars)).toBe(cut));
  }

  it("is never longer than the cap, and never ends in half a pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, maxChars) => {
        const cut = truncateText(text, maxChars);
        expect(cut.length).toBeLessThanOrEqual(Math.max(maxChars, 0));
        // encodeURIComponent throws for half a pair.
        expect(() => encodeURIComponent(cut)).not.toThrow();
      }),
    );
  });
});

describe("cutJson", () => {
  const caps = { maxDepth: 3, maxMembers: 3, maxStringChars: 5, maxValues: 50 };
  const shared = ["x"];
  const cycle: Record<string, unknown> = { name: "loop" };
  cycle.self = cycle;
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();

  const cases: { name: string; value: unknown; kept: Json; isTruncated: boolean }[] = [
    {
      name: "keeps JSON that fits",
      value: { a: [1, "b", null, true].slice(0, 3) },
      kept: { a: [1, "b", null] },
      isTruncated: false,
    },
    { name: "cuts a long string", value: "abcdef", kept: "abcd…", isTruncated: true },
    { name: "cuts a long key", value: { abcdef: 1 }, kept: { "abcd…": 1 }, isTruncated: true },
    {
      name: "leaves out members behind the cap",
      value: [1, 2, 3, 4],
      kept: [1, 2, 3],
      isTruncated: true,
    },
    {
      name: "puts an ellipsis below the deepest level",
      value: [[[[1]]]],
      kept: [[["…"]]],
      isTruncated: true,
    },
    {
      name: "puts an ellipsis in place of an ancestor",
      value: cycle,
      kept: { name: "loop", self: "…" },
      isTruncated: true,
    },
    {
      name: "keeps what is referred to twice",
      value: [shared, shared],
      kept: [["x"], ["x"]],
      isTruncated: false,
    },
    {
      name: "drops __proto__, constructor and prototype",
      value: JSON.parse('{"__proto__":{"a":1},"constructor":1,"prototype":2,"b":3}'),
      kept: { b: 3 },
      isTruncated: true,
    },
    {
      name: "makes null of numbers that JSON does not know",
      value: [Number.NaN, Number.POSITIVE_INFINITY],
      kept: [null, null],
      isTruncated: false,
    },
    {
      name: "leaves out functions, symbols and undefined",
      value: { f: () => 1, s: Symbol("s"), u: undefined, a: 1 },
      kept: { a: 1 },
      isTruncated: false,
    },
    { name: "writes a BigInt as text", value: 12n, kept: "12", isTruncated: false },
    { name: "makes null of what has no JSON", value: undefined, kept: null, isTruncated: false },
    {
      name: "leaves out a member that cannot be read",
      value: {
        get a() {
          throw new Error("no");
        },
        b: 1,
      },
      kept: { b: 1 },
      isTruncated: true,
    },
    { name: "survives a revoked proxy", value: revoked, kept: {}, isTruncated: true },
    {
      name: "does not list the bytes of a buffer",
      value: new Uint8Array(9),
      kept: "…",
      isTruncated: true,
    },
  ];
  for (const { name, value, kept, isTruncated } of cases) {
    it(name, () => expect(truncateJson(value, caps)).toEqual({ value: kept, isTruncated }));
  }

  it("visits no more values than the cap, however often they are referred to", () => {
    let wide: unknown = "leaf";
    for (let level = 0; level < 8; level++) wide = Array.from({ length: 100 }, () => wide);
    const { value, isTruncated } = truncateJson(wide, limits);
    expect(isTruncated).toBe(true);
    expect(JSON.stringify(value).split("leaf").length - 1).toBeLessThanOrEqual(limits.maxValues);
  });

  it("leaves anything that is within the caps as JSON has it, and never throws", () => {
    const roomy = { maxDepth: 99, maxMembers: 999, maxStringChars: 9_999, maxValues: 99_999 };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        fc.pre(!/"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(value)));
        expect(truncateJson(plain, roomy)).toEqual({ value: plain, isTruncated: false });
      }),
    );
    fc.assert(
      fc.property(
        fc.anything({ withSparseArray: true, withTypedArray: true }),
        (value) => void truncateJson(value, caps),
      ),
    );
  });
});
