/**
 * WebSockets of the live page. They hibernate, so that open sockets of an idle project cost
 * nothing. The index sends JSON arrays of live events and ignores what it receives. A WebSocket
 * ends with its session or token, at the next event or message: a timer would wake the object.
 */

import type { Issue } from "../../core/issue/issue.ts";
import { type LiveEvent, toLiveEvent } from "../../core/issue/live-event.ts";
import { selectNewestReports } from "../../core/issue/related-reports.ts";
import { limits } from "../../core/limits.ts";
import { countUnplaced, listPlaces } from "../../core/place/stack-counts.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";

/** Close codes of RFC 6455 § 7.4.1. The last two are reserved and must not be sent. */
const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;
const RESERVED_CODES: readonly number[] = [1005, 1006];

export class LiveSockets {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /**
   * Responds with 101 and a WebSocket that ends at `endsMs`, with 503 if there are too many, or
   * with 429 if `holder` has too many. Without a holder, only all of them count.
   */
  accept(
    { endsMs, holder }: { readonly endsMs: number; readonly holder?: string | undefined },
    nowMs: number,
  ): Response {
    this.closeExpired(nowMs);
    if (this.#ctx.getWebSockets().length >= limits.maxLiveSockets)
      return new Response(null, { status: 503 });
    const own = holder === undefined ? [] : this.#ctx.getWebSockets(holder);
    if (own.length >= limits.maxLiveStreams) return new Response(null, { status: 429 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, holder === undefined ? [] : [holder]);
    server.serializeAttachment(endsMs);
    return new Response(null, { status: 101, webSocket: client });
  }

  get hasClients(): boolean {
    return this.#ctx.getWebSockets().length > 0;
  }

  /** Confirms that a client closed its WebSocket. */
  onClose(socket: WebSocket, code: number): void {
    socket.close(RESERVED_CODES.includes(code) ? NORMAL_CLOSURE : code);
  }

  /** Closes every WebSocket. Clients reconnect, which checks their access again. */
  closeAll(): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(GOING_AWAY, "Reconnect");
  }

  /** Closes the WebSockets whose session or token has expired. */
  closeExpired(nowMs: number): void {
    for (const socket of this.#ctx.getWebSockets()) {
      if (Number(socket.deserializeAttachment()) <= nowMs) socket.close(GOING_AWAY, "Reconnect");
    }
  }

  /** Sends the newest events, oldest first. */
  broadcast(events: readonly LiveEvent[], nowMs: number): void {
    this.closeExpired(nowMs);
    if (events.length === 0) return;
    const text = JSON.stringify(keepNewest(events.toReversed()).reverse());
    for (const socket of this.#ctx.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // A disconnected client also causes a close event.
      }
    }
  }
}

/** The newest stored reports of some issues as live events, newest first. */
export function listLatestEvents(issues: readonly Issue[]): readonly LiveEvent[] {
  const events = issues.flatMap((issue) =>
    issue.latestReports.map((summary) => toEvent(summary, issue)),
  );
  return keepNewest(events.sort((a, b) => b.atMs - a.atMs));
}

/** The newest events, in the given order. Lower levels cannot fill the whole list. */
function keepNewest(newestFirst: readonly LiveEvent[]): LiveEvent[] {
  if (newestFirst.length <= limits.recentLiveEvents) return [...newestFirst];
  const selected = new Set(selectNewestReports(newestFirst, limits.recentLiveEvents));
  return newestFirst.filter((event) => selected.has(event));
}

function toEvent(summary: ReportSummary, { firstSeenMs, stacks }: Issue): LiveEvent {
  const isNew = !summary.isLinked && summary.atMs === firstSeenMs;
  // Stored summaries have no stacks. If the issue has several places, theirs is unknown.
  const [place, ...others] = listPlaces(stacks).filter((one) => one.release === summary.release);
  const isPlaced = !summary.isLinked && others.length === 0 && countUnplaced(stacks) === 0;
  return toLiveEvent(summary, isNew, isPlaced ? place : undefined);
}
