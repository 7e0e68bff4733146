/**
 * Shows the times that pages render in UTC in the time zone of the browser, unless the visitor
 * chose UTC with the button `[data-zone-switch]`: the text of `time[data-clock]` and the title of
 * times. A cookie keeps the choice.
 */
import type { ClockFormat } from "../../ui/parts/time.tsx";

const UTC_COOKIE = "errata-utc=1";
const ONE_YEAR_S = 31_536_000;
const DAY = { day: "numeric", month: "short" } as const;
const WHOLE = { dateStyle: "medium", timeStyle: "medium" } as const;

/** Converts the times that were added since the last call, and shows the buttons. */
export function showLocalTimes(): void {
  document
    .querySelectorAll<HTMLTimeElement>("time[data-clock]:not([data-initialized])")
    .forEach((time) => {
      if (isParsed(time)) showTime(time);
    });
  document.querySelectorAll<HTMLElement>("[data-zone-switch][hidden]").forEach(showSwitch);
  nameZone();
}

/** Names the zone in forms, in which UTC is the default, and hides it in their labels. */
function nameZone(): void {
  const fields = document.querySelectorAll<HTMLInputElement>("[data-time-zone]");
  if (!fields.length) return;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  for (const field of fields) field.value = isUtc() ? "UTC" : timeZone;
  for (const name of document.querySelectorAll<HTMLElement>("[data-zone-name]"))
    name.hidden = !isUtc();
}

/** False while the parser may still append text to an element. */
function isParsed(element: Element): boolean {
  if (document.readyState !== "loading") return true;
  for (let node: Node | null = element; node; node = node.parentNode) {
    if (node.nextSibling) return true;
  }
  return false;
}

/**
 * Converts the title of the time under the pointer. A list has a hundred times; their titles say
 * UTC until then, because to convert all of them would delay the page.
 */
export function handleTimeHover({ target }: PointerEvent): void {
  const time = (target as Element).closest<HTMLTimeElement>("time[title]:not([data-initialized])");
  if (time) showTime(time);
}

/** Changes the zone if the click was on a button. */
export function handleZoneClick({ target }: MouseEvent): void {
  if (!(target as Element).closest("[data-zone-switch]")) return;
  const maxAge = isUtc() ? 0 : ONE_YEAR_S;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `${UTC_COOKIE}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  document.querySelectorAll<HTMLTimeElement>("time:is([data-clock], [title])").forEach(showTime);
  document.querySelectorAll<HTMLElement>("[data-zone-switch]").forEach(showSwitch);
  nameZone();
}

function isUtc(): boolean {
  return document.cookie.includes(UTC_COOKIE);
}

/** ` UTC` if the visitor chose it. */
export function getSuffix(): string {
  return isUtc() ? " UTC" : "";
}

/** The formatters by their options: to create one takes longer than to format a hundred texts. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The text of a time (ISO 8601 or Unix ms) in the chosen zone. */
export function format(time: string | number, options: Intl.DateTimeFormatOptions): string {
  const zoned = isUtc() ? { ...options, timeZone: "UTC" } : options;
  const key = JSON.stringify(zoned);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat("en-GB", zoned);
  formatters.set(key, formatter);
  return formatter.format(new Date(time));
}

function showTime(time: HTMLTimeElement): void {
  time.dataset.initialized = "";
  const { clock } = time.dataset;
  const whole = format(time.dateTime, WHOLE) + getSuffix();
  if (time.title) time.title = whole;
  if (clock) time.textContent = clock === "whole" ? whole : formatClock(time.dateTime, clock);
}

/** As the server writes it in UTC (`ui/parts/time.tsx`). */
function formatClock(iso: string, clock: string): string {
  if (clock === ("time" satisfies ClockFormat)) return format(iso, { timeStyle: "medium" });
  const [day, today] = [iso, Date.now()].map((at) => format(at, { ...DAY, year: "numeric" }));
  const isThisYear = day?.slice(-4) === today?.slice(-4);
  const text = format(iso, isThisYear ? DAY : { ...DAY, year: "numeric" });
  if (clock === ("day" satisfies ClockFormat)) return text;
  return `${day === today ? "" : `${text}, `}${format(iso, { timeStyle: "short" })}${getSuffix()}`;
}

function showSwitch(button: HTMLElement): void {
  button.hidden = false;
  button.textContent = isUtc() ? "Show local time" : "Show UTC";
}
