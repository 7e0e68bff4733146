/**
 * Relative and absolute times. The current time is a prop, so that the server and the browser
 * render the same text.
 */
import { DAY_MS, HOUR_MS, MAX_DATE_MS, toDayNumber } from "../../core/utc-time.ts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * How the client script writes the text of a `<time>` in the chosen zone: the whole time, the time
 * of day, the day, or the day (unless it is today) and the minute.
 */
export type ClockFormat = "whole" | "time" | "day" | "minute";

/** `<time>` with the text "3 min ago" and the UTC time as its title; "unknown" if out of range. */
export function RelativeTime({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <TimeElement
      atMs={atMs}
      text={formatRelativeTime(atMs, nowMs)}
      {...(!isRelative(nowMs - atMs) && { clock: "day" })}
    />
  );
}

/**
 * "21 Nov 2026, 17:41:43 UTC": the whole time as text, for log files, touch screens and screen
 * readers. `client/time/local-time.ts` shows it in the time zone of the browser.
 */
export function ClockTime({ atMs }: { atMs: number }) {
  if (!isValidTime(atMs)) return <span>at an unknown time</span>;
  return (
    <time dateTime={new Date(atMs).toISOString()} data-clock="whole">
      {formatAbsoluteTime(atMs)}
    </time>
  );
}

/** The button that switches between local time and UTC; hidden without scripts. */
export function ZoneSwitch() {
  return <button type="button" className="zone-switch" data-zone-switch="" hidden />;
}

/** `<time>` with the caller's text and the UTC time as its title; "unknown" if out of range. */
export function TimeElement({
  atMs,
  text,
  clock,
}: {
  readonly atMs: number;
  readonly text: string;
  /** The format of a text that depends on the zone. */
  readonly clock?: ClockFormat;
}) {
  if (!isValidTime(atMs)) return <span>at an unknown time</span>;
  const iso = new Date(atMs).toISOString();
  return (
    <time dateTime={iso} title={formatAbsoluteTime(atMs)} data-clock={clock}>
      {text}
    </time>
  );
}

/** A future `<time>`: "18:41 UTC" on the day of `nowMs`, otherwise "22 Nov, 18:41 UTC". */
export function UntilTime({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  if (!isValidTime(atMs)) return <span>an unknown time</span>;
  return <TimeElement atMs={atMs} text={formatClockTime(atMs, nowMs)} clock="minute" />;
}

/** A past `<time>`: "15:22 UTC" if it is today; after two weeks the date. */
export function SinceTime({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  if (!isValidTime(atMs)) return <span>an unknown time</span>;
  const isRecent = isRelative(nowMs - atMs);
  return (
    <TimeElement
      atMs={atMs}
      text={isRecent ? formatClockTime(atMs, nowMs) : formatDay(atMs, nowMs)}
      clock={isRecent ? "minute" : "day"}
    />
  );
}

/**
 * "18:41 UTC" on the day of `nowMs`, otherwise "22 Nov, 18:41 UTC", with the year if it differs.
 */
export function formatClockTime(atMs: number, nowMs: number): string {
  if (!isValidTime(atMs)) return "unknown";
  const clock = `${formatClock(new Date(atMs)).slice(0, 5)} UTC`;
  const isToday = toDayNumber(atMs) === toDayNumber(nowMs);
  return isToday ? clock : `${formatDay(atMs, nowMs)}, ${clock}`;
}

/**
 * "3 min ago"; after two weeks the date. Times up to a minute ahead are "just now", because clocks
 * differ.
 */
export function formatRelativeTime(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs;
  if (!isRelative(agoMs)) return formatDay(atMs, nowMs);
  if (agoMs < 10 * SECOND_MS) return "just now";
  if (agoMs < MINUTE_MS) return `${Math.floor(agoMs / SECOND_MS)} s ago`;
  if (agoMs < HOUR_MS) return `${Math.floor(agoMs / MINUTE_MS)} min ago`;
  if (agoMs < DAY_MS) return `${Math.floor(agoMs / HOUR_MS)} h ago`;
  if (agoMs < 2 * DAY_MS) return "yesterday";
  return `${Math.floor(agoMs / DAY_MS)} days ago`;
}

function isRelative(agoMs: number): boolean {
  return agoMs >= -MINUTE_MS && agoMs < 14 * DAY_MS;
}

/** "21 Nov 2026, 17:41:43 UTC". */
export function formatAbsoluteTime(atMs: number): string {
  if (!isValidTime(atMs)) return "unknown";
  const at = new Date(atMs);
  return `${at.getUTCDate()} ${formatMonth(at)} ${at.getUTCFullYear()}, ${formatClock(at)} UTC`;
}

function formatDay(atMs: number, nowMs: number): string {
  if (!isValidTime(atMs)) return "unknown";
  const at = new Date(atMs);
  const day = `${at.getUTCDate()} ${formatMonth(at)}`;
  const sameYear = isValidTime(nowMs) && new Date(nowMs).getUTCFullYear() === at.getUTCFullYear();
  return sameYear ? day : `${day} ${at.getUTCFullYear()}`;
}

function formatClock(at: Date): string {
  return at.toISOString().slice(-13, -5);
}

function formatMonth(at: Date): string {
  return MONTHS[at.getUTCMonth()] ?? "";
}

const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** "15:34", UTC. */
export function formatClockOfDay(atMs: number): string {
  return isValidTime(atMs) ? formatClock(new Date(atMs)).slice(0, 5) : "unknown";
}

/** "Fri", "21 Nov" or "Fri 21", UTC. */
export function formatDayName(atMs: number, format: "weekday" | "date" | "both"): string {
  if (!isValidTime(atMs)) return "unknown";
  const at = new Date(atMs);
  const weekday = (WEEKDAYS[at.getUTCDay()] ?? "").slice(0, 3);
  if (format === "weekday") return weekday;
  return format === "date"
    ? `${at.getUTCDate()} ${formatMonth(at)}`
    : `${weekday} ${at.getUTCDate()}`;
}

/** "Saturday 28 Nov 2026, 15:34 UTC". */
export function formatDateLine(atMs: number): string {
  if (!isValidTime(atMs)) return "unknown";
  const at = new Date(atMs);
  const day = `${WEEKDAYS[at.getUTCDay()]} ${at.getUTCDate()} ${formatMonth(at)}`;
  return `${day} ${at.getUTCFullYear()}, ${formatClockOfDay(atMs)} UTC`;
}

function isValidTime(ms: number): boolean {
  return Number.isFinite(ms) && Math.abs(ms) <= MAX_DATE_MS;
}
