import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeMsgpack } from "#src/ingest/minidump/msgpack.ts";

const decode = (hex: string) => decodeMsgpack(Uint8Array.from(Buffer.from(hex, "hex")));

describe("MessagePack", () => {
  it.each<[name: string, hex: string, value: unknown]>([
    ["a small map", "82a161c3a162c0", { a: true, b: null }],
    ["a small list", "93017fff", [1, 127, -1]],
    ["false", "c2", false],
    ["8, 16 and 32 bits", "93ccffcdffffceffffffff", [255, 65_535, 4_294_967_295]],
    ["negative", "93d080d18000d280000000", [-128, -32_768, -2_147_483_648]],
    ["64 bits that fit", "cf0000000100000000", 4_294_967_296],
    ["64 bits that do not", "cf08723f6d1c2e0bca", "608618637505203146"],
    ["negative 64 bits", "d3ffffffffffffffff", -1],
    ["floats", "92ca3fc00000cb3ff8000000000000", [1.5, 1.5]],
    ["text", "d903616263", "abc"],
    ["long text", "da0003616263", "abc"],
    ["bytes", "c403616263", "abc"],
    ["a list of 16 bits", "dc000101", [1]],
    ["a map of 16 bits", "de0001a16101", { a: 1 }],
    ["extensions", "93d40100c7020100000a", [null, null, 10]],
    ["a map as a name, which no sender writes", "8181a8746f537472696e670102", { "": 2 }],
    ["a forbidden name", "82a95f5f70726f746f5f5f01a16102", { a: 2 }],
  ])("with %s", (_name, hex, value) => {
    expect(decode(hex)).toEqual(value);
  });

  it.each([
    ["nothing", ""],
    ["a text that ends early", "d9ff61"],
    ["a list that ends early", "ddffffffff01"],
    ["too many levels", "91".repeat(5_000)],
  ])("with %s is undefined", (_name, hex) => {
    expect(decode(hex)).toBeUndefined();
  });

  it("with any bytes never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => decodeMsgpack(bytes)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
