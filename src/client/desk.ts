/** The client script of the desk: navigation without reloads, shortcuts and live lists. */

import { startChartSpans } from "./chart-spans.ts";
import { handlePicture } from "./handle-picture.ts";
import { startMenus } from "./keyboard/menus.ts";
import { startTriage } from "./keyboard/row-selection.ts";
import { handleKeydown } from "./keyboard/shortcuts.ts";
import { startLiveLists } from "./live-lists.ts";
import { syncSocket } from "./live-socket.ts";
import { handleLinkClick, handlePopState, handleSubmit, saveScrollPosition } from "./navigation.ts";
import { startConnectionNotes } from "./status/connection.ts";

/** A scroll has ended after this time without scrolling. */
const SCROLL_END_MS = 200;

/** Starts once for each document. */
export function startDesk(): void {
  document.addEventListener("click", handleLinkClick);
  document.addEventListener("submit", handleSubmit);
  document.addEventListener("keydown", handleKeydown);
  for (const type of ["paste", "dragover", "drop", "change"] as const)
    document.addEventListener(type, handlePicture);
  addEventListener("popstate", handlePopState);
  // `toggle` does not bubble.
  document.addEventListener("toggle", loadMenuList, true);
  document.addEventListener("focusin", startQuery);
  if ("onscrollend" in window) addEventListener("scrollend", saveScrollPosition);
  // WebKit has no `scrollend`, and limits the calls of `replaceState`.
  else addEventListener("scroll", debounce(saveScrollPosition, SCROLL_END_MS));
  addEventListener("pagehide", () => {
    // The browser restores the scroll position of reloaded pages.
    history.scrollRestoration = "auto";
  });
  document.addEventListener("visibilitychange", syncSocket);
  // A swapped page may have more or fewer subscribers.
  new MutationObserver(syncSocket).observe(document.body, { childList: true });
  document.addEventListener("pointerdown", startTouch);
  startLiveLists();
  startTriage();
  startMenus();
  startChartSpans();
  startConnectionNotes();
}

/** Loads the completion of a query field when it gets the focus. */
function startQuery({ target }: FocusEvent): void {
  const input = target as HTMLInputElement;
  const { queryInput, initialized } = input.dataset;
  if (queryInput === undefined || initialized !== undefined) return;
  input.dataset.initialized = "";
  void import("./query/query-field.ts").then(({ startQueryField }) => startQueryField(input));
}

/** Loads the complete list of a menu when it is first opened. */
function loadMenuList({ target, newState }: ToggleEvent): void {
  const menu = target as HTMLElement;
  if (menu.dataset.listUrl && newState === "open")
    void import("./menu-list.ts").then((script) => script.loadMenuList(menu));
}

/** Loads the gestures of rows at the first touch. */
function startTouch(event: PointerEvent): void {
  if (event.pointerType === "touch")
    void import("./swipe.ts").then(({ startSwipes }) => startSwipes(event));
}

function debounce(action: () => void, ms: number): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(action, ms);
  };
}
