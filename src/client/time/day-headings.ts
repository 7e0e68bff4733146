/** The headings of days on `/live`, in the zone that the visitor chose. */
import { format, getSuffix } from "./local-time.ts";

const HEADING = "live-day";

/** Keeps a heading above the first row of each day, while rows are added and the zone changes. */
export function groupByDay(page: HTMLElement): void {
  // A row added at midnight of the zone starts a day, and so does a row of later parts of the page.
  new MutationObserver(() => updateHeadings(page)).observe(page, {
    childList: true,
    subtree: true,
    attributeFilter: ["title"],
  });
  updateHeadings(page);
}

/** Changes only different headings, so that the observer does not run forever. */
function updateHeadings(page: HTMLElement): void {
  let dayAbove = "";
  let heading: Element | undefined;
  for (const item of page.querySelectorAll(".live-rows > li")) {
    if (item.className === HEADING) {
      heading?.remove();
      heading = item;
      continue;
    }
    const day = toDay(item.querySelector("time"));
    if (day !== dayAbove) {
      if (heading === undefined || heading.nextElementSibling !== item) {
        heading?.remove();
        heading = document.createElement("li");
        heading.className = HEADING;
        item.before(heading);
      }
      if (heading.textContent !== day) heading.textContent = day;
    } else heading?.remove();
    dayAbove = day;
    heading = undefined;
  }
  heading?.remove();
}

/** Cached by the title, which states the zone: formatting costs more than the rest. */
const days = new WeakMap<Element, { readonly title: string; readonly day: string }>();

function toDay(time: HTMLTimeElement | null): string {
  if (!time?.dateTime) return "–";
  const known = days.get(time);
  if (known?.title === time.title) return known.day;
  const day = formatDayHeading(time.dateTime);
  days.set(time, { title: time.title, day });
  return day;
}

/** `Mon, 23 Nov 2026`, with ` UTC` if it is: the day of a time (ISO 8601) in the chosen zone. */
function formatDayHeading(iso: string): string {
  const options = { day: "numeric", month: "short", weekday: "short", year: "numeric" } as const;
  return format(iso, options) + getSuffix();
}
