/**
 * `errata/next`: reports the failures of a Next.js server, App Router and Pages Router, and shows
 * Errata's digest wherever Next.js shows a digest. `instrumentation.ts` re-exports `register` and
 * `onRequestError`, and `proxy.ts` re-exports `proxy`.
 */

import { computeDigest } from "./next-failure.ts";
import { installOwnDigests } from "./next-own-digests.ts";
import { watchResponses } from "./next-responses.ts";
import { findRenderedRoute, watchRoutes } from "./next-route.ts";
import { configureErrata, type ErrataOptions, getErrata } from "./server.ts";
import { isDevelopment } from "./shown-error.ts";

export { wrapApiHandler, wrapRouteHandler } from "./next-handlers.ts";
export { proxy, withErrata } from "./next-proxy.ts";
export { type FailedRequest, type FailureContext, onRequestError } from "./next-request-error.ts";

/** Options besides those of `errata/server`. */
export interface NextOptions extends ErrataOptions {
  /**
   * Next.js shows Errata's digests, for which `Error.prototype` gets an accessor. True by default
   * in production. If false, Next.js shows its own digests, and a lookup of one finds the error.
   */
  readonly ownDigests?: boolean;
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

/** Prepares the server. Next.js calls it at the start, in each runtime. */
export function register({ ownDigests = !isDevelopment(), ...options }: NextOptions = {}): void {
  if (Object.keys(options).length > 0) configureErrata(options);
  if (process.env.NEXT_RUNTIME !== "edge") {
    watchResponses();
    watchRoutes();
  }
  // Without an Errata to ask, the digest of Next.js is better: it is in the log.
  const isConnected = getErrata().toReceiptUrl("") !== undefined;
  if (ownDigests && isConnected)
    installOwnDigests((error) => computeDigest(error, findRenderedRoute()));
}
