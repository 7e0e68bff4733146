/** Finds the three finder patterns of QR codes: squares whose sections are 1 : 1 : 3 : 1 : 1. */
import type { InkPicture } from "../gray-picture.ts";

/** The center of a finder pattern, and the width of a module there, in pixels. */
export interface Corner {
  readonly x: number;
  readonly y: number;
  readonly module: number;
}

/** The corners of a code. In a mirrored picture, `right` and `below` change places. */
export interface Corners {
  readonly corner: Corner;
  readonly right: Corner;
  readonly below: Corner;
}

const RATIOS = [1, 1, 3, 1, 1] as const;
const MAX_CORNERS = 24;

/** The triples that may be codes, the most regular first. */
export function findCorners(picture: InkPicture): readonly Corners[] {
  const corners = findFinders(picture);
  const triples: { readonly corners: Corners; readonly error: number }[] = [];
  for (const corner of corners)
    for (const right of corners)
      for (const below of corners) {
        if (right === corner || below === corner || right === below) continue;
        const [ax, ay] = [right.x - corner.x, right.y - corner.y];
        const [bx, by] = [below.x - corner.x, below.y - corner.y];
        // Turned clockwise, as seen on the screen.
        if (ax * by - ay * bx <= 0) continue;
        const [a, b] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
        const module = (corner.module + right.module + below.module) / 3;
        const sizes = [corner, right, below].map((one) => Math.abs(one.module / module - 1));
        const cosine = Math.abs(ax * bx + ay * by) / (a * b);
        const error = cosine + Math.abs(a / b - 1) + Math.max(...sizes);
        if (error > 0.8 || a < 10 * module || a > 60 * module) continue;
        triples.push({ corners: { corner, right, below }, error });
      }
  return triples.sort((a, b) => a.error - b.error).map((triple) => triple.corners);
}

function findFinders({ width, height, ink }: InkPicture): readonly Corner[] {
  const found: { x: number; y: number; module: number; count: number }[] = [];
  for (let y = 0; y < height; y++) {
    const row = y * width;
    // The last five sections, which alternate and end at x.
    let runs: number[] = [];
    let length = 0;
    let isInk = false;
    for (let x = 0; x <= width; x++) {
      const next = x < width && ink[row + x] === 1;
      if (next === isInk && x < width) {
        length++;
        continue;
      }
      runs = [...runs.slice(-4), length];
      if (isInk && runs.length === 5 && isFinder(runs)) {
        const total = runs.reduce((sum, run) => sum + run, 0);
        const middle = x - (runs[4] ?? 0) - (runs[3] ?? 0) - (runs[2] ?? 0) / 2;
        const down = crossCheck(ink, width, height, Math.floor(middle), y, total);
        if (down !== undefined) add(found, middle, down, total / 7);
      }
      isInk = next;
      length = 1;
    }
  }
  return found
    .filter(({ count }) => count >= 2)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_CORNERS)
    .map(({ x, y, module }) => ({ x, y, module }));
}

function isFinder(runs: readonly number[]): boolean {
  const module = runs.reduce((sum, run) => sum + run, 0) / 7;
  if (module < 1) return false;
  return runs.every((run, n) => {
    const expected = (RATIOS[n] ?? 1) * module;
    return Math.abs(run - expected) <= Math.max(1, 0.6 * Math.min(expected, 2 * module));
  });
}

/** The middle of the same pattern in the column, if it has it. */
function crossCheck(
  ink: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  total: number,
): number | undefined {
  const walk = (step: number): readonly [number, number, number] => {
    const runs = [0, 0, 0];
    let at = y;
    for (const [n, isInk] of [true, false, true].entries())
      for (; at >= 0 && at < height && (ink[at * width + x] === 1) === isInk; at += step)
        runs[n] = (runs[n] ?? 0) + 1;
    return runs as unknown as readonly [number, number, number];
  };
  const up = walk(-1);
  const down = walk(1);
  const runs = [up[2], up[1], up[0] + down[0] - 1, down[1], down[2]];
  const sum = runs.reduce((all, run) => all + run, 0);
  if (!isFinder(runs) || Math.abs(sum / total - 1) > 0.4) return undefined;
  return y + (down[0] - up[0]) / 2 + 0.5;
}

function add(
  found: { x: number; y: number; module: number; count: number }[],
  x: number,
  y: number,
  module: number,
): void {
  const same = found.find((one) => Math.hypot(one.x - x, one.y - y) < 3 * module);
  if (same === undefined) {
    found.push({ x, y, module, count: 1 });
    return;
  }
  const count = same.count + 1;
  same.x += (x - same.x) / count;
  same.y += (y - same.y) / count;
  same.module += (module - same.module) / count;
  same.count = count;
}
