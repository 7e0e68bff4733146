/**
 * Who looks on while reports arrive: WebSockets that hibernate, so that an index with nothing to say costs nothing however many
 * watch. What is sent is an array of arrivals; what is received is ignored.
 */

import type { Issue } from "../../core/issue/issue.ts";
import { type LiveEvent, toLiveEvent } from "../../core/issue/live-event.ts";
import { limits } from "../../core/limits.ts";
import type { ReportSummary } from "../../core/report/report-summary.ts";

/** RFC 6455 § 7.4.1. */
const GOING_AWAY = 1001;

/** The watchers of one index. */
export class LiveSockets {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /** Takes one more: 101, or 503 when there are too many. */
  accept(): Response {
    if (this.#ctx.getWebSockets().length >= limits.maxLiveSockets)
      return new Response(null, { status: 503 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** True while somebody watches: for nobody nothing is made. */
  get hasClients(): boolean {
    return this.#ctx.getWebSockets().length > 0;
  }

  /** Ends every watch: whoever may still watch comes again by himself. */
  closeAll(): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(GOING_AWAY, "Come again");
  }

  /** Tells everybody what was counted. */
  broadcast(events: readonly LiveEvent[]): void {
    if (events.length === 0) return;
    const text = JSON.stringify(events.slice(-limits.recentLiveEvents));
    for (const socket of this.#ctx.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // One that has gone says so by itself.
      }
    }
  }
}

/** The newest reports of some issues as arrivals, newest first; those of storms without bodies are not among them. */
export function listLatestEvents(issues: readonly Issue[]): readonly LiveEvent[] {
  return issues
    .flatMap(({ latestReports, firstSeenMs }) =>
      latestReports.map((summary) => toEvent(summary, firstSeenMs)),
    )
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, limits.recentLiveEvents);
}

function toEvent(summary: ReportSummary, firstSeenMs: number): LiveEvent {
  return toLiveEvent(summary, !summary.isLinked && summary.atMs === firstSeenMs);
}
