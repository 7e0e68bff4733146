/** `errata/react-router/client`: the reporter of `entry.client.tsx`. */

import { capture } from "../client/reporter.ts";
import type { BrowserOptions } from "./browser.ts";
import { isRouteResponse } from "./react-router-errors.ts";
import { startRouterReporter } from "./router-reporter.ts";

export { onRecoverableError } from "./browser.ts";

/** Starts the reporter, with the options of `errata/browser`. Call it before `hydrateRoot`. */
export function startErrata(options?: BrowserOptions): void {
  // Before the reporter: the promise of a loader that failed on the server rejects here too.
  addEventListener("unhandledrejection", ({ reason }) => addDigest(reason));
  startRouterReporter(options);
}

/** What React Router knows of an error. */
interface ErrorDetails {
  readonly errorInfo?: { readonly componentStack?: string | null | undefined } | undefined;
}

/**
 * `<HydratedRouter onError={onError}>`. Reports an error once; one of the server belongs to the
 * server's report by its digest. A response that a loader threw, such as "not found", is none.
 */
export function onError(error: unknown, { errorInfo }: ErrorDetails): void {
  const componentStack = errorInfo?.componentStack;
  if (isRouteResponse(error) && error.digest === undefined) return;
  capture("caught", addDigest(error), { componentStack });
}

/**
 * What React Router sends in place of an error has no stack. Only that of a promise has no digest,
 * which is in the markup until React hydrates it.
 */
function addDigest(error: unknown): unknown {
  if (!(error instanceof Error) || error.stack || error.message !== SANITIZED) return error;
  const sent: Error & { digest?: string | undefined } = error;
  sent.digest ??= document.querySelector<HTMLElement>("template[data-dgst]")?.dataset.dgst;
  return sent;
}

const SANITIZED = "Unexpected Server Error";
