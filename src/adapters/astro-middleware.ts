/**
 * `errata/astro/middleware`: sees what fails in pages, endpoints, server islands and other
 * middleware, and, behind the first bytes, in the body of a page.
 */

import { readProperty } from "../core/read-property.ts";
import { createNoticeHtml } from "./notice.ts";
import { isPage } from "./page-headers.ts";
import { fitNotice } from "./page-policy.ts";
import { createProblemResponse, wantsPage } from "./problem.ts";
import { addPageFacts, getServedRequest, isSameFailure, nameFailure } from "./served-request.ts";
import type { Named } from "./server.ts";
import { createShownError, isDevelopment } from "./shown-error.ts";
import { watchBody } from "./watch-body.ts";

/** The members of Astro's `APIContext` that the middleware reads. */
interface Context {
  readonly request: Request;
  /** Of an error page, gets the digest. Declare `digest?: string` in `App.Locals`. */
  readonly locals: object;
  readonly props: object;
  readonly routePattern: string;
  readonly isPrerendered: boolean;
}

/** The middleware. An application that orders its own by hand puts it first. */
export async function onRequest(
  context: Context,
  next: () => Promise<Response>,
): Promise<Response> {
  const { request, locals, routePattern, isPrerendered } = context;
  if (isPrerendered) return next();
  const isErrorPage = /\/500\/?$/.test(routePattern);
  if (isErrorPage) fillErrorPage(context);
  try {
    const response = endWithNotice(await next(), context);
    return await addPageFacts(response, request);
  } catch (thrown) {
    // The development server shows the error itself.
    if (request.signal.aborted || isDevelopment()) throw thrown;
    const how = routePattern.startsWith("/_server-islands") ? "island" : "render";
    if (isErrorPage) {
      // Astro renders the page again without middleware, which fails twice for one request.
      if (!isSameFailure(thrown, request)) nameThrown(thrown, context, how);
      throw thrown;
    }
    const named = nameThrown(thrown, context, how);
    Object.assign(locals, { digest: named.digest });
    const { headers: given } = request;
    // The script of an island asks for no page either, but is no program of the application.
    if (how !== "island" && !wantsPage(given.get("accept"), given.get("sec-fetch-mode")))
      return await addPageFacts(createProblemResponse(named), request);
    // A response without a body becomes the error page, which keeps the headers.
    const headers = { "content-type": "text/html" };
    return addPageFacts(new Response(null, { status: 500, headers }), request);
  }
}

/** `Astro.props.error` of the error page is null. It gets a message that can be shown. */
function fillErrorPage({ request, locals, props }: Context): void {
  const { digest } = getServedRequest(request);
  if (digest === undefined) return;
  Object.assign(locals, { digest });
  if (readProperty(props, "error") === null)
    Object.assign(props, { error: createShownError(digest) });
}

/** A page that fails behind its first bytes ends with the notice. */
function endWithNotice(response: Response, context: Context): Response {
  if (response.body === null || !isPage(response.headers.get("content-type"))) return response;
  const fitted = fitNotice((name) => response.headers.get(name));
  const body = watchBody(response.body, (thrown) => {
    if (context.request.signal.aborted) return;
    const { digest } = nameThrown(thrown, context, "stream");
    return new TextEncoder().encode(createNoticeHtml({ ...fitted, digest }));
  });
  return new Response(body, response);
}

function nameThrown(thrown: unknown, { request, routePattern }: Context, how: string): Named {
  const named = nameFailure(thrown, request, { how, route: routePattern });
  console.error(named.digest, thrown);
  return named;
}
