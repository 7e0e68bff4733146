/** UTC days (`2026-11-21`) and hours (`2026112117`). */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

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

/** The UTC day of a time, counted from 1970. */
export function toDayNumber(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}
