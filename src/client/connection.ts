/** Announces when the browser goes offline and online. */

const OFFLINE_TEXT = "You are offline. Nothing was sent, and this page stays open.";

/** Starts once for each document. */
export function startConnectionNotes(): void {
  addEventListener("offline", announceOffline);
  addEventListener("online", () => announce("You are online again."));
}

/** Shows that the browser is offline. */
export function announceOffline(): void {
  announce(OFFLINE_TEXT, true);
}

/** Announces a text to screen readers; with `isShown`, also shows it. */
export function announce(text: string, isShown = false): void {
  const place = document.querySelector("[data-announcer]");
  if (place) place.textContent = text;
  place?.classList.toggle("visually-hidden", !isShown);
}
