/** Percentages, and crash-free rates. */

/** The percentage; `percent` as from `getShownCrashFree`. A rate that fell much is bold, not red. */
export function CrashFreeRate({ percent, isMuch }: { percent: number; isMuch: boolean }) {
  return (
    <span className="crash-free-rate" data-much={isMuch ? "" : undefined}>
      {formatPercent(percent)}
      <span className="cell-unit"> crash-free</span>
    </span>
  );
}

/** `99.95 %`, with two decimals so that values in a column align; `100 %` without. */
export function formatPercent(share: number): string {
  const digits = share === 100 ? 0 : 2;
  // A no-break space.
  return `${share.toFixed(digits)}\u00a0%`;
}
