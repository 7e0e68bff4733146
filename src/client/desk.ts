/** What the desk's pages run beside `page.ts`: no full reloads, keys, and lists that change while one looks on. */

import { startLiveLists } from "./live-lists.ts";
import { syncSocket } from "./live-socket.ts";
import { handleLinkClick, handlePopState, handleSubmit, saveScrollPosition } from "./navigation.ts";
import { handleKeydown } from "./shortcuts.ts";

/** Begins, once for a document. */
export function startDesk(): void {
  document.addEventListener("click", handleLinkClick);
  document.addEventListener("submit", handleSubmit);
  document.addEventListener("keydown", handleKeydown);
  addEventListener("popstate", handlePopState);
  addEventListener("scrollend", saveScrollPosition);
  addEventListener("pagehide", () => {
    // A page that is loaded anew is scrolled by the browser.
    history.scrollRestoration = "auto";
  });
  document.addEventListener("visibilitychange", syncSocket);
  // A page may come with something that listens, or without it.
  new MutationObserver(syncSocket).observe(document.body, { childList: true });
  startLiveLists();
}
