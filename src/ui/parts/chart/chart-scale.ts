/** The scale and the sizes of a chart, and positions in it. Pure. */

const ROUND_STEPS = [1, 2, 5, 10];

/**
 * The counts of the lines of a scale up to `maxCount`, from the lowest: multiples of 1, 2 or 5 and
 * a power of ten, at most `maxLines` and at least one if `maxCount` is.
 */
export function listScaleCounts(maxCount: number, maxLines: number): readonly number[] {
  if (maxCount < 1) return [];
  const size = 10 ** Math.floor(Math.log10(maxCount / maxLines));
  const step = Math.max(
    1,
    size * (ROUND_STEPS.find((one) => maxCount / (one * size) < maxLines + 1) ?? 10),
  );
  return Array.from({ length: Math.floor(maxCount / step) }, (_, n) => (n + 1) * step);
}

/** `950`, `1.2k`, `3M`: at most four characters. */
export function formatAxisCount(count: number): string {
  if (count < 1_000) return String(count);
  const [size, sign] = count < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${Math.round((count / size) * 10) / 10}${sign}`;
}

/** The sizes of charts that the style sheet distinguishes, each with its least width. */
export const CHART_SIZES = [
  { size: "narrow", px: 240 },
  { size: "phone", px: 352 },
  { size: "medium", px: 640 },
  { size: "wide", px: 960 },
] as const;

export type ChartSize = (typeof CHART_SIZES)[number]["size"];

/** `12.5%`, for attributes of SVG, where text keeps its size. */
export function toPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
