/** The counts of an issue by minute, hour or day, as windows that end now. Pure. */

import type { Issue } from "../../issue/issue.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../utc-time.ts";

/** The last hours that an issue counts by hour. */
export const MAX_HOURS = 72;

type Counts = readonly (readonly [name: string, count: number])[];

/**
 * Occurrences by hour: index 0 is the current hour, 1 the hour before it, and so on; at most 72.
 */
export function listHours({ hours = [] }: Pick<Issue, "hours">, nowMs: number): number[] {
  return spread(hours, MAX_HOURS, (hour) => Math.floor((nowMs - parseHour(hour)) / HOUR_MS));
}

/** Occurrences by UTC day: index 0 is today, 1 yesterday, and so on. */
export function listDays({ days }: Pick<Issue, "days">, nowMs: number): number[] {
  const today = Math.floor(nowMs / DAY_MS);
  return spread(days, 31, (day) => today - Math.floor(Date.parse(day) / DAY_MS));
}

function spread(counts: Counts, size: number, toIndex: (name: string) => number): number[] {
  const all = new Array<number>(size).fill(0);
  for (const [name, count] of counts) {
    // The clock of a sender may be ahead.
    const index = Math.max(0, toIndex(name));
    if (index < size) all[index] = (all[index] ?? 0) + count;
  }
  return all;
}

/** `2026112117`. */
function parseHour(hour: string): number {
  const [year, month, day] = [hour.slice(0, 4), hour.slice(4, 6), hour.slice(6, 8)].map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, Number(hour.slice(8, 10)));
}

/** The rate per hour: this hour, and the part of the last one that is within sixty minutes. */
export function toHourlyRate(hours: readonly number[], nowMs: number): number {
  const [current = 0, last = 0] = hours;
  return current + last * (1 - (nowMs % HOUR_MS) / HOUR_MS);
}

/** The sum of the first `count` values. */
export function sumFirst(values: readonly number[], count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i] ?? 0;
  return sum;
}

/** The occurrences of counts in the window that ends now. Shorter than an hour it needs minutes. */
export function sumWindow(
  counts: Pick<Issue, "days" | "hours"> & {
    readonly minutes?: readonly (readonly [minute: number, count: number])[];
  },
  withinMs: number,
  nowMs: number,
): number {
  if (withinMs < HOUR_MS) {
    const first = Math.floor((nowMs - withinMs) / MINUTE_MS) + 1;
    const last = Math.floor(nowMs / MINUTE_MS);
    const recent = (counts.minutes ?? []).filter(([at]) => at >= first && at <= last);
    return recent.reduce((sum, [, count]) => sum + count, 0);
  }
  if (withinMs > MAX_HOURS * HOUR_MS)
    return sumFirst(listDays(counts, nowMs), Math.round(withinMs / DAY_MS));
  const hours = listHours(counts, nowMs);
  // The window ends within an hour, so it begins within one: that one counts in part.
  const passed = (nowMs % HOUR_MS) / HOUR_MS;
  const whole = Math.floor(withinMs / HOUR_MS);
  const rest = withinMs / HOUR_MS - whole + (1 - passed);
  const last = rest >= 1 ? [1, rest - 1] : [rest, 0];
  const [at, after] = last as [number, number];
  return Math.floor(
    sumFirst(hours, whole) + (hours[whole] ?? 0) * at + (hours[whole + 1] ?? 0) * after,
  );
}
