import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, parseJson } from "#src/core/decode/parse-json.ts";
import { limits } from "#src/core/limits.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("parseJson", () => {
  const accepted = [
    { name: "an object", body: toBytes('{"a":[1,true,null]}'), value: { a: [1, true, null] } },
    { name: "a byte order mark", body: concatBytes("\uFEFF", "{}"), value: {} },
    { name: "white space around", body: toBytes(" \r\n[1] \n"), value: [1] },
    {
      name: "brackets and escaped quotes inside strings",
      body: toBytes(JSON.stringify({ a: `[[["{{{\\"${"[".repeat(500)}` })),
      value: { a: `[[["{{{\\"${"[".repeat(500)}` },
    },
    {
      name: "invalid UTF-8 as the replacement character",
      body: concatBytes('{"a":"', new Uint8Array([0xc3, 0x28, 0xff]), '"}'),
      value: { a: "\uFFFD(\uFFFD" },
    },
    {
      name: "NaN and Infinity, as Python writes them, as null",
      body: toBytes('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" NaN"}'),
      value: { a: null, b: [null, null], c: 'NaN " NaN' },
    },
    {
      name: "integers above 2^53 as text with all digits, and no other numbers",
      body: toBytes(
        '{"id":608548899684111178,"ids":[-1234567890123456789,9007199254740993,9007199254740991],' +
          '"float":[0.30000000000000004,12345678901234567890.5,1e20,12345678901234567e3],' +
          '"text":"608548899684111178 \\" 608548899684111178"}',
      ),
      value: {
        id: "608548899684111178",
        ids: ["-1234567890123456789", "9007199254740993", 9007199254740991],
        float: [0.30000000000000004, 1.2345678901234567e19, 1e20, 1.2345678901234567e19],
        text: '608548899684111178 " 608548899684111178',
      },
    },
    {
      name: "large integers besides NaN",
      body: toBytes('[NaN,608548899684111178,"NaN 608548899684111178"]'),
      value: [null, "608548899684111178", "NaN 608548899684111178"],
    },
    {
      name: "as many levels as limits.maxParsedDepth",
      body: toBytes(nested(limits.maxParsedDepth)),
      value: JSON.parse(nested(limits.maxParsedDepth)),
    },
  ];
  it.each(accepted)("reads $name", ({ body, value }) => {
    expect(parseJson(body, 10_000)).toEqual({ ok: true, value });
  });

  const refused = [
    { name: "nothing", body: toBytes(""), reason: "not-json" },
    { name: "half an object", body: toBytes('{"a":'), reason: "not-json" },
    { name: "NaN in a wrong place", body: toBytes("{NaN:1}"), reason: "not-json" },
    { name: "a word that begins so", body: toBytes('{"a":NaNs}'), reason: "not-json" },
    { name: "one byte over the cap", body: toBytes(`"${"x".repeat(9_999)}"`), reason: "too-large" },
    {
      name: "one level too deep",
      body: toBytes(nested(limits.maxParsedDepth + 1)),
      reason: "too-deep",
    },
    { name: "open brackets without an end", body: toBytes("[".repeat(9_999)), reason: "too-deep" },
    { name: "a string without an end", body: toBytes('["\\'), reason: "not-json" },
  ];
  it("rejects more objects and arrays than limits.maxParsedContainers without parsing", () => {
    const many = (count: number) => toBytes(`[${"{},".repeat(count - 2)}[]]`);
    const over = many(limits.maxParsedContainers + 1);
    expect(parseJson(over, over.length)).toMatchObject({ ok: false, reason: "too-large" });
    expect(parseJson(many(limits.maxParsedContainers), over.length).ok).toBe(true);
  });

  it.each(["[NaN,", "[608548899684111178,"])("takes linear time after %s", (start) => {
    // An expression that matches whole strings would take half a minute.
    const text = `${start}"${'\\"'.repeat(100_000)}`;
    expect(parseJson(toBytes(text), text.length)).toMatchObject({ ok: false, reason: "not-json" });
  });

  it.each(refused)("rejects $name as $reason", ({ body, reason }) => {
    expect(parseJson(body, 10_000)).toMatchObject({ ok: false, reason });
  });

  it("rejects 100,000 levels without parsing", () => {
    const body = toBytes(nested(100_000));
    expect(parseJson(body, body.length)).toMatchObject({ ok: false, reason: "too-deep" });
  });

  it.each([
    '{"__proto__":{"polluted":true},"a":1}',
    '{"\\u005f_proto__":{"polluted":true},"a":1}',
    '{"\\u005F\\u005fprot\\u006F__":{"polluted":true},"a":1}',
  ])("drops a __proto__ member in any spelling: %s", (text) => {
    const json = parseJson(toBytes(text), 10_000);
    expect(json).toEqual({ ok: true, value: { a: 1 } });
    expect(json.ok && Object.getOwnPropertyNames(json.value)).toEqual(["a"]);
    expect(json.ok && Object.getPrototypeOf(json.value)).toBe(Object.prototype);
  });

  it("agrees with JSON.parse on every value within the limits", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("__proto__"));
        expect(parseJson(toBytes(text), limits.maxItemBytes)).toEqual({
          ok: true,
          value: JSON.parse(text),
        });
      }),
    );
  });

  it("returns a value for any bytes and never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        expect(parseJson(body, 150)).toHaveProperty("ok");
        expect(typeof decodeText(body)).toBe("string");
      }),
    );
  });
});
