import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "#src/render/react/encode-utf8.ts";
import { anyText } from "#support/react/react-steps.tsx";

/** As the platform encodes each of them alone. */
function encodeEach(texts: readonly string[]): Uint8Array {
  return Buffer.concat(texts.map((text) => new TextEncoder().encode(text)));
}

describe("the bytes of several texts", () => {
  it.each([
    ["nothing", []],
    ["empty texts", ["", ""]],
    ["characters of one to four bytes", ["a", "é", "…漢", "👩‍🚀", "<p>"]],
    ["halves of a pair, which are not a character", ["\ud83d", "x\udc69", "\ud83d\ud83d"]],
    // Each alone is half a character, and React would have written each alone.
    ["the halves of a pair in two texts", ["\ud83d", "\udc69"]],
    ["more than there is room for", ["x".repeat(900_000), "漢".repeat(600_000), "…"]],
  ])("equal the concatenated bytes of each text: %s", (_what, texts) => {
    expect(Buffer.compare(encodeUtf8(texts), encodeEach(texts))).toBe(0);
  });

  it("equal the concatenated bytes of any texts", () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        expect(Buffer.compare(encodeUtf8(texts), encodeEach(texts))).toBe(0);
      }),
    );
  });

  it("do not change when other texts are encoded later", () => {
    const first = encodeUtf8(["first"]);
    encodeUtf8(["second"]);
    expect(new TextDecoder().decode(first)).toBe("first");
  });
});
