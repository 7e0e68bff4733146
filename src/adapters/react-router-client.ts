/** `errata/react-router/client`: the reporter of `entry.client.tsx`. */

import { capture } from "../client/reporter.ts";
import type { BrowserOptions } from "./browser.ts";
import { isRouteResponse } from "./react-router-errors.ts";
import { startRouterReporter } from "./router-reporter.ts";

export { onRecoverableError } from "./browser.ts";

/** Starts the reporter, with the options of `errata/browser`. Call it before `hydrateRoot`. */
export function startErrata({ beforeSend = (report) => report, ...options }: BrowserOptions = {}) {
  // Before the reporter: the promise of a loader that failed on the server rejects here too.
  addEventListener("unhandledrejection", ({ reason }) => {
    addDigest(reason);
    if (isUntold(reason)) reportLater(reason);
  });
  startRouterReporter({
    ...options,
    beforeSend: (report) => {
      const isLater = report.how === "rejection" && report.message === SANITIZED;
      return isLater && report.digest === undefined ? null : beforeSend(report);
    },
  });
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
  if (isRouteResponse(error) && error.digest === undefined) return;
  const report = isUntold(addDigest(error)) ? reportLater : reportNow;
  report(error, errorInfo?.componentStack);
}

function reportNow(error: unknown, componentStack?: string | null): void {
  capture("caught", error, { componentStack });
}

/**
 * The element in place of a promise that failed on the server has a digest, if it is a notice, which
 * reports it. React has not rendered it yet.
 */
function reportLater(error: unknown, componentStack?: string | null): void {
  setTimeout(() => reportNow(error, componentStack), 1_000);
}

/** An error of the server, as React Router sends it. */
interface SentError extends Error {
  digest?: string | undefined;
}

/**
 * What React Router sends in place of an error has no stack. Only that of a promise has no digest,
 * which is in the markup until React hydrates it.
 */
function addDigest(error: unknown): unknown {
  if (isUntold(error))
    error.digest = document.querySelector<HTMLElement>("template[data-dgst]")?.dataset.dgst;
  return error;
}

/** True for an error of the server whose digest is unknown. */
function isUntold(error: unknown): error is SentError {
  if (!(error instanceof Error) || error.stack || error.message !== SANITIZED) return false;
  return (error as SentError).digest === undefined;
}

const SANITIZED = "Unexpected Server Error";
