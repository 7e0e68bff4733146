/**
 * What goes on at `/live`: rows for what arrives, put above those that were there. The page works without it. What arrives while
 * nobody looks is there when somebody looks again.
 */
import type { Arrival } from "../core/arrival.ts";
import { reportUrl } from "../ui/issue/issue-url.ts";
import { passes } from "../ui/live/passes.ts";
import { type PartName, saidOf } from "../ui/live/said-of.ts";
import { base, hear } from "./socket.ts";

const MAX_ROWS = 200;
const SAY_EVERY_MS = 3_000;

/** Begins, once, on the list that has `data-arrivals`, the filter as JSON; what else it needs stands before it. */
export function goOn(list: HTMLElement): void {
  list.dataset.told = "";
  const filter = JSON.parse(list.dataset.arrivals as string);
  const page = list.parentElement as HTMLElement;
  const pause = page.querySelector("button[hidden]") as HTMLElement;
  const state = page.querySelector("output") as HTMLElement;
  let held: Arrival[] | undefined;
  let came = 0;
  let isSaying = false;

  const take = (arrival: Arrival) => {
    if (!passes(arrival, filter)) return;
    came += arrival.times ?? 1;
    if (!held) show(arrival);
    else if (held.push(arrival) > MAX_ROWS) held.shift();
    if (!isSaying) setTimeout(say, SAY_EVERY_MS);
    isSaying = true;
  };

  const show = (arrival: Arrival) => {
    const row = page.querySelector("template")?.content.cloneNode(true) as DocumentFragment;
    const said = saidOf(arrival);
    for (const part of row.querySelectorAll<HTMLElement>("[data-part]")) {
      const text = said[part.dataset.part as PartName];
      if (text) part.append(text);
      else part.remove();
    }
    const link = row.querySelector("a") as HTMLAnchorElement;
    link.href = base() + reportUrl(arrival.digest, arrival.id);
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
  hear("rows", {
    isWanted: () => page.isConnected,
    told: (arrivals) => arrivals.forEach(take),
  });
}
