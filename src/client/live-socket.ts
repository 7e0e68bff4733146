/**
 * The WebSocket for live events: one for each document, open while the page has an active
 * subscriber. It reconnects with exponential backoff while the page is visible.
 */
import type { LiveEvent } from "../core/issue/live-event.ts";

const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 60_000;

/** Receives events while it is active. */
interface Subscriber {
  readonly isActive: () => boolean;
  readonly onEvents: (events: readonly LiveEvent[]) => void;
}

const subscribers: Record<string, Subscriber> = {};
let socket: WebSocket | undefined;
let reconnectMs = MIN_RECONNECT_MS;

/** The base path of the project (`/p/2`); empty for the first one. */
export function getBasePath(): string {
  return document.querySelector<HTMLElement>("[data-desk]")?.dataset.desk ?? "";
}

/** Adds a subscriber, replacing the one with the same name. */
export function subscribe(name: string, subscriber: Subscriber): void {
  subscribers[name] = subscriber;
  syncSocket();
}

/** Opens the socket if there is an active subscriber, and closes it otherwise. */
export function syncSocket(): void {
  const hasSubscribers = listActiveSubscribers().length > 0;
  if (!hasSubscribers) socket?.close();
  if (!hasSubscribers || socket || document.hidden) return;
  // The style sheet shows the text of this state. It is absent while the socket connects.
  const state = document.documentElement.dataset;
  delete state.socket;
  socket = new WebSocket(`${location.origin.replace("http", "ws")}${getBasePath()}/live/socket`);
  socket.onopen = () => {
    state.socket = "open";
    reconnectMs = MIN_RECONNECT_MS;
  };
  socket.onmessage = ({ data }) => {
    const events = JSON.parse(data);
    for (const subscriber of listActiveSubscribers()) subscriber.onEvents(events);
  };
  socket.onclose = () => {
    socket = undefined;
    state.socket = "closed";
    setTimeout(syncSocket, reconnectMs);
    reconnectMs = Math.min(2 * reconnectMs, MAX_RECONNECT_MS);
  };
}

function listActiveSubscribers(): readonly Subscriber[] {
  return Object.values(subscribers).filter((subscriber) => subscriber.isActive());
}
