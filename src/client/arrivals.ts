/**
 * What goes on at `/live`: rows for what arrives, put above those that were there. The page works without it. While nobody looks no
 * connection is made anew, and when the page has been left the next message is the last.
 */
import type { Arrival } from "../core/arrival.ts";
import { passes } from "../ui/live/passes.ts";

const MAX_ROWS = 200;
const SAY_EVERY_MS = 3_000;
/** After each failure it waits so much longer. */
const WAIT_MS = 1_000;

/** Begins, once, on the list that has `data-arrivals`, the filter as JSON; what else it needs stands before it. */
export function goOn(list: HTMLElement): void {
  list.dataset.told = "";
  const filter = JSON.parse(list.dataset.arrivals as string);
  const page = list.parentElement as HTMLElement;
  const pause = page.querySelector("button[hidden]") as HTMLElement;
  const state = page.querySelector("output") as HTMLElement;
  let held: Arrival[] | undefined;
  let isOpen = false;
  let waitMs = 0;
  let came = 0;
  let isSaying = false;

  const connect = () => {
    if (isOpen || document.hidden || !page.isConnected) return;
    isOpen = true;
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/live/socket`);
    socket.onmessage = ({ data }) => {
      waitMs = 0;
      if (!page.isConnected) socket.close();
      for (const arrival of JSON.parse(data) as Arrival[]) {
        if (!passes(arrival, filter)) continue;
        came += arrival.times ?? 1;
        if (!held) show(arrival);
        else if (held.push(arrival) > MAX_ROWS) held.shift();
        if (!isSaying) setTimeout(say, SAY_EVERY_MS);
        isSaying = true;
      }
    };
    socket.onclose = () => {
      isOpen = false;
      waitMs += WAIT_MS;
      setTimeout(connect, waitMs);
    };
  };

  const show = (arrival: Arrival) => {
    const row = page.querySelector("template")?.content.cloneNode(true) as DocumentFragment;
    const { atMs, isNew } = arrival;
    const clock = new Date(atMs).toISOString().slice(11, 19);
    const said = { ...arrival, atMs: clock, isNew: isNew && "New" };
    for (const part of row.querySelectorAll<HTMLElement>("[data-part]")) {
      const text = said[part.dataset.part as "message"];
      if (text) part.append(text);
      else part.remove();
    }
    const link = row.querySelector("a") as HTMLAnchorElement;
    link.href = `/d/${arrival.digest}?report=${arrival.id}`;
    list.prepend(row);
    page.querySelectorAll("li")[MAX_ROWS]?.remove();
  };

  const say = () => {
    isSaying = false;
    state.textContent = `${came} ${held ? "waiting" : "arrived"}`;
  };

  pause.hidden = false;
  pause.onclick = () => {
    held?.forEach(show);
    if (!held) came = 0;
    held = held ? undefined : [];
    pause.textContent = held ? "Resume" : "Pause";
    say();
  };
  document.addEventListener("visibilitychange", connect);
  connect();
}
