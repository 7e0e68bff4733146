/**
 * The digests of this page that the server has shown: in the markup of React's boundaries, which
 * React removes when it renders them again, and in `Server-Timing`. An error that React's boundary
 * catches in the browser has no digest of its own, if the server failed too.
 */

import type { CaptureSource } from "../../client/reporter.ts";
import { readServerTiming } from "./server-timing.ts";

/** The error that has a digest of this page; 0 for a digest that no error has. */
const owners: Record<string, unknown> = { undefined: {} };

/** The path of the page that the server sent. A soft navigation leads to another one. */
let sentPath: string | undefined;

/** Reads the markup of now. Call it before hydration, too. */
export function readMarkup(): void {
  sentPath ??= location.pathname;
  for (const { dataset } of document.querySelectorAll<HTMLElement>("template[data-dgst]"))
    owners[dataset.dgst as string] ??= 0;
}

/**
 * The digest of an error: its own or, if React gave it to a callback, the first one of the page that
 * no other error has. Every call with the same error returns the same digest.
 */
export function takeDigest(
  thrown: unknown,
  own?: string,
  how: CaptureSource = "caught",
): string | undefined {
  readMarkup();
  owners[readServerTiming("digest") as string] ??= 0;
  const isFree = (digest: string) =>
    /^caught|recovered/.test(how) &&
    (owners[digest] || thrown) === thrown &&
    sentPath === location.pathname;
  const digest = own || Object.keys(owners).find(isFree);
  if (digest) owners[digest] = thrown;
  return digest;
}
