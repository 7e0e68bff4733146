/** A crash-free rate as a percentage. Its color distinguishes good, fair and bad rates. */
import { formatPercent } from "./percent.ts";

/** From 99.5 % a rate is good, below 98 % bad: the bounds of Sentry's release health. */
const [GOOD, FAIR] = [99.5, 98];

/** The percentage; `percent` as from `getCrashFreePercent`. */
export function CrashFreeRate({ percent }: { readonly percent: number }) {
  const level = percent >= GOOD ? "good" : percent >= FAIR ? "fair" : "bad";
  return (
    <span className="crash-free-rate" data-level={level}>
      {formatPercent(percent)}
      <span className="cell-unit"> crash-free</span>
    </span>
  );
}
