/**
 * `errata/react-router`: the hooks of `entry.server.tsx` and the middleware of `root.tsx`, for
 * React Router 7 and 8 in framework mode.
 */

import {
  configureShownErrors,
  isRouteResponse,
  type RouterContext,
  replaceErrors,
  showDigest,
} from "./react-router-errors.ts";
import { watchPromises } from "./react-router-promises.ts";
import {
  createRenderer,
  type RenderContext,
  type RenderInfo,
  type RenderPackages,
} from "./react-router-render.ts";
import { addFacts, findRoute, isRefusedPost, recordRoute } from "./react-router-requests.ts";
import { nameFailure } from "./served-request.ts";
import { isFailure } from "./server.ts";

/** What React Router gives to `handleError` and `handleDataRequest`. */
interface HookArgs {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** The default export of `entry.server.tsx`. */
type HandleRequest<Context extends RouterContext, Load extends readonly unknown[]> = (
  request: Request,
  status: number,
  headers: Headers,
  context: Context,
  ...load: Load
) => Promise<unknown> | unknown;

/** Options of `withErrata` and `createHandleRequest`. */
export interface RouteErrorOptions {
  /** False if an `ErrorBoundary` must get React Router's own error, without a digest. */
  readonly digestInRouteError?: boolean | undefined;
}

/** `handleError` of `entry.server.tsx`: names, reports and logs a failure. */
export function handleError(error: unknown, { request, params }: HookArgs): void {
  if (request.signal.aborted) return;
  if (isRouteResponse(error) || !isFailure(error) || isRefusedPost(error, request)) {
    console.error((isRouteResponse(error) && error.error) || error);
    return;
  }
  const how = /^(?:GET|HEAD)$/.test(request.method) ? "loader" : "action";
  const { digest } = nameFailure(error, request, { how, route: findRoute(request, params) });
  console.error(digest, error);
  showDigest(error, digest);
}

/** `handleDataRequest` of `entry.server.tsx`. */
export function handleDataRequest(response: Response, { request }: HookArgs): Promise<Response> {
  return addFacts(response, request);
}

/** A middleware for `root.tsx`, which also knows the routes without a page. */
export async function errataMiddleware(
  args: { readonly request: Request },
  next: () => Promise<Response>,
): Promise<Response> {
  recordRoute(args);
  return addFacts(await next(), args.request);
}

/** The digest of what a render failed with, for `onError` of `react-dom/server` to return. */
export function nameRenderError(
  error: unknown,
  request: Request,
  info?: RenderInfo,
): string | undefined {
  if (request.signal.aborted || !isFailure(error)) return undefined;
  // A boundary that was given an error throws it again.
  if (isRouteResponse(error)) return error.digest;
  const { digest } = nameFailure(error, request, {
    how: "render",
    route: findRoute(request),
    componentStack: info?.componentStack,
    ...(info?.status !== undefined && { status: info.status }),
  });
  return digest;
}

/** Wraps the default export of `entry.server.tsx`, whose `onError` calls `nameRenderError`. */
export function withErrata<Context extends RouterContext, Load extends readonly unknown[]>(
  handleRequest: HandleRequest<Context, Load>,
  { digestInRouteError = true }: RouteErrorOptions = {},
): (...args: Parameters<HandleRequest<Context, Load>>) => Promise<Response> {
  configureShownErrors(digestInRouteError);
  return async function handleRequestWithErrata(request, status, headers, context, ...load) {
    recordRoute({ request, matches: context.staticHandlerContext.matches });
    replaceErrors(context);
    watchPromises(context.staticHandlerContext.loaderData, (error) => {
      if (request.signal.aborted || isRouteResponse(error) || !isFailure(error)) return;
      nameFailure(error, request, { how: "deferred", route: findRoute(request) });
    });
    const response = await handleRequest(request, status, headers, context, ...load);
    return addFacts(response as Response, request);
  };
}

/** A default export of `entry.server.tsx` that does what React Router's own does. */
export function createHandleRequest<Context extends RenderContext>(
  packages: RenderPackages<Context>,
  options?: RouteErrorOptions,
): (...args: Parameters<HandleRequest<Context, readonly unknown[]>>) => Promise<Response> {
  return withErrata(createRenderer(packages, nameRenderError), options);
}
