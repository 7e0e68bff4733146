/** The client script of the desk: navigation without reloads, shortcuts and live lists. */

import { startLiveLists } from "./live-lists.ts";
import { syncSocket } from "./live-socket.ts";
import { startMapFiles } from "./map-files.ts";
import { handleLinkClick, handlePopState, handleSubmit, saveScrollPosition } from "./navigation.ts";
import { handleKeydown } from "./shortcuts.ts";

/** Starts once for each document. */
export function startDesk(): void {
  document.addEventListener("click", handleLinkClick);
  document.addEventListener("submit", handleSubmit);
  document.addEventListener("keydown", handleKeydown);
  addEventListener("popstate", handlePopState);
  addEventListener("scrollend", saveScrollPosition);
  addEventListener("pagehide", () => {
    // The browser restores the scroll position of reloaded pages.
    history.scrollRestoration = "auto";
  });
  document.addEventListener("visibilitychange", syncSocket);
  // A swapped page may have more or fewer subscribers.
  new MutationObserver(syncSocket).observe(document.body, { childList: true });
  startLiveLists();
  startMapFiles();
}
