/** Announces when the browser goes offline and online. */

export const OFFLINE_TEXT = "You are offline. Nothing was sent, and this page stays open.";

/** Starts once for each document. */
export function startConnectionNotes(): void {
  addEventListener("offline", () => announce(OFFLINE_TEXT, true));
  addEventListener("online", () => announce("You are online again."));
}

/** Announces a text to screen readers; with `isShown`, also shows it. */
export function announce(text: string, isShown = false): void {
  const place = document.querySelector("[data-announcer]");
  if (place) place.textContent = text;
  place?.classList.toggle("visually-hidden", !isShown);
}
