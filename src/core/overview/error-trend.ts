/** Errors of servers and of browsers in a time, and how that compares with another. Pure. */

import { formatNumber } from "../numbers.ts";
import type { DailyCounter } from "../stats/counters.ts";
import { type Origin, TRUST_LEVELS, TRUST_POLICY } from "../trust/trust.ts";
import { toUtcHour } from "../utc-time.ts";

/** Errors that were received more than this many days after they occurred have no hour. */
export const ERROR_TREND_DAYS = 14;

/** The errors, without noise, in the hours from `fromMs` to `toMs` (exclusive). */
export function countErrors(
  counters: readonly DailyCounter[],
  fromMs: number,
  toMs: number,
): Readonly<Record<Origin, number>> {
  const [first, end] = [toUtcHour(fromMs), toUtcHour(toMs)];
  const counts = { server: 0, browser: 0 };
  for (const [key, count] of sumByHour(counters)) {
    const [origin, hour = ""] = key.split(" ") as [Origin, string?];
    if (hour >= first && hour < end) counts[origin] += count;
  }
  return counts;
}

/** The errors by origin and hour, `browser 2026112117`. */
function sumByHour(counters: readonly DailyCounter[]): ReadonlyMap<string, number> {
  const countByHour = new Map<string, number>();
  for (const { name, count } of counters) {
    const [outcome, kind, noise, hour, trust] = name;
    const isError = (outcome === "accepted" || outcome === "counted") && kind === "error";
    const level = TRUST_LEVELS.find((one) => one === trust);
    if (!isError || noise !== "" || hour === undefined || level === undefined) continue;
    const key = `${TRUST_POLICY[level].origin} ${hour}`;
    countByHour.set(key, (countByHour.get(key) ?? 0) + count);
  }
  return countByHour;
}

/** Smaller counts are not compared in percent: 12 after 11 is no change. */
const MIN_COMPARED = 100;

/** `18 % more than the day before`: a count compared with the one of an earlier time. */
export function describeChange(count: number, before: number, earlier: string): string {
  if (count === before) return `as many as ${earlier}`;
  if (before === 0) return `none ${earlier}`;
  if (count === 0) return `${formatNumber(before)} ${earlier}`;
  const factor = count / before;
  if (factor >= 3) return `${Math.round(factor)} times as many as ${earlier}`;
  if (Math.max(count, before) < MIN_COMPARED) return `${formatNumber(before)} ${earlier}`;
  const percent = Math.round(Math.abs(factor - 1) * 100);
  if (percent === 0) return `about as many as ${earlier}`;
  return `${percent} % ${factor > 1 ? "more" : "fewer"} than ${earlier}`;
}
