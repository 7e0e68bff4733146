/** Lists that change while somebody looks on: when something arrives, `[data-live]` is fetched anew. */
import { hear } from "./socket.ts";
import { load } from "./swap.ts";

const LIVE = "[data-live]";
/** Arrivals within it are shown together. */
const GATHER_MS = 1_000;

let isGathering = false;
let arrived = 0;

/** Listens while the page is visible and has something to keep up to date. */
export function watch(): void {
  hear("lists", {
    isWanted: () => !document.hidden && live() !== null,
    told({ length }) {
      arrived += length;
      if (!isGathering) setTimeout(refresh, GATHER_MS);
      isGathering = true;
    },
  });
}

/** Fetches it anew; while somebody works in it, only a link says that there is more. */
async function refresh(): Promise<void> {
  isGathering = false;
  const [before, { href }] = [live(), location];
  if (!before || isInUse(before)) return;
  const { page } = await load(href).catch(() => ({ page: null }));
  const after = page?.querySelector(LIVE);
  if (!after || href !== location.href || isInUse(before)) return;
  const id = before.contains(document.activeElement) && document.activeElement?.id;
  arrived = 0;
  before.replaceWith(after);
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
}

function isInUse(place: Element): boolean {
  const isPicked = place.querySelector(":checked, :focus:is(input, button, select)") !== null;
  const link = place.querySelector<HTMLElement>("[data-fresh]");
  if (isPicked && link) {
    link.hidden = false;
    link.textContent = `${arrived} new`;
  }
  return isPicked;
}

function live(): Element | null {
  return document.querySelector(LIVE);
}
