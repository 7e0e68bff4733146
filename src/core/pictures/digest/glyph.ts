/**
 * A character as a small picture of one size, and how alike two of them are. A character keeps its
 * proportions: its height is that of the line.
 */
import { type GrayPicture, interpolate } from "../gray-picture.ts";

export const GLYPH_COLUMNS = 16;
export const GLYPH_ROWS = 16;
const CELLS = GLYPH_COLUMNS * GLYPH_ROWS;

/** How much ink each cell has, row by row. The mean is 0 and the length of the vector 1. */
export type Glyph = Float32Array;

/** Where one character is. `center` is the middle of its place, which is `pitch` wide. */
export interface GlyphPlace {
  readonly top: number;
  readonly bottom: number;
  readonly center: number;
  readonly pitch: number;
}

/**
 * Reads the character at a place, dark or light; undefined if there is no contrast.
 *
 * The levels are those of the place itself, so that a faint text is read like a strong one.
 */
export function readGlyph(
  picture: GrayPicture,
  { top, bottom, center, pitch }: GlyphPlace,
  isLight: boolean,
): Glyph | undefined {
  const left = Math.max(0, Math.floor(center - pitch / 2));
  const right = Math.min(picture.width, Math.ceil(center + pitch / 2));
  const upper = Math.max(0, Math.floor(top));
  const lower = Math.min(picture.height, Math.ceil(bottom));
  const values: number[] = [];
  for (let y = upper; y < lower; y++)
    for (let x = left; x < right; x++) values.push(picture.pixels[y * picture.width + x] ?? 0);
  values.sort((a, b) => a - b);
  const dark = values[Math.floor(values.length * 0.04)] ?? 0;
  const light = values[Math.floor(values.length * 0.96)] ?? 0;
  if (light - dark < 16) return undefined;
  const [ink, paper] = isLight ? [light, dark] : [dark, light];
  const inkAt = (x: number, y: number) =>
    Math.min(1, Math.max(0, (interpolate(picture, x, y) - paper) / (ink - paper)));
  // The character is moved to the middle of its cells by the box of its ink.
  let first = right;
  let last = left;
  for (let x = left; x < right; x++) {
    for (let y = upper; y < lower; y++) {
      if (inkAt(x, y) < 0.5) continue;
      first = Math.min(first, x);
      last = Math.max(last, x + 1);
    }
  }
  if (last <= first) return undefined;
  const cell = (bottom - top) / GLYPH_ROWS;
  const start = (first + last) / 2 - (GLYPH_COLUMNS * cell) / 2;
  const samples = Math.max(1, Math.min(4, Math.ceil(cell)));
  const glyph = new Float32Array(CELLS);
  for (let row = 0; row < GLYPH_ROWS; row++) {
    for (let column = 0; column < GLYPH_COLUMNS; column++) {
      let sum = 0;
      for (let v = 0; v < samples; v++) {
        for (let u = 0; u < samples; u++) {
          const x = start + (column + (u + 0.5) / samples) * cell - 0.5;
          const y = top + (row + (v + 0.5) / samples) * cell - 0.5;
          sum += x < left - 0.5 || x > right - 0.5 ? 0 : inkAt(x, y);
        }
      }
      glyph[row * GLYPH_COLUMNS + column] = sum / samples ** 2;
    }
  }
  return normalizeGlyph(blur(glyph));
}

/** The cells with mean 0 and length 1. */
export function normalizeGlyph(cells: Float32Array): Glyph {
  const mean = cells.reduce((sum, value) => sum + value, 0) / CELLS;
  const length = Math.sqrt(cells.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
  return cells.map((value) => (value - mean) / length);
}

/** Strokes of another width and place still overlap. */
function blur(cells: Float32Array): Float32Array {
  const pass = (from: Float32Array, step: number, size: number) =>
    from.map((value, at) => {
      const place = Math.floor(at / step) % size;
      const before = place === 0 ? 0 : (from[at - step] ?? 0);
      const after = place === size - 1 ? 0 : (from[at + step] ?? 0);
      return (before + 2 * value + after) / 4;
    });
  return pass(pass(cells, 1, GLYPH_COLUMNS), GLYPH_COLUMNS, GLYPH_ROWS);
}

/** How alike two glyphs are: 1 for the same, about 0 for others. Tries small moves. */
export function compareGlyphs(a: Glyph, b: Glyph): number {
  let best = -1;
  for (const dy of [-1, 0, 1])
    for (const dx of [-1, 0, 1]) {
      let sum = 0;
      for (let row = Math.max(0, dy); row < GLYPH_ROWS + Math.min(0, dy); row++)
        for (let column = Math.max(0, dx); column < GLYPH_COLUMNS + Math.min(0, dx); column++)
          sum +=
            (a[row * GLYPH_COLUMNS + column] ?? 0) *
            (b[(row - dy) * GLYPH_COLUMNS + column - dx] ?? 0);
      best = Math.max(best, sum - MOVE_COST * (Math.abs(dx) + Math.abs(dy)));
    }
  return best;
}

/** A moved match is worth less. */
const MOVE_COST = 0.01;
