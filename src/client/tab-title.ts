/** The title of the tab, with the number of reports that arrived while it was hidden. */

const MAX_SHOWN = 99;

let title = document.title;
let arrivals = 0;

/** Sets the title of the page. */
export function setTitle(text: string): void {
  title = text;
  show();
}

/** Counts reports while the tab is hidden. */
export function countArrivals(count: number): void {
  if (!document.hidden) return;
  arrivals += count;
  show();
}

/** Call when the tab is shown again. */
export function resetArrivals(): void {
  if (document.hidden || arrivals === 0) return;
  arrivals = 0;
  show();
}

function show(): void {
  const count = arrivals > MAX_SHOWN ? `${MAX_SHOWN}+` : arrivals;
  document.title = arrivals === 0 ? title : `(${count}) ${title}`;
}
