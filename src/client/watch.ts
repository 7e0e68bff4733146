/** Lists that change while somebody looks on: what arrives is told on a WebSocket, and `[data-live]` is fetched anew. */
import { load } from "./swap.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const LIVE = "[data-live]";
/** Arrivals within it are shown together. */
const GATHER_MS = 1_000;

let socket: WebSocket | undefined;
let pauseMs = FIRST_PAUSE_MS;
let isGathering = false;
let arrived = 0;

/** Listens while the page is visible and has something to keep up to date; where it fails, again and again, and silently. */
export function watch(): void {
  document.addEventListener("visibilitychange", connect);
  // A page may come with something live, or without it.
  new MutationObserver(connect).observe(document.body, { childList: true });
  connect();
}

function connect(): void {
  const isWanted = !document.hidden && live() !== null;
  if (!isWanted) socket?.close();
  if (!isWanted || socket) return;
  const mine = new WebSocket(`${location.origin.replace("http", "ws")}/live/socket`);
  socket = mine;
  mine.onopen = () => {
    pauseMs = FIRST_PAUSE_MS;
  };
  mine.onmessage = ({ data }) => {
    arrived += JSON.parse(data).length;
    if (!isGathering) setTimeout(refresh, GATHER_MS);
    isGathering = true;
  };
  mine.onclose = () => {
    socket = undefined;
    setTimeout(connect, pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  };
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
