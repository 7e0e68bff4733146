// Medians, ratios, and tables of them.

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

/**
 * The median of the ratios of several rounds, and half of their range as a share of it: `0.27 ± 4 %`.
 * In each round both sides ran on the same machine at the same time. Rounds without a figure on
 * either side are left out; "" when no round is left.
 */
export function formatRatio(figures: readonly number[], others: readonly number[] = []): string {
  const ratios = figures
    .map((figure, round) => figure / (others[round] ?? Number.NaN))
    .filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  if (ratios.length === 0) return "";
  const times = computeMedian(ratios);
  const spread = (Math.max(...ratios) - Math.min(...ratios)) / times;
  return `${times.toFixed(2)} ± ${Math.round(spread * 50)} %`;
}

/** Formats a Markdown table with an empty line after it; nothing without rows. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  if (rows.length === 0) return [];
  const aligned = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [...[heads, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`), ""];
}

/** `12,346` */
export function formatWhole(count: number): string {
  return Math.round(count).toLocaleString("en-GB");
}

/** `0.12`, `12.3`, `1,234` */
export function formatShort(figure: number): string {
  return Math.abs(figure) >= 100 ? formatWhole(figure) : figure.toFixed(figure < 1 ? 2 : 1);
}
