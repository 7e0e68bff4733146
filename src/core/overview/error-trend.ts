/** Errors by hour, of servers and of browsers, and their change since yesterday. Pure. */

import { formatNumber } from "../numbers.ts";
import type { DailyCounter } from "../stats/counters.ts";
import { ORIGINS, type Origin, TRUST_LEVELS, TRUST_POLICY } from "../trust/trust.ts";
import { HOUR_MS, toUtcHour } from "../utc-time.ts";

const DAY_HOURS = 24;
/** Errors that were received more than this many days after they occurred have no hour. */
export const ERROR_TREND_DAYS = 14;

/** The errors in the last hours, without noise. */
export interface ErrorTrend {
  /** Start of the first hour and end of the current one, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** One count per hour (UTC), the current one last. Errors with a server key are of servers. */
  readonly series: Readonly<Record<Origin, readonly number[]>>;
  /** The current hour and the 23 before it. */
  readonly lastDay: number;
  /** The 24 hours before those; of the last one, only the share up to the same minute. */
  readonly dayBefore: number;
}

/** The errors over the last `hours` hours (at least 48). */
export function createErrorTrend(
  counters: readonly DailyCounter[],
  nowMs: number,
  hours: number,
): ErrorTrend {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const fromMs = toMs - hours * HOUR_MS;
  const countByHour = sumByHour(counters);
  const listCounts = (origin: Origin) =>
    Array.from(
      { length: hours },
      (_, n) => countByHour.get(`${origin} ${toUtcHour(fromMs + n * HOUR_MS)}`) ?? 0,
    );
  const series = { server: listCounts("server"), browser: listCounts("browser") };
  const sum = (from: number, to: number) =>
    ORIGINS.flatMap((origin) => series[origin].slice(from, to)).reduce((a, b) => a + b, 0);
  const elapsed = (nowMs % HOUR_MS) / HOUR_MS;
  const sameHour = hours - 1 - DAY_HOURS;
  return {
    fromMs,
    toMs,
    series,
    lastDay: sum(hours - DAY_HOURS, hours),
    dayBefore:
      sum(hours - 2 * DAY_HOURS, sameHour) + Math.round(sum(sameHour, sameHour + 1) * elapsed),
  };
}

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

/** `18 % more than yesterday at this time`. */
export function describeTrend({
  lastDay,
  dayBefore,
}: Pick<ErrorTrend, "lastDay" | "dayBefore">): string {
  return describeChange(lastDay, dayBefore, "yesterday at this time");
}

/** `18 % more than the day before`: a count compared with the one of an earlier time. */
export function describeChange(count: number, before: number, earlier: string): string {
  if (count === before) return `as many as ${earlier}`;
  if (before === 0) return `none ${earlier}`;
  if (count === 0) return `${formatNumber(before)} ${earlier}`;
  const factor = count / before;
  if (factor >= 3) return `${Math.round(factor)} times as many as ${earlier}`;
  const percent = Math.round(Math.abs(factor - 1) * 100);
  if (percent === 0) return `about as many as ${earlier}`;
  return `${percent} % ${factor > 1 ? "more" : "fewer"} than ${earlier}`;
}
