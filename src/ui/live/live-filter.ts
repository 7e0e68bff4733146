/** Which arrivals a filter lets through; asked on the server, and in the browser of those that come later. */
import type { LiveEvent } from "../../core/issue/live-event.ts";

/** What is asked for; what is not there asks for nothing. */
export interface LiveFilter {
  /** Somewhere in what a row says; in lower case. */
  readonly q?: string;
  readonly kind?: string;
  readonly side?: string;
}

/** True for an arrival that a filter lets through. */
export function matchesLiveFilter(
  event: LiveEvent,
  { q = "", kind = event.kind, side = event.side }: LiveFilter,
): boolean {
  const searchableText = Object.values(event).join(" ").toLowerCase();
  return searchableText.includes(q) && event.kind === kind && event.side === side;
}
