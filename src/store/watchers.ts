/**
 * Who looks on while reports arrive: WebSockets that hibernate, so that an index with nothing to say costs nothing however many
 * watch. What is sent is an array of arrivals; what is received is ignored.
 */
import { type Arrival, arrivalOf } from "../core/arrival.ts";
import type { Issue, Mark } from "../core/issue.ts";
import { limits } from "../core/limits.ts";

/** RFC 6455 § 7.4.1. */
const GOING_AWAY = 1001;

/** The watchers of one index. */
export class Watchers {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /** Takes one more: 101, or 503 when there are too many. */
  take(): Response {
    if (this.#ctx.getWebSockets().length >= limits.maxWatchers)
      return new Response(null, { status: 503 });
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.#ctx.acceptWebSocket(ours);
    return new Response(null, { status: 101, webSocket: theirs });
  }

  /** True while somebody watches: for nobody nothing is made. */
  get areThere(): boolean {
    return this.#ctx.getWebSockets().length > 0;
  }

  /** Ends every watch: whoever may still watch comes again by himself. */
  dismiss(): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(GOING_AWAY, "Come again");
  }

  /** Tells everybody what was counted. */
  tell(arrivals: readonly Arrival[]): void {
    if (arrivals.length === 0) return;
    const text = JSON.stringify(arrivals.slice(-limits.recentArrivals));
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
export function newestArrivals(issues: readonly Issue[]): readonly Arrival[] {
  return issues
    .flatMap(({ latest, firstSeenMs }) => latest.map((mark) => arrival(mark, firstSeenMs)))
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, limits.recentArrivals);
}

function arrival(mark: Mark, firstSeenMs: number): Arrival {
  return arrivalOf(mark, !mark.linked && mark.atMs === firstSeenMs);
}
