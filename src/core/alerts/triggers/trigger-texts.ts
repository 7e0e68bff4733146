/** Numbers and spans in the texts of alerts. Pure. */
import { formatNumber } from "../../numbers.ts";
import { HOUR_MS, MINUTE_MS } from "../../utc-time.ts";

/** `1,204 times`; `1 time`. */
export function formatCount(count: number, noun: string): string {
  const written = formatFigure(count);
  return `${written} ${noun}${written === "1" ? "" : "s"}`;
}

/** `412`, `4.7`, `12,000`. */
export function formatFigure(value: number): string {
  const rounded = value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
  return formatNumber(rounded);
}

/** `5 minutes`, `an hour`, `24 hours`, `7 days`. */
export function formatSpan(ms: number): string {
  if (ms < HOUR_MS || ms % HOUR_MS !== 0)
    return formatCount(Math.max(1, Math.round(ms / MINUTE_MS)), "minute");
  const hours = ms / HOUR_MS;
  if (hours === 1) return "an hour";
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;
}
