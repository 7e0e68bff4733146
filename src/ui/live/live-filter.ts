/** Decides which events match a filter, on the server and, for later events, in the browser. */
import type { LiveEvent } from "../../core/issue/live-event.ts";

export interface LiveFilter {
  /** Text anywhere in the event, in lower case. */
  readonly q?: string;
  readonly kind?: string;
  readonly side?: string;
  readonly environment?: string | undefined;
}

/** True if the event matches the filter. */
export function matchesLiveFilter(
  event: LiveEvent,
  { q = "", kind = event.kind, side = event.side, environment = event.environment }: LiveFilter,
): boolean {
  const values = Object.values(event).filter((value) => value !== undefined);
  const searchableText = values.join(" ").toLowerCase();
  return (
    searchableText.includes(q) &&
    event.kind === kind &&
    event.side === side &&
    event.environment === environment
  );
}
