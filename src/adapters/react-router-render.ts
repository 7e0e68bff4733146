/** Renders a page as React Router's own `entry.server.tsx` does, and returns digests to React. */

import { createElement, type FunctionComponent, type ReactNode } from "react";
import type { RouterContext } from "./react-router-errors.ts";

/** What React tells about an error in a render. */
export interface RenderInfo {
  readonly componentStack?: string | undefined;
  /** Of the response, if it has begun. */
  readonly status?: number | undefined;
}

/** The part of `EntryContext` that a render reads. */
export interface RenderContext extends RouterContext {
  readonly isSpaMode: boolean;
}

/** What a render needs of the application's packages. */
export interface RenderPackages<Context> {
  /** Of `react-router`. */
  readonly ServerRouter: FunctionComponent<{ context: Context; url: string }>;
  /** Of `react-dom/server`. */
  readonly renderToReadableStream: (
    page: ReactNode,
    options: {
      signal: AbortSignal;
      onError: (error: unknown, info: RenderInfo) => string | undefined;
    },
  ) => Promise<ReadableStream & { readonly allReady: Promise<void> }>;
  /** Of `isbot`. Without it, search engines get a page in parts, like visitors. */
  readonly isbot?: ((userAgent: string) => boolean) | undefined;
}

const TIMEOUT_MS = 6_000;

/** A `handleRequest`. `nameError` gives the digest of an error. */
export function createRenderer<Context extends RenderContext>(
  { ServerRouter, renderToReadableStream, isbot }: RenderPackages<Context>,
  nameError: (error: unknown, request: Request, info: RenderInfo) => string | undefined,
) {
  return async function renderPage(
    request: Request,
    statusOfLoaders: number,
    headers: Headers,
    context: Context,
  ): Promise<Response> {
    let status = statusOfLoaders;
    let response: Response | undefined;
    if (request.method === "HEAD") return new Response(null, { status, headers });
    const page = createElement(ServerRouter, { context, url: request.url });
    const body = await renderToReadableStream(page, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      onError(error, info) {
        status = 500;
        const { componentStack } = info;
        const digest = nameError(error, request, { componentStack, status: response?.status });
        // React Router gives an error in the shell to `handleError`, which logs it.
        if (response !== undefined) console.error(digest, error);
        return digest;
      },
    });
    const isWhole = context.isSpaMode || isbot?.(request.headers.get("user-agent") ?? "");
    if (isWhole) await body.allReady;
    headers.set("Content-Type", "text/html");
    response = new Response(body, { headers, status });
    return response;
  };
}
