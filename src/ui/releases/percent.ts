/** Formats percentages. */

/** `99.95 %`, with two decimals so that values in a column align; `100 %` without. */
export function formatPercent(share: number): string {
  const digits = share === 100 ? 0 : 2;
  // A no-break space.
  return `${share.toFixed(digits)}\u00a0%`;
}
