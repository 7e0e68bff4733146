/**
 * Finds where a picture has nine characters whose fifth is a dash, as in `7F3K-Q2M9`: four marks of
 * one height on each side of a short line at half their height. In a monospaced font they are at
 * regular distances; in any other one they are a word of their own.
 */
import type { Mark } from "../find-marks.ts";

/** The boxes of the eight characters of a digest, in the picture in which they were found. */
export interface DigestPlace {
  readonly top: number;
  readonly bottom: number;
  /** The places of the characters, without the dash, from left to right. */
  readonly letters: readonly LetterPlace[];
}

interface LetterPlace {
  readonly center: number;
  readonly width: number;
}

const SIDE = 4;
const CELL = 64;

/** The places; a digest may be at two, if its font may be monospaced or not. */
export function findDigestPlaces(marks: readonly Mark[]): readonly DigestPlace[] {
  const cells = new Map<number, Mark[]>();
  for (const mark of marks) {
    const cell = Math.floor((mark.top + mark.bottom) / 2 / CELL);
    const list = cells.get(cell);
    if (list === undefined) cells.set(cell, [mark]);
    else list.push(mark);
  }
  return marks.flatMap((mark) => {
    if (!isDash(mark)) return [];
    const cell = Math.floor((mark.top + mark.bottom) / 2 / CELL);
    const near = [cell - 1, cell, cell + 1].flatMap((key) => cells.get(key) ?? []);
    return findAround(mark, near);
  });
}

/** A line, wider than high, almost without holes. */
function isDash({ left, right, top, bottom, area }: Mark): boolean {
  const width = right - left;
  const height = bottom - top;
  return width >= 3 && width <= 80 && width >= 1.5 * height && area >= 0.55 * width * height;
}

function findAround(dash: Mark, near: readonly Mark[]): readonly DigestPlace[] {
  const dashWidth = dash.right - dash.left;
  const dashX = (dash.left + dash.right) / 2;
  const dashY = (dash.top + dash.bottom) / 2;
  const reach = 12 * dashWidth;
  const inBand = near
    .filter(
      (mark) =>
        mark !== dash &&
        mark.top < dashY &&
        mark.bottom > dashY - dashWidth &&
        mark.right > dashX - reach &&
        mark.left < dashX + reach,
    )
    .sort((a, b) => a.left - b.left);
  // The height that the marks at both sides have.
  const heights = [
    inBand.filter(({ right }) => right <= dash.left + 1).at(-1),
    inBand.find(({ left }) => left >= dash.right - 1),
  ].map((mark) => (mark === undefined ? 0 : mark.bottom - mark.top));
  // The tail of a Q makes it higher than the others.
  const height = Math.min(...heights);
  if (height < 7 || height < 0.9 * dashWidth || height > 4.5 * dashWidth) return [];
  const tall = joinOverlapping(
    inBand.filter(({ top, bottom }) => bottom - top > 0.3 * height && bottom - top < 1.5 * height),
  )
    .filter(({ top, bottom }) => bottom - top > 0.8 * height)
    .flatMap((mark) => splitTouching(mark, height));
  const before = tall.filter(({ right }) => right <= dash.left + 1).slice(-SIDE);
  const after = tall.filter(({ left }) => left >= dash.right - 1).slice(0, SIDE);
  if (before.length < SIDE || after.length < SIDE) return [];
  const eight = [...before, ...after];
  const top = median(eight.map((mark) => mark.top));
  const bottom = median(eight.map((mark) => mark.bottom));
  const dashAt = (dashY - top) / (bottom - top);
  const isLevel = eight.every(
    (mark) =>
      Math.abs(mark.top - top) <= 0.12 * height + 1 &&
      Math.abs(mark.bottom - bottom) <= 0.25 * height + 1,
  );
  if (!isLevel || dashAt <= 0.3 || dashAt >= 0.8) return [];
  return [
    placeRegularly(eight, dashX, height),
    placeAsWord({ tall, before, dash, after }, height),
  ].flatMap((letters) => (letters === undefined ? [] : [{ top, bottom, letters }]));
}

/** The places in a monospaced font. */
function placeRegularly(
  eight: readonly Mark[],
  dashX: number,
  height: number,
): readonly LetterPlace[] | undefined {
  const middles = eight.map(({ left, right }) => (left + right) / 2);
  const pitch = ((middles.at(-1) ?? 0) - (middles[0] ?? 0)) / (2 * SIDE);
  if (pitch < 0.6 * height || pitch > 1.5 * height) return undefined;
  const first = median(middles.map((middle, n) => middle - (n < SIDE ? n : n + 1) * pitch));
  const letters = middles.map((_, n) => {
    return { center: first + (n < SIDE ? n : n + 1) * pitch, width: pitch };
  });
  const isRegular = middles.every(
    (middle, n) => Math.abs(middle - (letters[n]?.center ?? 0)) < 0.3 * pitch,
  );
  return isRegular && Math.abs(first + SIDE * pitch - dashX) <= 0.3 * pitch ? letters : undefined;
}

/** The widest gap within a word, and the narrowest between words, in heights of a capital. */
const MAX_GAP = 0.35;
const MIN_SPACE = 0.25;

/** The places of characters that have widths of their own, if nothing else is in their word. */
function placeAsWord(
  {
    tall,
    before,
    dash,
    after,
  }: {
    readonly tall: readonly Mark[];
    readonly before: readonly Mark[];
    readonly dash: Mark;
    readonly after: readonly Mark[];
  },
  height: number,
): readonly LetterPlace[] | undefined {
  const word = [...before, dash, ...after];
  const measureGap = (left: Mark | undefined, right: Mark | undefined) =>
    (right?.left ?? Number.POSITIVE_INFINITY) - (left?.right ?? Number.NEGATIVE_INFINITY);
  const [first, last] = [word[0], word.at(-1)];
  const isOneWord = word.every(
    (mark, n) => n === 0 || measureGap(word[n - 1], mark) <= MAX_GAP * height,
  );
  const neighbors = [
    tall.filter(({ right }) => right <= (first?.left ?? 0)).at(-1),
    tall.find(({ left }) => left >= (last?.right ?? 0)),
  ];
  const isAlone =
    measureGap(neighbors[0], first) >= MIN_SPACE * height &&
    measureGap(last, neighbors[1]) >= MIN_SPACE * height;
  const letters = [...before, ...after].map(({ left, right }) => {
    return { center: (left + right) / 2, width: right - left + 1 };
  });
  const areLetters = letters.every(({ width }) => width > 0.1 * height && width < 1.3 * height);
  return isOneWord && isAlone && areLetters ? letters : undefined;
}

/** Marks above each other, such as the ring of a zero and its dot, as one. */
function joinOverlapping(marks: readonly Mark[]): readonly Mark[] {
  const joined: Mark[] = [];
  for (const mark of marks) {
    const last = joined.at(-1);
    if (last === undefined || mark.left >= last.right) joined.push(mark);
    else
      joined[joined.length - 1] = {
        left: Math.min(last.left, mark.left),
        top: Math.min(last.top, mark.top),
        right: Math.max(last.right, mark.right),
        bottom: Math.max(last.bottom, mark.bottom),
        area: last.area + mark.area,
      };
  }
  return joined;
}

/** Characters that touch, as those of Courier do, as one mark each. */
function splitTouching(mark: Mark, height: number): readonly Mark[] {
  const width = mark.right - mark.left;
  if (width < 1.35 * height) return [mark];
  const count = Math.round(width / (0.9 * height));
  return Array.from({ length: count }, (_, n) => ({
    ...mark,
    left: mark.left + (n * width) / count,
    right: mark.left + ((n + 1) * width) / count,
  }));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
