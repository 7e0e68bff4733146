import { Buffer as RuntimeBuffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countUtf8Bytes } from "#src/render/react/patch-buffer.ts";
import { anyText } from "#support/react/react-steps.tsx";

describe("the global Buffer", () => {
  it("has the same property descriptor as that of the runtime", () => {
    expect(Object.getOwnPropertyDescriptor(globalThis, "Buffer")).toEqual({
      value: RuntimeBuffer,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  });

  it("counts the UTF-8 bytes of any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { length } = new TextEncoder().encode(text);
        expect(countUtf8Bytes(text)).toBe(length);
        expect(Buffer.byteLength(text, "utf8")).toBe(length);
      }),
    );
  });

  it("counts other encodings and values like that of the runtime", () => {
    expect(Buffer.byteLength("ü")).toBe(2);
    expect(Buffer.byteLength("ü", "latin1")).toBe(1);
    expect(Buffer.byteLength("c3bc", "hex")).toBe(2);
    expect(Buffer.byteLength(new Uint8Array(3))).toBe(3);
  });
});
