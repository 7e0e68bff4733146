/** The scale of a chart, and positions in it. Pure. */

const ROUND_STEPS = [1, 2, 4, 6, 8, 10];

/** The next round number from `count` up, at least 1: the top of the axis. */
export function roundUpAxisMax(count: number): number {
  const size = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, count))) - 1);
  return (ROUND_STEPS.find((step) => step * size >= count) ?? 10) * size;
}

/** `950`, `1.2k`, `3M`: at most four characters. */
export function formatAxisCount(count: number): string {
  if (count < 1_000) return String(count);
  const [size, sign] = count < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${Math.round((count / size) * 10) / 10}${sign}`;
}

/** `12.5%`, for attributes of SVG, where text keeps its size. */
export function toPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
