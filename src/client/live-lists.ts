/** Refreshes `[data-live]` when live events are received. */

import { subscribe } from "./live-socket.ts";
import { fetchPage } from "./navigation.ts";
import { countUnseenReports, resetUnseenReports } from "./status/tab-title.ts";

const LIVE_SELECTOR = "[data-live]";
/** The link of the header with the mark of unread messages. */
const INBOX_LINK = "#nav-alerts";
/** Events within this time cause one refresh. */
const DEBOUNCE_MS = 1_000;

let isRefreshScheduled = false;
let eventCount = 0;

/**
 * Subscribes while the page has a live region. While the tab is hidden, its title counts reports;
 * the list is refreshed when it is shown again.
 */
export function startLiveLists(): void {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && eventCount > 0) void refresh();
    resetUnseenReports();
  });
  subscribe("live-lists", {
    isActive: () => findLiveRegion() !== null,
    onEvents({ length }) {
      eventCount += length;
      countUnseenReports(length);
      if (document.hidden) return;
      if (!isRefreshScheduled) setTimeout(refresh, DEBOUNCE_MS);
      isRefreshScheduled = true;
    },
  });
}

/** Replaces the live region. While it has focus or a selection, only shows the link "N new". */
async function refresh(): Promise<void> {
  isRefreshScheduled = false;
  const [currentRegion, { href }] = [findLiveRegion(), location];
  if (!currentRegion || hasSelection(currentRegion)) return;
  const { document: page } = await fetchPage(href).catch(() => ({ document: null }));
  const newRegion = page?.querySelector(LIVE_SELECTOR);
  if (!newRegion || href !== location.href || hasSelection(currentRegion)) return;
  const id = currentRegion.contains(document.activeElement) && document.activeElement?.id;
  eventCount = 0;
  const unread = page?.querySelector(INBOX_LINK);
  if (unread) document.querySelector(INBOX_LINK)?.replaceWith(unread);
  currentRegion.replaceWith(newRegion);
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
}

function hasSelection(place: Element): boolean {
  const hasFocusOrSelection =
    place.querySelector(
      ":checked:not([data-one-line]), :focus:is(input:not(:placeholder-shown), button, select)",
    ) !== null;
  const link = place.querySelector<HTMLElement>("[data-new-count]");
  if (hasFocusOrSelection && link) {
    link.hidden = false;
    link.textContent = `${eventCount} new`;
  }
  return hasFocusOrSelection;
}

function findLiveRegion(): Element | null {
  return document.querySelector(LIVE_SELECTOR);
}
