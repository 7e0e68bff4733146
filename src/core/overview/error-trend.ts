/**
 * Errors by hour, and their change since yesterday. Trust levels are separate, so that strangers do
 * not change the figures of servers. Pure.
 */

import type { DailyCounter } from "../stats/counters.ts";
import { TRUST_LEVELS, type Trust } from "../trust/trust.ts";
import { HOUR_MS, toUtcHour } from "../utc-time.ts";

const DAY_HOURS = 24;
/** Errors that were received more than this many days after they occurred have no hour. */
export const ERROR_TREND_DAYS = 14;

/** The errors of one level in the last hours, without noise. */
export interface ErrorTrend {
  readonly trust: Trust;
  /** Start of the first hour and end of the current one, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** One count per hour (UTC), the current one last. */
  readonly counts: readonly number[];
  /** The current hour and the 23 before it. */
  readonly lastDay: number;
  /** The 24 hours before those; of the last one, only the share up to the same minute. */
  readonly dayBefore: number;
}

/**
 * The errors over the last `hours` hours (at least 48), for each level that has any, the highest
 * level first. If there are none, only the trend of servers.
 */
export function listErrorTrends(
  counters: readonly DailyCounter[],
  nowMs: number,
  hours: number,
): readonly [highest: ErrorTrend, ...lower: ErrorTrend[]] {
  const countByHour = new Map<string, number>();
  for (const { name, count } of counters) {
    const [outcome, kind, noise, hour, trust] = name;
    const isError = (outcome === "accepted" || outcome === "counted") && kind === "error";
    if (!isError || noise !== "" || hour === undefined) continue;
    const key = `${trust} ${hour}`;
    countByHour.set(key, (countByHour.get(key) ?? 0) + count);
  }
  const toTrend = (trust: Trust) =>
    toErrorTrend(trust, (hour) => countByHour.get(`${trust} ${hour}`) ?? 0, nowMs, hours);
  const [highest = toTrend("server"), ...lower] = TRUST_LEVELS.map(toTrend).filter(({ counts }) =>
    counts.some((count) => count > 0),
  );
  return [highest, ...lower];
}

function toErrorTrend(
  trust: Trust,
  getCount: (hour: string) => number,
  nowMs: number,
  hours: number,
): ErrorTrend {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const fromMs = toMs - hours * HOUR_MS;
  const counts = Array.from({ length: hours }, (_, n) => getCount(toUtcHour(fromMs + n * HOUR_MS)));
  const sum = (from: number, to: number) =>
    counts.slice(from, to).reduce((total, count) => total + count, 0);
  const elapsed = (nowMs % HOUR_MS) / HOUR_MS;
  const sameHour = counts.at(-1 - DAY_HOURS) ?? 0;
  return {
    ...{ trust, fromMs, toMs, counts },
    lastDay: sum(hours - DAY_HOURS, hours),
    dayBefore: sum(hours - 2 * DAY_HOURS, hours - DAY_HOURS - 1) + Math.round(sameHour * elapsed),
  };
}

/** `18 % more than yesterday at this time`. */
export function describeTrend({
  lastDay,
  dayBefore,
}: Pick<ErrorTrend, "lastDay" | "dayBefore">): string {
  if (lastDay === dayBefore) return "as many as yesterday at this time";
  if (dayBefore === 0) return "none yesterday at this time";
  if (lastDay === 0) return `${dayBefore.toLocaleString("en")} yesterday at this time`;
  const factor = lastDay / dayBefore;
  if (factor >= 3) return `${Math.round(factor)} times as many as yesterday at this time`;
  const percent = Math.round(Math.abs(factor - 1) * 100);
  if (percent === 0) return "about as many as yesterday at this time";
  return `${percent} % ${factor > 1 ? "more" : "fewer"} than yesterday at this time`;
}
