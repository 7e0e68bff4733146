import { describe, expect, it } from "vitest";
import packedFonts from "#src/client/pictures/glyph-fonts.json";
import {
  ALPHABET,
  computeCheck,
  DATA_CHARS,
  formatDigest,
} from "#src/core/grouping/encode-digest.ts";
import { isDigest } from "#src/core/grouping/parse-digest.ts";
import { GLYPH_COLUMNS, GLYPH_ROWS } from "#src/core/pictures/digest/glyph.ts";
import { packFont, unpackFont } from "#src/core/pictures/digest/glyph-font.ts";
import type { GlyphFont } from "#src/core/pictures/digest/match-digest.ts";
import { readDigests } from "#src/core/pictures/digest/read-digests.ts";
import type { GrayPicture } from "#src/core/pictures/gray-picture.ts";

const FONTS = Object.entries(packedFonts).map(
  ([name, packed]) => [name, unpackFont(packed)] as const,
);
const ALL_FONTS = FONTS.map(([, font]) => font);

/** Seven characters that differ for each number, and their check character. */
function createLetters(seed: number): string {
  let rest = seed * 2_654_435_761 + 12_345;
  let data = "";
  for (let n = 0; n < DATA_CHARS; n++) {
    rest = (rest * 48_271 + 11) % 2_147_483_647;
    data += ALPHABET.charAt(rest % ALPHABET.length);
  }
  return data + computeCheck(data);
}

/** Draws four letters, a dash and four letters with the cells of a font, in the middle of paper. */
function draw(letters: string, font: GlyphFont, cell: number, isLight: boolean): GrayPicture {
  const pitch = Math.round(GLYPH_COLUMNS * cell);
  const margin = 40;
  const width = 9 * pitch + 2 * margin;
  const height = GLYPH_ROWS * cell + 2 * margin;
  const pixels = new Uint8Array(width * height).fill(isLight ? 25 : 245);
  const put = (x: number, y: number, ink: number) => {
    const value = isLight ? 25 + 215 * ink : 245 - 225 * ink;
    const at = y * width + x;
    pixels[at] = isLight ? Math.max(pixels[at] ?? 0, value) : Math.min(pixels[at] ?? 255, value);
  };
  for (const [n, letter] of [...letters].entries()) {
    const glyph = font[ALPHABET.indexOf(letter)] as Float32Array;
    const [low, high] = [Math.min(...glyph), Math.max(...glyph)];
    const left = margin + (n < 4 ? n : n + 1) * pitch;
    for (let y = 0; y < GLYPH_ROWS * cell; y++)
      for (let x = 0; x < GLYPH_COLUMNS * cell; x++) {
        const at = Math.floor(y / cell) * GLYPH_COLUMNS + Math.floor(x / cell);
        put(left + x, margin + y, ((glyph[at] ?? 0) - low) / (high - low));
      }
  }
  for (let y = 0; y < 2 * cell; y++)
    for (let x = 0; x < pitch * 0.6; x++)
      put(Math.round(margin + 4.2 * pitch + x), margin + 7 * cell + y, 1);
  return { width, height, pixels };
}

describe.each(FONTS)("a digest in %s", (_, font) => {
  it("is read at every size, dark and light", () => {
    for (const [n, cell] of [1, 2, 3, 5].entries())
      for (const isLight of [false, true]) {
        const letters = createLetters(31 * n + Number(isLight));
        const [reading] = readDigests(draw(letters, font, cell, isLight), ALL_FONTS);
        expect(reading?.digest ?? reading?.suggestions).toContain(formatDigest(letters));
      }
  });

  it("keeps its look when its font is packed", () => {
    expect(font).toHaveLength(ALPHABET.length);
    expect(packFont(unpackFont(packFont(font)))).toBe(packFont(font));
  });
});

it("nothing is certain without the right check character, whatever the letters", () => {
  for (let seed = 1; seed < 14; seed++) {
    const right = createLetters(seed);
    const check = ALPHABET.charAt((ALPHABET.indexOf(right.charAt(DATA_CHARS)) + seed) % 32);
    const letters = right.slice(0, DATA_CHARS) + check;
    const font = ALL_FONTS[seed % ALL_FONTS.length] as GlyphFont;
    for (const { digest, suggestions } of readDigests(draw(letters, font, 2, false), ALL_FONTS)) {
      for (const shown of [digest, ...suggestions])
        expect(shown === undefined || isDigest(shown)).toBe(true);
      if (!isDigest(formatDigest(letters))) expect(digest).not.toBe(formatDigest(letters));
      else expect(digest).toBe(formatDigest(letters));
    }
  }
});

it("a picture without a digest has none", () => {
  const noise = Uint8Array.from({ length: 400 * 300 }, (_, n) => (n * 7919) % 251);
  expect(readDigests({ width: 400, height: 300, pixels: noise }, ALL_FONTS)).toEqual([]);
  expect(readDigests({ width: 0, height: 0, pixels: new Uint8Array() }, ALL_FONTS)).toEqual([]);
});
