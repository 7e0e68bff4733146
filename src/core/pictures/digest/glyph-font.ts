/** The characters of digests in one font, as a short text, and read from a drawing of them. */
import { ALPHABET } from "../../grouping/encode-digest.ts";
import { findInk, type GrayPicture } from "../gray-picture.ts";
import { GLYPH_COLUMNS, GLYPH_ROWS, type Glyph, normalizeGlyph, readGlyph } from "./glyph.ts";
import type { GlyphFont } from "./match-digest.ts";

/**
 * The font of a picture with the alphabet in one dark line, each character in the middle of its
 * `pitch` pixels; undefined if a character is missing.
 */
export function readFont(picture: GrayPicture, pitch: number): GlyphFont | undefined {
  const { ink } = findInk(picture, false);
  const rows = Array.from(ALPHABET, (_, n) => {
    const has = (y: number) =>
      ink.subarray(y * picture.width + n * pitch, y * picture.width + (n + 1) * pitch).includes(1);
    const inked = Array.from({ length: picture.height }, (_, y) => y).filter(has);
    return { top: inked[0] ?? 0, bottom: (inked.at(-1) ?? 0) + 1 };
  });
  // The lines that most characters reach: the tail of a Q is below.
  const top = findMedian(rows.map((row) => row.top));
  const bottom = findMedian(rows.map((row) => row.bottom));
  const glyphs = Array.from(ALPHABET, (_, n) =>
    readGlyph(picture, { top, bottom, pitch, center: (n + 0.5) * pitch }, false),
  );
  return glyphs.every((glyph): glyph is Glyph => glyph !== undefined) ? glyphs : undefined;
}

function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

const LEVELS = 15;

/** The font in base64: two cells in a byte. */
export function packFont(font: GlyphFont): string {
  const bytes = font.flatMap((glyph) => {
    const low = Math.min(...glyph);
    const span = Math.max(...glyph) - low || 1;
    const levels = Array.from(glyph, (value) => Math.round(((value - low) / span) * LEVELS));
    return levels.flatMap((level, n) => (n % 2 === 0 ? [(level << 4) | (levels[n + 1] ?? 0)] : []));
  });
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));
}

/** The font of `packFont`. */
export function unpackFont(packed: string): GlyphFont {
  const bytes = atob(packed);
  const cells = GLYPH_COLUMNS * GLYPH_ROWS;
  return Array.from({ length: (2 * bytes.length) / cells }, (_, at) =>
    normalizeGlyph(
      Float32Array.from({ length: cells }, (_, n) => {
        const byte = bytes.charCodeAt((at * cells + n) >> 1);
        return n % 2 === 0 ? byte >> 4 : byte & 15;
      }),
    ),
  );
}
