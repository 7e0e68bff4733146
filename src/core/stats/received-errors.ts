/**
 * Which errors arrive: those of servers and those of browsers. Trust tells them apart, because
 * servers have a server key, and a page cannot have one. Pure.
 */

import type { DailyCounter } from "./counters.ts";

/** Errors by their sender, stored and sampled ones. */
export interface ReceivedErrors {
  /** With a server key. */
  readonly server: number;
  /** With a public key, a page token or without a key. */
  readonly browser: number;
}

/** The errors that these counters count. */
export function countReceivedErrors(counters: readonly DailyCounter[]): ReceivedErrors {
  let server = 0;
  let browser = 0;
  for (const { name, count } of counters) {
    const [outcome, item, noise, , trust] = name;
    const isReport = outcome === "accepted" || outcome === "counted";
    if (!isReport || item !== "error" || noise !== "") continue;
    if (trust === "server") server += count;
    else browser += count;
  }
  return { server, browser };
}

/** The side whose errors do not arrive although the other's do. */
export function findMissingSide({ server, browser }: ReceivedErrors): keyof ReceivedErrors | null {
  if (server > 0 && browser === 0) return "browser";
  return browser > 0 && server === 0 ? "server" : null;
}
