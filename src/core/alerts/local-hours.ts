/** Working hours and quiet hours, in a time zone. Pure. */
import { MINUTE_MS } from "../utc-time.ts";
import { DAY_MINUTES } from "./decode.ts";
import type { QuietHours } from "./preferences.ts";
import type { WorkingHours } from "./rule.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The next time within working hours, possibly `nowMs`; accurate to a minute. */
export function findWorkingTime(hours: WorkingHours, nowMs: number): number {
  const { days, from, to, timeZone } = hours;
  const isOpen = ({ day, minute }: LocalTime) => {
    const isToday = days.includes(day);
    if (from < to) return isToday && minute >= from && minute < to;
    const isYesterday = days.includes((day + 6) % 7);
    return (isToday && minute >= from) || (isYesterday && minute < to);
  };
  return findTime(isOpen, from, timeZone, nowMs);
}

/** The end of the quiet hours; `nowMs` outside them; accurate to a minute. */
export function findQuietHoursEnd({ from, to, timeZone }: QuietHours, nowMs: number): number {
  const isLoud = ({ minute }: LocalTime) =>
    from < to ? minute < from || minute >= to : minute >= to && minute < from;
  return findTime(isLoud, to, timeZone, nowMs);
}

interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Minutes after midnight. */
  readonly minute: number;
}

/** Two weeks: one of the hours of a single day may not exist, when summer time begins. */
const MAX_MINUTES = 15 * DAY_MINUTES;
/** Summer time moves the clock by an hour at most. */
const MAX_SHIFT_MINUTES = 65;

/**
 * The first minute at which `isTrue`, which becomes true at the local minute `from` of some days.
 * Tests each minute around that time, so that no window is too short.
 */
function findTime(
  isTrue: (time: LocalTime) => boolean,
  from: number,
  timeZone: string,
  nowMs: number,
): number {
  const startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  for (let passed = 0; passed <= MAX_MINUTES; ) {
    const ms = startMs + passed * MINUTE_MS;
    const time = toLocalTime(ms, timeZone);
    if (isTrue(time)) return Math.max(ms, nowMs);
    const missing = (from - time.minute + DAY_MINUTES) % DAY_MINUTES;
    passed += Math.max(1, missing - MAX_SHIFT_MINUTES);
  }
  return nowMs;
}

function toLocalTime(ms: number, timeZone: string): LocalTime {
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
