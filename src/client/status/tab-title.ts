/** The title of the tab, with the number of reports that arrived while it was hidden. */

const MAX_SHOWN = 99;

let title = document.title;
let unseen = 0;

export function setTitle(text: string): void {
  title = text;
  show();
}

/** Counts reports while the tab is hidden. */
export function countUnseenReports(count: number): void {
  if (!document.hidden) return;
  unseen += count;
  show();
}

/** Call when the tab is shown again. */
export function resetUnseenReports(): void {
  if (document.hidden || unseen === 0) return;
  unseen = 0;
  show();
}

function show(): void {
  const count = unseen > MAX_SHOWN ? `${MAX_SHOWN}+` : unseen;
  document.title = unseen === 0 ? title : `(${count}) ${title}`;
}
