/** What the desk's pages run beside `page.ts`: no full reloads, keys, and lists that change while one looks on. */
import { press } from "./keys.ts";
import { connect } from "./socket.ts";
import { follow, remember, returnTo, send } from "./swap.ts";
import { watch } from "./watch.ts";

/** Begins, once for a document. */
export function startDesk(): void {
  document.addEventListener("click", follow);
  document.addEventListener("submit", send);
  document.addEventListener("keydown", press);
  addEventListener("popstate", returnTo);
  addEventListener("scrollend", remember);
  addEventListener("pagehide", () => {
    // A page that is loaded anew is scrolled by the browser.
    history.scrollRestoration = "auto";
  });
  document.addEventListener("visibilitychange", connect);
  // A page may come with something that listens, or without it.
  new MutationObserver(connect).observe(document.body, { childList: true });
  watch();
}
