/**
 * The digests of this page that the server has shown: in the markup of React's boundaries, which
 * React removes when it renders them again, and in `Server-Timing`. An error that React's boundary
 * catches in the browser has no digest of its own, if the server failed too.
 */

import type { CaptureSource } from "../../client/reporter.ts";
import { readServerTiming } from "./server-timing.ts";

/** True for digests that an error in the browser has. */
const taken: Record<string, boolean> = { undefined: true };

/** Reads the markup of now. Call it before hydration, too. */
export function readMarkup(): void {
  for (const { dataset } of document.querySelectorAll<HTMLElement>("template[data-dgst]"))
    taken[dataset.dgst as string] ??= false;
}

/**
 * The digest of an error: its own or, if React gave it to a callback, the first one that no other
 * error in the browser has.
 */
export function takeDigest(how: CaptureSource, own: string | undefined): string | undefined {
  readMarkup();
  taken[readServerTiming("digest") as string] ??= false;
  const isFree = (digest: string) => /^(caught|recovered)/.test(how) && !taken[digest];
  const digest = own ?? Object.keys(taken).find(isFree);
  taken[digest as string] = true;
  return digest;
}
