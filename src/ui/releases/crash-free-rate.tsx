/** Percentages, and crash-free rates: their color distinguishes good, fair and bad rates. */

/** A rate of at least 99.5 % is good, and one below 98 % is bad, as in Sentry's release health. */
const [GOOD, FAIR] = [99.5, 98];

/** The percentage; `percent` as from `getCrashFreePercent`. */
export function CrashFreeRate({ percent }: { percent: number }) {
  const level = percent >= GOOD ? "good" : percent >= FAIR ? "fair" : "bad";
  return (
    <span className="crash-free-rate" data-level={level}>
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
