/** Which arrivals a filter lets through; asked on the server, and in the browser of those that come later. */
import type { Arrival } from "../../core/arrival.ts";

/** What is asked for; what is not there asks for nothing. */
export interface ArrivalFilter {
  /** Somewhere in what a row says; in lower case. */
  readonly q?: string;
  readonly kind?: string;
  readonly side?: string;
}

/** True for an arrival that a filter lets through. */
export function passes(
  arrival: Arrival,
  { q = "", kind = arrival.kind, side = arrival.side }: ArrivalFilter,
): boolean {
  const said = Object.values(arrival).join(" ").toLowerCase();
  return said.includes(q) && arrival.kind === kind && arrival.side === side;
}
