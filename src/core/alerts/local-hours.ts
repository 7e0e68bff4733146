/** Working hours and quiet hours, in a time zone. Pure. */
import type { WorkingHours } from "./rule.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Hours of a day in which a person receives nothing; they may pass midnight. */
interface QuietHours {
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
}

/** The next time within working hours, possibly `nowMs`; accurate to a minute. */
export function findWorkingTime(hours: WorkingHours, nowMs: number): number {
  const isOpen = (ms: number) => {
    const { day, minute } = toLocalTime(ms, hours.timeZone);
    return hours.days.includes(day) && minute >= hours.from && minute < hours.to;
  };
  return findTime(isOpen, nowMs);
}

/** The end of the quiet hours; `nowMs` outside them; accurate to a minute. */
export function findQuietHoursEnd({ from, to, timeZone }: QuietHours, nowMs: number): number {
  const isLoud = (ms: number) => {
    const { minute } = toLocalTime(ms, timeZone);
    return from < to ? minute < from || minute >= to : minute >= to && minute < from;
  };
  return findTime(isLoud, nowMs);
}

/** The first minute within 8 days at which `isTrue`. Tests quarters of an hour first. */
function findTime(isTrue: (ms: number) => boolean, nowMs: number): number {
  if (isTrue(nowMs)) return nowMs;
  const startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const step = 15;
  for (let minute = step; minute <= 8 * DAY_MINUTES; minute += step) {
    if (!isTrue(startMs + minute * MINUTE_MS)) continue;
    for (let exact = minute - step + 1; exact < minute; exact++)
      if (isTrue(startMs + exact * MINUTE_MS)) return startMs + exact * MINUTE_MS;
    return startMs + minute * MINUTE_MS;
  }
  return nowMs;
}

function toLocalTime(ms: number, timeZone: string): { day: number; minute: number } {
  const parts = getFormat(timeZone).formatToParts(ms);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const minute = Number(get("hour")) * 60 + Number(get("minute"));
  return { day: WEEKDAYS.indexOf(get("weekday")), minute };
}

/** Creating a format takes as long as a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    ...({ timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" } as const),
    hourCycle: "h23",
  });
  if (formats.size > 100) formats.clear();
  formats.set(timeZone, format);
  return format;
}
