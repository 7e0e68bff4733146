/** Connected ink: the letters of a text, dashes, lines, and parts of images. */
import type { InkPicture } from "./gray-picture.ts";

/** The box of connected ink, in pixels; `right` and `bottom` are the first pixels outside. */
export interface Mark {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Its pixels of ink. */
  readonly area: number;
}

interface Run {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/**
 * The marks of at most `maxSide` pixels in height and width. Ink that touches at a corner is
 * connected.
 */
export function findMarks({ width, height, ink }: InkPicture, maxSide: number): readonly Mark[] {
  const runs: Run[] = [];
  const parents: number[] = [];
  const find = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    parents[index] = root;
    return root;
  };
  let above: readonly [from: number, to: number] = [0, 0];
  for (let y = 0; y < height; y++) {
    const from = runs.length;
    let next = above[0];
    for (let x = 0; x < width; x++) {
      if (ink[y * width + x] === 0) continue;
      const left = x;
      while (x < width && ink[y * width + x] === 1) x++;
      const index = runs.push({ left, right: x, y }) - 1;
      parents.push(index);
      while (next < above[1] && (runs[next] as Run).right < left) next++;
      for (let other = next; other < above[1]; other++) {
        if ((runs[other] as Run).left > x) break;
        parents[find(other)] = find(index);
      }
    }
    above = [from, runs.length];
  }
  const boxes = new Map<number, { -readonly [key in keyof Mark]: Mark[key] }>();
  for (const [index, { left, right, y }] of runs.entries()) {
    const root = find(index);
    const box = boxes.get(root);
    if (box === undefined) {
      boxes.set(root, { left, top: y, right, bottom: y + 1, area: right - left });
      continue;
    }
    box.left = Math.min(box.left, left);
    box.right = Math.max(box.right, right);
    box.bottom = y + 1;
    box.area += right - left;
  }
  return [...boxes.values()].filter(
    ({ left, top, right, bottom }) => right - left <= maxSide && bottom - top <= maxSide,
  );
}
