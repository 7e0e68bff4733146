/** Times of day in a time zone. Pure. */
import { HOUR_MS } from "./utc-time.ts";

/** True for a time zone of the runtime: `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** When the next day of the time zone reaches this hour, ms. */
export function findTomorrow(hour: number, timeZone: string, nowMs: number): number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...({ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "numeric", second: "numeric" } as const),
  });
  /** The local time at `ms`, as if it were UTC. */
  const toLocal = (ms: number) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const [year, month, day] = [get("year"), get("month") - 1, get("day")];
    return Date.UTC(year, month, day, get("hour"), get("minute"), get("second"));
  };
  const today = new Date(toLocal(nowMs)).setUTCHours(0, 0, 0, 0);
  const wanted = today + (24 + hour) * HOUR_MS;
  // The offset may change in between. The second time has that of the wanted hour.
  const first = wanted - (toLocal(wanted) - wanted);
  return wanted - (toLocal(first) - first);
}
