import { Buffer as RuntimeBuffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countUtf8Bytes } from "../../../src/render/react/patch-buffer.ts";
import { anyText } from "../../support/react-steps.tsx";

describe("the global Buffer", () => {
  it("looks as the runtime's own does", () => {
    expect(Object.getOwnPropertyDescriptor(globalThis, "Buffer")).toEqual({
      value: RuntimeBuffer,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  });

  it("counts the bytes that a text is encoded to, of any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { length } = new TextEncoder().encode(text);
        expect(countUtf8Bytes(text)).toBe(length);
        expect(Buffer.byteLength(text, "utf8")).toBe(length);
      }),
    );
  });

  it("counts everything else as ever", () => {
    expect(Buffer.byteLength("ü")).toBe(2);
    expect(Buffer.byteLength("ü", "latin1")).toBe(1);
    expect(Buffer.byteLength("c3bc", "hex")).toBe(2);
    expect(Buffer.byteLength(new Uint8Array(3))).toBe(3);
  });
});
