/** What an installed app has in place of a browser's frame: a way back, and a badge. */

/** Goes back in the history, if there is one; otherwise the link leads to the home page. */
export function handleBackClick(event: MouseEvent): void {
  if (!(event.target as Element).closest("[data-back]") || history.length < 2) return;
  event.preventDefault();
  history.back();
}

/** Shows the unread messages of the page on the icon of the app. */
export function syncBadge(): void {
  const unread = document.querySelector<HTMLElement>("[data-unread]")?.dataset.unread;
  void navigator.setAppBadge?.(Number(unread ?? 0)).catch(() => undefined);
}
