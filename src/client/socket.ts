/**
 * The WebSocket on which the desk says what arrives: one for a document, open while anything on its page wants to hear. Where it
 * fails it is opened again, silently, after pauses that double; but not while nobody looks.
 */
import type { Arrival } from "../core/arrival.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** What listens: it is told while it wants to be. The rows of `/live`, or a list that is kept up to date. */
export interface Hearer {
  readonly isWanted: () => boolean;
  readonly told: (arrivals: readonly Arrival[]) => void;
}

const hearers: Record<string, Hearer> = {};
let socket: WebSocket | undefined;
let pauseMs = FIRST_PAUSE_MS;

/** Where the project of the page is: nothing for the first one. */
export function base(): string {
  return document.querySelector<HTMLElement>("[data-desk]")?.dataset.desk ?? "";
}

/** Has `hearer` listen from now on; in the place of what has listened by the same name. */
export function hear(name: string, hearer: Hearer): void {
  hearers[name] = hearer;
  connect();
}

/** Opens the socket where it is wanted and not open, and closes it where nothing wants it any more. */
export function connect(): void {
  const isWanted = wanting().length > 0;
  if (!isWanted) socket?.close();
  if (!isWanted || socket || document.hidden) return;
  socket = new WebSocket(`${location.origin.replace("http", "ws")}${base()}/live/socket`);
  socket.onopen = () => {
    pauseMs = FIRST_PAUSE_MS;
  };
  socket.onmessage = ({ data }) => {
    const arrivals = JSON.parse(data);
    for (const hearer of wanting()) hearer.told(arrivals);
  };
  socket.onclose = () => {
    socket = undefined;
    setTimeout(connect, pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  };
}

function wanting(): readonly Hearer[] {
  return Object.values(hearers).filter((hearer) => hearer.isWanted());
}
