/** The difference between the clock of a sender and Errata's, for display. */

/** Units from the largest. A difference is shown in the first of which it has at least two. */
const UNITS = [
  ["days", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/** `3 h slow`, `2 min fast`, `40 days slow` for the sender's clock minus Errata's, ms. */
export function formatClockSkew(skewMs: number): string {
  const size = Math.abs(skewMs);
  const [name, unitMs] = UNITS.find(([, ms]) => size >= 2 * ms) ?? ["min", 60_000];
  return `${Math.round(size / unitMs)} ${name} ${skewMs < 0 ? "slow" : "fast"}`;
}
