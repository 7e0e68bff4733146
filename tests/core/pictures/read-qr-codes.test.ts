import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { toGrayPicture } from "#src/core/pictures/gray-picture.ts";
import { decodeModules } from "#src/core/pictures/qr/decode-modules.ts";
import { readQrCodes } from "#src/core/pictures/qr/read-qr-codes.ts";
import { readReceiptAddress, readShownDigests } from "#src/core/pictures/read-texts.ts";

const TEXTS = [
  "HTTPS://ERRATA.EXAMPLE/R/7F3K-Q2M9",
  "https://errata.example.com/p/2/e/7F3K-Q2M9",
  "20261130",
  "A longer text, which needs more than version 7: naïve café, and some more, and so on, until here.",
];
const LEVELS = ["L", "M", "Q", "H"] as const;
const CASES = LEVELS.flatMap((ecc) => TEXTS.map((text) => [ecc, text] as const));

/** Draws a code on gray ground, `module` pixels wide, turned by `degrees`. */
function draw(text: string, ecc: (typeof LEVELS)[number], module: number, degrees: number) {
  const { data, size } = encode(text, { ecc, border: 0 });
  const width = Math.round((size + 30) * module);
  const rgba = new Uint8Array(4 * width * width);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  for (let at = 0; at < width * width; at++) {
    const [x, y] = [((at % width) + 0.5) / module - 15, Math.floor(at / width) / module - 15];
    const [u, v] = [x * cos + y * sin, y * cos - x * sin];
    const isCode = [u, v].every((place) => place > -4 && place < size + 4);
    const value = isCode ? (data[Math.floor(v)]?.[Math.floor(u)] ? 20 : 250) : 190;
    rgba.set([value, value, value, 255], 4 * at);
  }
  return toGrayPicture(rgba, width, width);
}

describe.each(CASES)("a QR code of level %s with %j", (ecc, text) => {
  it("is decoded, also with two wrong modules", () => {
    const { data, size } = encode(text, { ecc, border: 0 });
    for (const wrong of [[], [size * size - 30], [size * size - 30, size * 10 + 12]])
      expect(
        decodeModules({
          size,
          isDark: (x, y) => (data[y]?.[x] ?? false) !== wrong.includes(y * size + x),
        }),
      ).toBe(text);
  });

  it.each([
    [2, 0],
    [3.3, 0],
    [6, 4],
  ])("is read in a picture with modules of %s pixels that is turned by %s°", (module, degrees) => {
    expect(readQrCodes(draw(text, ecc, module, degrees))).toEqual([text]);
  });
});

it("a picture without a code has no text", () => {
  const width = 300;
  const rgba = Uint8Array.from({ length: 4 * width * width }, (_, n) => (n * 7919) % 256);
  expect(readQrCodes(toGrayPicture(rgba, width, width))).toEqual([]);
  expect(readQrCodes({ width: 0, height: 0, pixels: new Uint8Array() })).toEqual([]);
});

it.each([
  ["HTTPS://ERRATA.EXAMPLE/R/7F3K-Q2M9", "7F3K-Q2M9"],
  ["https://errata.example/e/7f3k-q2m9", "7F3K-Q2M9"],
  ["https://errata.example/p/2/e/7F3K-Q2M9", "7F3K-Q2M9"],
  ["https://errata.example/d/7F3KQ2M9", "7F3K-Q2M9"],
  ["https://errata.example/e/7F3K-Q2N9", undefined],
  ["https://shop.example/menu", undefined],
  ["WIFI:S:cafe;T:WPA;P:7F3K-Q2M9;;", undefined],
  ["javascript:alert(1)//e/7F3K-Q2M9", undefined],
])("the address %j has the digest %j", (text, digest) => {
  expect(readReceiptAddress(text)).toBe(digest);
});

it("recognized text has the digests whose check character is right", () => {
  expect(readShownDigests("Application error\nDigest: 7F3K–Q2M9 or 7F3K-Q2N9")).toEqual([
    "7F3K-Q2M9",
  ]);
});
