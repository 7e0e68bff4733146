/**
 * `errata/hono`: reports what handlers, middleware and renders of a Hono application throw, and
 * shows its digest. Runs wherever Hono does.
 */

import { answerError, answerThrown, completeResponse, type ErrorHandler } from "./hono-answer.ts";
import { getServed, type HonoContext, isAborted, isServed, nameFailure } from "./hono-context.ts";
import { getErrata, isFailure } from "./server.ts";

export { type HonoContext, nameFailure } from "./hono-context.ts";

/** What the adapter uses of a Hono application. */
export interface HonoApp {
  onError(handler: ErrorHandler): unknown;
  use(path: "*", middleware: (c: HonoContext, next: () => Promise<void>) => Promise<void>): unknown;
}

/**
 * Installs the adapter. Call it before the routes. A visitor gets the notice of a failure, a
 * program gets problem details. With `app.onError`, the application answers failures itself.
 */
export function errata<App extends HonoApp>(app: App): App {
  if (getErrorHandler(app) === getErrorHandler(createApp(app)))
    app.onError((error, c) => {
      // The application around this one may answer itself.
      if (getServed(c).app !== app) throw error;
      return answerError(error, c);
    });
  app.use("*", async function errata(c, next) {
    // An application inside of another one has its own middleware.
    if (isServed(c)) return next();
    getErrata(c.env as Readonly<Record<string, unknown>> | undefined);
    getServed(c).app = app;
    try {
      await next();
    } catch (thrown) {
      if (isAborted(c)) throw thrown;
      c.res = await answerThrown(thrown, c, getErrorHandler(app) ?? answerError);
    }
    // Whatever goes wrong, the response goes out as it is.
    if (c.finalized) await completeResponse(c).catch(() => undefined);
  });
  return app;
}

/** Hono declares it as private. */
function getErrorHandler(app: object): ErrorHandler | undefined {
  return (app as { readonly errorHandler?: ErrorHandler }).errorHandler;
}

/** An application of the same class, which has the default handler. */
function createApp(app: object): object {
  return new (app.constructor as new () => object)();
}

/** Options of `reportErrors`. */
export interface ReportErrorsOptions {
  /** Shows the notices of failures at the end of the page: for pages that do not hydrate. */
  readonly hasNotices?: boolean;
}

/** A callback for errors of a render. */
export type ReportError = (
  error: unknown,
  info?: { readonly componentStack?: string | undefined },
) => string | undefined;

/**
 * The callback `onError` of a response that begins before it is complete: of `<ErrorBoundary>`,
 * `stream`, and `renderToReadableStream` of Hono and of React. Reports the error and returns its
 * digest, which React writes into the page.
 */
export function reportErrors(
  c: HonoContext,
  { hasNotices = false }: ReportErrorsOptions = {},
): ReportError {
  const request = getServed(c);
  if (hasNotices) request.shown ??= new Map();
  return function reportError(error, info) {
    if (isAborted(c) || !isFailure(error)) return undefined;
    // Hono's renderer responds before anything fails, React's not before the shell is ready.
    const status = request.status ?? (hasNotices ? 200 : 500);
    const facts = { how: "render", componentStack: info?.componentStack, status };
    const named = nameFailure(error, c, facts);
    request.shown?.set(named.digest, named);
    return named.digest;
  };
}
