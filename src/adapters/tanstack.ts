/**
 * `errata/tanstack`: what `src/start.ts` and `src/router.tsx` of TanStack Start import, on the
 * server. Bundlers take `tanstack-client.ts` for the browser.
 */

import { readString } from "../core/read-property.ts";
import type { BrowserOptions } from "./browser.ts";
import { getServedRequest } from "./served-request.ts";
import { getErrata } from "./server.ts";
import { isDevelopment } from "./shown-error.ts";
import { createAdapter, type ErrorAdapter } from "./tanstack-errors.ts";
import {
  configurePublicErrors,
  getStartContext,
  hasFailed,
  isPublicError,
  nameThrown,
  type Router,
  recordRouter,
  recordSent,
} from "./tanstack-requests.ts";

/** Options of `createErrorAdapter`. */
export interface ErrorAdapterOptions {
  /** True for an error whose message pages may show. It is not reported. */
  readonly isPublic?: ((error: Error) => boolean) | undefined;
}

/**
 * The serialization adapter for errors. Of a failed loader, promise or server function the browser
 * gets the digest and, in production, no message. It comes after the adapters of the application.
 */
export function createErrorAdapter({ isPublic }: ErrorAdapterOptions = {}): ErrorAdapter {
  if (isPublic !== undefined) configurePublicErrors(isPublic);
  return createAdapter((error) => {
    const { message } = error;
    const digest = isPublicError(error) ? undefined : nameSerialized(error);
    const sent = digest === undefined || isDevelopment() ? { message, digest } : { digest };
    recordSent(error, sent);
    return sent;
  });
}

/** TanStack Start tells no other part of the application about the failure of a loader. */
function nameSerialized(error: Error): string | undefined {
  const { request, handlerType } = getStartContext();
  const isLoader = hasFailed(request, error);
  const how = isLoader ? "loader" : handlerType === "serverFn" ? "function" : "data";
  const sentStatus = request && getServedRequest(request).status;
  const isKnown = getErrata().find(error) !== undefined;
  const digest = nameThrown(error, request, { how, status: isLoader ? 500 : (sentStatus ?? 200) });
  if (!isKnown && digest !== undefined) console.error(digest, error);
  return digest;
}

/** A function middleware: `createMiddleware({ type: "function" }).server(reportFunction)`. */
export async function reportFunction<Next extends () => unknown>(input: {
  readonly next: Next;
  readonly serverFnMeta?: unknown;
}): Promise<Awaited<ReturnType<Next>>> {
  try {
    return (await input.next()) as Awaited<ReturnType<Next>>;
  } catch (error) {
    const { request, handlerType } = getStartContext();
    const name = readString(input.serverFnMeta, "name")?.replace(/_createServerFn_handler$/, "");
    // A loader calls the function without a request of its own.
    const route = handlerType === "serverFn" && name !== undefined && { route: name };
    const status = route ? 200 : 500;
    nameThrown(error, request, { how: "function", status, tags: { function: name }, ...route });
    throw error;
  }
}

/**
 * The router of the application, for `getRouter` to return. In the browser it starts the reporter
 * with these options.
 */
export function withErrata<Given extends Router>(router: Given, _options?: BrowserOptions): Given {
  recordRouter(router);
  return router;
}
