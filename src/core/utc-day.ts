/** UTC days in the form `2026-11-21`. */

/** True for a day that exists in the calendar. */
export function isUtcDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text);
}
