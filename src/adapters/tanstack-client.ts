/** `errata/tanstack` in the browser. */

import { capture } from "../client/reporter.ts";
import type { BrowserOptions } from "./browser.ts";
import { startRouterReporter } from "./router-reporter.ts";
import { createAdapter, type ErrorAdapter } from "./tanstack-errors.ts";

/** The part of the router's options that is set. */
interface RouterOptions {
  defaultOnCatch?: ((error: Error, info: ErrorInfo) => void) | undefined;
}

interface ErrorInfo {
  readonly componentStack?: string | null | undefined;
}

/** Errors that the browser sends to a server function keep their message. */
export function createErrorAdapter(): ErrorAdapter {
  return createAdapter(({ message }) => ({ message }));
}

/** Function middlewares of the server do not run in the browser. */
export function reportFunction<Next extends () => unknown>({
  next,
}: {
  readonly next: Next;
}): ReturnType<Next> {
  return next() as ReturnType<Next>;
}

/**
 * Starts the reporter, before hydration removes the digests from the markup, and reports what
 * boundaries of routes catch.
 */
export function withErrata<Given extends { readonly options: object }>(
  router: Given,
  options?: BrowserOptions,
): Given {
  startRouterReporter(options);
  const routerOptions: RouterOptions = router.options;
  const { defaultOnCatch } = routerOptions;
  routerOptions.defaultOnCatch = (error, info) => {
    capture("caught", error, { componentStack: info.componentStack });
    defaultOnCatch?.(error, info);
  };
  return router;
}
