/** Renders the pages of TanStack Start as its own handler does, and returns digests to React. */

import { createElement, type FunctionComponent, type ReactNode } from "react";
import { getServedRequest } from "./served-request.ts";
import { nameThrown, type Router, replaceErrors } from "./tanstack-requests.ts";

/** Modules of the application: `import * as`. */
export interface PagePackages {
  /** `react-dom/server`. */
  readonly dom: object;
  /** `@tanstack/react-router/ssr/server`. */
  readonly router: object;
  /** `@tanstack/react-start/server`. */
  readonly start: object;
  /** Of `isbot`. By default, names with "bot" and the like. */
  readonly isbot?: ((userAgent: string) => boolean) | undefined;
}

/** What TanStack Start calls with each page. */
export type PageHandler = (page: Page) => unknown;

interface Page {
  readonly request: Request;
  readonly router: Router & {
    readonly options: { readonly ssr?: { readonly nonce?: string } };
    readonly serverSsr?: { readonly cleanup: () => void };
  };
  readonly responseHeaders: Headers;
}

/** The functions of the modules that are called. Older versions have no `getSsrStatus`. */
interface Functions {
  readonly StartServer: FunctionComponent<{ router: unknown }>;
  readonly renderToReadableStream: (
    page: ReactNode,
    options: object,
  ) => Promise<ReadableStream & { readonly allReady: Promise<void> }>;
  readonly transformReadableStreamWithRouter: (
    router: unknown,
    stream: ReadableStream,
    options: object,
  ) => ReadableStream;
  readonly createSsrStreamResponse: (router: unknown, response: Response) => unknown;
  readonly waitForRequest: (ready: Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly getSsrStatus?: (router: unknown) => number;
}

const NEEDED = [
  ...["StartServer", "renderToReadableStream", "transformReadableStreamWithRouter"],
  ...["createSsrStreamResponse", "waitForRequest"],
] as const;

/**
 * A handler for pages. In a version of TanStack Start without a function that it needs it is
 * `fallback`: components that fail have no digest then.
 */
export function createPageHandler(packages: PagePackages, fallback: PageHandler): PageHandler {
  const { dom, router, start, isbot = isLikelyBot } = packages;
  const functions = { ...router, ...start, ...dom } as unknown as Functions;
  const missing = NEEDED.find((name) => typeof functions[name as keyof Functions] !== "function");
  if (missing === undefined) return (page) => renderPage(page, functions, isbot);
  console.warn(`errata: no ${missing} in this version of TanStack Start. Pages show no digest.`);
  return fallback;
}

async function renderPage(
  { request, router, responseHeaders: headers }: Page,
  functions: Functions,
  isbot: (userAgent: string) => boolean,
): Promise<unknown> {
  const { signal } = request;
  const aborted = new AbortController();
  try {
    signal.throwIfAborted();
    replaceErrors(router, request);
    const page = createElement(functions.StartServer, { router });
    const stream = await functions.renderToReadableStream(page, {
      signal,
      nonce: router.options.ssr?.nonce,
      // TanStack Start cuts the stream itself.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error: unknown, { componentStack }: { componentStack?: string }) {
        if (signal.aborted || aborted.signal.aborted) return undefined;
        const status = getServedRequest(request).status ?? 200;
        const digest = nameThrown(error, request, { how: "render", status, componentStack });
        console.error(digest, error);
        return digest;
      },
    });
    const body = functions.transformReadableStreamWithRouter(router, stream, {
      rendererSafePoint: "script-close",
      signal,
      onAbort: (reason: unknown) => aborted.abort(reason),
    });
    if (isbot(request.headers.get("user-agent") ?? ""))
      await functions.waitForRequest(stream.allReady, aborted.signal);
    const status = functions.getSsrStatus?.(router) ?? 200;
    return functions.createSsrStreamResponse(router, new Response(body, { status, headers }));
  } catch (error) {
    router.serverSsr?.cleanup();
    throw error;
  }
}

function isLikelyBot(userAgent: string): boolean {
  return /bot\b|crawl|spider|slurp|preview|facebookexternalhit/i.test(userAgent);
}
