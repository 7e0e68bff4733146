/** UTC days (`2026-11-21`) and hours (`2026112117`). */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** The last moment a `Date` can hold (ECMA-262, § Time Values and Time Range). */
export const MAX_DATE_MS = 8_640_000_000_000_000;

/** True for a day that exists in the calendar. */
export function isUtcDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text);
}

/** The UTC day of a time: `2026-11-21`. */
export function toUtcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The UTC hour of a time: `2026112117`. */
export function toUtcHour(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 13).replace(/[-T]/g, "");
}

/** The time at which an hour (`2026112117`) begins, in ms; 0 for an empty text. */
export function parseUtcHour(hour: string): number {
  const [year, month, day] = [hour.slice(0, 4), hour.slice(4, 6), hour.slice(6, 8)].map(Number);
  return hour === "" ? 0 : Date.UTC(year ?? 0, (month ?? 1) - 1, day, Number(hour.slice(8, 10)));
}

/** The end of the year 9999. RFC 3339 has no later times. */
export const MAX_RFC3339_MS = 253_402_300_799_999;

/** RFC 3339; the epoch for times outside of the calendar. */
export function formatRfc3339(atMs: number): string {
  return new Date(Math.abs(atMs) <= MAX_RFC3339_MS ? atMs : 0).toISOString();
}

/** The UTC day of a time, counted from 1970. */
export function toDayNumber(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}
