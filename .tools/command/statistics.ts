// Medians, quantiles and ratios.

/** The median; NaN without numbers. */
export function computeMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const high = sorted[sorted.length >> 1] ?? Number.NaN;
  const low = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (low + high) / 2;
}

/** The number below which a `share` (0 to 1) of the numbers are; NaN without numbers. */
export function computeQuantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
}

/** The median of each figure of several measurements. */
export function computeMedians<T extends Readonly<Record<keyof T, number>>>(
  measurements: readonly T[],
): T {
  const names = Object.keys(measurements[0] ?? {}) as (keyof T)[];
  const medians = names.map((name) => [name, computeMedian(measurements.map((one) => one[name]))]);
  return Object.fromEntries(medians) as T;
}

/** A ratio over several rounds. `spread`: (the largest − the smallest) / the median. */
export interface Ratio {
  times: number;
  spread: number;
}

/**
 * The median of the ratios of the rounds: in each round both sides ran on the same machine at the
 * same time. Rounds without a figure on either side are left out. Null when no round is left.
 */
export function computeRatio(figures: readonly number[], others: readonly number[]): Ratio | null {
  const ratios = figures
    .map((figure, round) => figure / (others[round] ?? Number.NaN))
    .filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  if (ratios.length === 0) return null;
  const times = computeMedian(ratios);
  return { times, spread: (Math.max(...ratios) - Math.min(...ratios)) / times };
}
