/** The scale of a chart. Pure. */

const ROUND_STEPS = [1, 2, 4, 6, 8, 10];

/** The next round number from `count` up, at least 1: the top of the axis. */
export function roundUpAxisMax(count: number): number {
  const size = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, count))) - 1);
  return (ROUND_STEPS.find((step) => step * size >= count) ?? 10) * size;
}
