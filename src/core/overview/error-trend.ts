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
    ...{ fromMs, toMs, series },
    lastDay: sum(hours - DAY_HOURS, hours),
    dayBefore:
      sum(hours - 2 * DAY_HOURS, sameHour) + Math.round(sum(sameHour, sameHour + 1) * elapsed),
  };
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
  if (lastDay === dayBefore) return "as many as yesterday at this time";
  if (dayBefore === 0) return "none yesterday at this time";
  if (lastDay === 0) return `${formatNumber(dayBefore)} yesterday at this time`;
  const factor = lastDay / dayBefore;
  if (factor >= 3) return `${Math.round(factor)} times as many as yesterday at this time`;
  const percent = Math.round(Math.abs(factor - 1) * 100);
  if (percent === 0) return "about as many as yesterday at this time";
  return `${percent} % ${factor > 1 ? "more" : "fewer"} than yesterday at this time`;
}
