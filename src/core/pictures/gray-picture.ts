/**
 * Pictures as one byte of brightness for each pixel, and their black-and-white form. Nothing here
 * knows what a picture shows.
 */

/** Brightness, 0 (black) to 255, row by row. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** 1 where a pixel is ink, that is, differs from its surroundings; row by row. */
export interface InkPicture {
  readonly width: number;
  readonly height: number;
  readonly ink: Uint8Array;
}

/** The brightness of RGBA pixels (ITU-R BT.601). Transparent pixels are taken as white. */
export function toGrayPicture(
  rgba: Uint8ClampedArray | Uint8Array,
  width: number,
  height: number,
): GrayPicture {
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at++) {
    const from = 4 * at;
    const gray = 77 * (rgba[from] ?? 0) + 150 * (rgba[from + 1] ?? 0) + 29 * (rgba[from + 2] ?? 0);
    pixels[at] = 255 - ((255 - (gray >> 8)) * (rgba[from + 3] ?? 0)) / 255;
  }
  return { width, height, pixels };
}

/** The picture with other proportions of its size: 0.5 is half as wide and high. */
export function scalePicture(picture: GrayPicture, factor: number): GrayPicture {
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  const pixels = new Uint8Array(width * height);
  const stepX = picture.width / width;
  const stepY = picture.height / height;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      pixels[y * width + x] =
        factor < 1
          ? averageArea(picture, x * stepX, y * stepY, stepX, stepY)
          : interpolate(picture, (x + 0.5) * stepX - 0.5, (y + 0.5) * stepY - 0.5);
  }
  return { width, height, pixels };
}

/** The mean brightness of whole pixels in an area. */
function averageArea(
  { width, height, pixels }: GrayPicture,
  x: number,
  y: number,
  areaWidth: number,
  areaHeight: number,
): number {
  const right = Math.min(width, Math.ceil(x + areaWidth));
  const bottom = Math.min(height, Math.ceil(y + areaHeight));
  let sum = 0;
  let count = 0;
  for (let row = Math.floor(y); row < bottom; row++) {
    for (let column = Math.floor(x); column < right; column++) {
      sum += pixels[row * width + column] ?? 0;
      count++;
    }
  }
  return sum / Math.max(1, count);
}

/** The brightness at a place between pixel centers; outside, that of the nearest pixel. */
export function interpolate({ width, height, pixels }: GrayPicture, x: number, y: number): number {
  const atX = Math.min(Math.max(x, 0), width - 1);
  const atY = Math.min(Math.max(y, 0), height - 1);
  const left = Math.floor(atX);
  const top = Math.floor(atY);
  const right = Math.min(left + 1, width - 1);
  const bottom = Math.min(top + 1, height - 1);
  const shareX = atX - left;
  const shareY = atY - top;
  const upper =
    (pixels[top * width + left] ?? 0) * (1 - shareX) + (pixels[top * width + right] ?? 0) * shareX;
  const lower =
    (pixels[bottom * width + left] ?? 0) * (1 - shareX) +
    (pixels[bottom * width + right] ?? 0) * shareX;
  return upper * (1 - shareY) + lower * shareY;
}

/** Half of the side of the square with which a pixel is compared. */
const RADIUS = 24;
/** Weaker differences are paper: shadows, and the noise of JPEG. */
const MIN_CONTRAST = 20;
/** Sums that fit in 32 bits. */
const MAX_PIXELS = 16_000_000;

/**
 * What is darker than its surroundings, or lighter if `isLight`. Compares each pixel with the mean
 * of a square around it (Bradley and Roth, 2007), so that light and dark parts of one picture are
 * found. Empty for pictures of more than 16 million pixels.
 */
export function findInk({ width, height, pixels }: GrayPicture, isLight: boolean): InkPicture {
  const ink = new Uint8Array(width * height);
  if (width * height > MAX_PIXELS) return { width: 0, height: 0, ink };
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += pixels[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  const sign = isLight ? -1 : 1;
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - RADIUS) * (width + 1);
    const bottom = Math.min(height, y + RADIUS + 1) * (width + 1);
    const rows = (bottom - top) / (width + 1);
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - RADIUS);
      const right = Math.min(width, x + RADIUS + 1);
      const sum =
        (sums[bottom + right] ?? 0) -
        (sums[top + right] ?? 0) -
        (sums[bottom + left] ?? 0) +
        (sums[top + left] ?? 0);
      const mean = sum / (rows * (right - left));
      if (sign * (mean - (pixels[y * width + x] ?? 0)) > MIN_CONTRAST) ink[y * width + x] = 1;
    }
  }
  return { width, height, ink };
}
