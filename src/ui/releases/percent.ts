/** Shares as the desk writes them. */

/** `99.95 %`: two decimals, so that a column of them is read at a glance. */
export function formatPercent(share: number): string {
  const digits = share === 100 ? 0 : 2;
  // The number and its sign stay on one line.
  return `${share.toFixed(digits)}\u00a0%`;
}
