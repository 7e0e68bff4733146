/** Prepends a row for each live event on `/live`. The page works without it. */
import type { LiveEvent } from "../core/issue/live-event.ts";
import { matchesLiveFilter } from "../ui/live/live-filter.ts";
import { type LiveRowPart, toLiveRowText } from "../ui/live/live-row-text.ts";
import { toReportUrl } from "../ui/urls/issue-urls.ts";
import { getBasePath, subscribe } from "./live-socket.ts";
import { groupByDay } from "./time/day-headings.ts";

const MAX_ROWS = 200;
/** Above `MAX_ROWS`, public reports must leave this room to others: they can be endless. */
const MAX_PUBLIC_ROWS = 100;
const ANNOUNCE_INTERVAL_MS = 3_000;

/** Starts once on the list with `data-live-filter` (JSON). Its controls are siblings before it. */
export function startLiveFeed(list: HTMLElement): void {
  const filter = JSON.parse(list.dataset.liveFilter as string);
  const page = list.parentElement as HTMLElement;
  const pause = page.querySelector("button[hidden]") as HTMLElement;
  const state = page.querySelector("output") as HTMLElement;
  let buffered: LiveEvent[] | undefined;
  let eventCount = 0;
  let isAnnouncing = false;

  const receive = (event: LiveEvent) => {
    if (!matchesLiveFilter(event, filter)) return;
    eventCount += event.occurrences ?? 1;
    if (!buffered) prependRow(event);
    else if (buffered.push(event) > MAX_ROWS) {
      // The oldest public event, else the oldest: strangers can send endless events.
      buffered.splice(Math.max(0, buffered.findIndex(isPublic)), 1);
    }
    if (!isAnnouncing) setTimeout(announceCount, ANNOUNCE_INTERVAL_MS);
    isAnnouncing = true;
  };

  const prependRow = (event: LiveEvent) => {
    const row = page.querySelector("template")?.content.cloneNode(true) as DocumentFragment;
    const rowText = toLiveRowText(event);
    for (const part of row.querySelectorAll<HTMLElement>("[data-part]")) {
      const text = rowText[part.dataset.part as LiveRowPart];
      if (text) part.append(text);
      else part.remove();
    }
    const time = row.querySelector("time") as HTMLTimeElement;
    time.dateTime = new Date(event.atMs).toJSON() ?? "";
    if (time.dateTime) time.title = time.dateTime;
    else delete time.dataset.clock;
    const link = row.querySelector("a") as HTMLAnchorElement;
    link.href = getBasePath() + toReportUrl(event.digest, event.id);
    (row.firstElementChild as HTMLElement).dataset.trust = event.trust;
    list.prepend(row);
    const publicRows = page.querySelectorAll("li[data-trust=public]");
    const surplus = page.querySelectorAll(".live-row")[MAX_ROWS];
    if (surplus) (publicRows.length > MAX_PUBLIC_ROWS ? [...publicRows].at(-1) : surplus)?.remove();
  };

  const announceCount = () => {
    isAnnouncing = false;
    state.textContent = `${eventCount} ${buffered ? "waiting" : "received"}`;
  };

  pause.hidden = false;
  pause.onclick = () => {
    buffered?.forEach(prependRow);
    if (!buffered) eventCount = 0;
    buffered = buffered ? undefined : [];
    pause.textContent = buffered ? "Resume" : "Pause";
    announceCount();
  };
  groupByDay(page);
  subscribe("live-feed", {
    isActive: () => page.isConnected,
    onEvents: (events) => events.forEach(receive),
  });
}

const isPublic = ({ trust }: LiveEvent) => trust === "public";
