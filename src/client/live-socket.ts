/**
 * The WebSocket on which the desk says what arrives: one for a document, open while anything on its page wants to hear. Where it
 * fails it is opened again, silently, after pauses that double; but not while nobody looks.
 */
import type { LiveEvent } from "../core/issue/live-event.ts";

const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 60_000;

/** What listens: it is told while it wants to be. The rows of `/live`, or a list that is kept up to date. */
export interface Subscriber {
  readonly isActive: () => boolean;
  readonly onEvents: (events: readonly LiveEvent[]) => void;
}

const subscribers: Record<string, Subscriber> = {};
let socket: WebSocket | undefined;
let reconnectMs = MIN_RECONNECT_MS;

/** Where the project of the page is: nothing for the first one. */
export function getBasePath(): string {
  return document.querySelector<HTMLElement>("[data-desk]")?.dataset.desk ?? "";
}

/** Has `hearer` listen from now on; in the place of what has listened by the same name. */
export function subscribe(name: string, subscriber: Subscriber): void {
  subscribers[name] = subscriber;
  syncSocket();
}

/** Opens the socket where it is wanted and not open, and closes it where nothing wants it any more. */
export function syncSocket(): void {
  const hasSubscribers = listActiveSubscribers().length > 0;
  if (!hasSubscribers) socket?.close();
  if (!hasSubscribers || socket || document.hidden) return;
  socket = new WebSocket(`${location.origin.replace("http", "ws")}${getBasePath()}/live/socket`);
  socket.onopen = () => {
    reconnectMs = MIN_RECONNECT_MS;
  };
  socket.onmessage = ({ data }) => {
    const events = JSON.parse(data);
    for (const subscriber of listActiveSubscribers()) subscriber.onEvents(events);
  };
  socket.onclose = () => {
    socket = undefined;
    setTimeout(syncSocket, reconnectMs);
    reconnectMs = Math.min(2 * reconnectMs, MAX_RECONNECT_MS);
  };
}

function listActiveSubscribers(): readonly Subscriber[] {
  return Object.values(subscribers).filter((subscriber) => subscriber.isActive());
}
