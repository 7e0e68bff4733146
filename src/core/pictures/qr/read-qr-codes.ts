/** Reads the QR codes in a picture: screenshots, and photos that are taken from nearly in front. */
import { findInk, type GrayPicture, interpolate, scalePicture } from "../gray-picture.ts";
import { decodeModules, MAX_VERSION, type Modules } from "./decode-modules.ts";
import { type Corners, findCorners } from "./find-corners.ts";

const SCALES = [1, 0.5, 2] as const;
const MAX_ENLARGED_PIXELS = 1_500_000;
const MAX_TRIPLES = 12;

/** The texts of the codes, each once. */
export function readQrCodes(picture: GrayPicture): readonly string[] {
  const texts = new Set<string>();
  for (const scale of SCALES) {
    if (scale > 1 && picture.width * picture.height > MAX_ENLARGED_PIXELS) continue;
    const scaled = scale === 1 ? picture : scalePicture(picture, scale);
    for (const isLight of [false, true]) {
      const corners = findCorners(findInk(scaled, isLight));
      for (const triple of corners.slice(0, MAX_TRIPLES)) {
        const text = readAt(scaled, triple, isLight);
        if (text !== undefined) texts.add(text);
      }
    }
    if (texts.size > 0) break;
  }
  return [...texts];
}

function readAt(picture: GrayPicture, corners: Corners, isLight: boolean): string | undefined {
  const { corner, right, below } = corners;
  const side =
    (Math.hypot(right.x - corner.x, right.y - corner.y) +
      Math.hypot(below.x - corner.x, below.y - corner.y)) /
    2;
  const module = (corner.module + right.module + below.module) / 3;
  const estimate = Math.round((side / module + 7 - 17) / 4);
  for (const version of [estimate, estimate - 1, estimate + 1]) {
    if (version < 1 || version > MAX_VERSION) continue;
    for (const lift of [0, -0.5, 0.5, 1, -1]) {
      const modules = sampleModules(picture, corners, 17 + 4 * version, lift, isLight);
      const text = decodeModules(modules);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/**
 * The modules at the places that the three corners give. `lift` moves the fourth corner, which has
 * no finder, by this many modules: a photo is never taken exactly from in front.
 */
function sampleModules(
  picture: GrayPicture,
  { corner, right, below }: Corners,
  size: number,
  lift: number,
  isLight: boolean,
): Modules {
  const span = size - 7;
  const threshold = findThreshold(picture, { corner, right, below });
  const isDark = (column: number, row: number): boolean => {
    const u = (column - 3) / span;
    const v = (row - 3) / span;
    const bend = (u * v * lift) / span;
    const x = corner.x + (u + bend) * (right.x - corner.x) + (v + bend) * (below.x - corner.x);
    const y = corner.y + (u + bend) * (right.y - corner.y) + (v + bend) * (below.y - corner.y);
    return interpolate(picture, x - 0.5, y - 0.5) < threshold !== isLight;
  };
  return { size, isDark };
}

/** Halfway between the dark center of the finders and the light ring around it. */
function findThreshold(picture: GrayPicture, corners: Corners): number {
  const levels = Object.values(corners).map(({ x, y, module }) => {
    const inside = interpolate(picture, x - 0.5, y - 0.5);
    const ring = interpolate(picture, x - 0.5 + 2 * module, y - 0.5);
    return (inside + ring) / 2;
  });
  return levels.reduce((sum, level) => sum + level, 0) / levels.length;
}
