/**
 * Shows the times that pages render in UTC in the time zone of the browser, unless the visitor
 * chose UTC with the button `[data-zone-switch]`: the text of `time[data-clock]`, the title of
 * other times. A cookie keeps the choice.
 */

const UTC_COOKIE = "errata-utc=1";
const ONE_YEAR_S = 31_536_000;
const TIMES = "time[data-clock], time[title]";

/** Converts the times that were added since the last call, and shows the button. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>(
    `:is(${TIMES}):not([data-initialized])`,
  ))
    showTime(time);
  for (const button of document.querySelectorAll<HTMLElement>("[data-zone-switch][hidden]"))
    showSwitch(button);
}

/** Changes the zone if the click was on the button. */
export function handleZoneClick({ target }: MouseEvent): void {
  if (!(target as Element).closest("[data-zone-switch]")) return;
  const maxAge = isUtc() ? 0 : ONE_YEAR_S;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `${UTC_COOKIE}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  document.querySelectorAll<HTMLTimeElement>(TIMES).forEach(showTime);
  document.querySelectorAll<HTMLElement>("[data-zone-switch]").forEach(showSwitch);
}

function isUtc(): boolean {
  return document.cookie.includes(UTC_COOKIE);
}

/** `21 Nov 2026, 22:56:27`, with ` UTC` if it is. */
function showTime(time: HTMLTimeElement): void {
  time.dataset.initialized = "";
  const style = { dateStyle: "medium", timeStyle: "medium" } as const;
  const zone = isUtc() ? { timeZone: "UTC" } : {};
  const text = new Date(time.dateTime).toLocaleString("en-GB", { ...style, ...zone });
  time[time.title ? "title" : "textContent"] = text + (isUtc() ? " UTC" : "");
}

function showSwitch(button: HTMLElement): void {
  button.hidden = false;
  button.textContent = isUtc() ? "Show local time" : "Show UTC";
}
