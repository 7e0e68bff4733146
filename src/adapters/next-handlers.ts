/**
 * Route handlers of the App Router and API routes of the Pages Router. Next.js answers their
 * failures without a digest; these answer with problem details.
 */

import { findTrace, nameFailure } from "./next-failure.ts";
import { addFacts, findResponse } from "./next-responses.ts";
import { findRenderedRoute } from "./next-route.ts";
import { formatPageFacts, PAGE_FACTS_HEADER } from "./page-facts.ts";
import { createProblem, createProblemResponse, PROBLEM_TYPE } from "./problem.ts";

/**
 * A route handler whose failures are answered with problem details and status 500. Redirects and
 * `notFound()` work as before.
 */
export function wrapRouteHandler<Req extends Request, Args extends readonly unknown[], Answer>(
  handler: (request: Req, ...rest: Args) => Answer | Promise<Answer>,
): (request: Req, ...rest: Args) => Promise<Answer | Response> {
  return async function handleRoute(request, ...rest) {
    try {
      return await handler(request, ...rest);
    } catch (error) {
      const read = (name: string) => request.headers.get(name);
      const trace = findTrace(read);
      const facts = { how: "route", request, route: findRenderedRoute(), status: 500, trace };
      const named = nameFailure(error, facts, request);
      if (named === undefined) throw error;
      console.error(error);
      // Next.js drops the header of a handler if the proxy has set the same one.
      addFacts(findResponse(request, request.headers, read), { digest: named.digest });
      const response = createProblemResponse(named);
      response.headers.append(PAGE_FACTS_HEADER, formatPageFacts({ digest: named.digest }));
      return response;
    }
  };
}

/** The request of an API route. */
export interface ApiRequest {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The response of an API route. */
export interface ApiResponse {
  readonly headersSent: boolean;
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * An API route whose failures are answered with problem details and status 500. `route` is its
 * pattern, `/api/cart/[id]`, if its path has parameters. A failure after the first byte is Next.js'.
 */
export function wrapApiHandler<Req extends ApiRequest, Res extends ApiResponse>(
  handler: (request: Req, response: Res) => unknown,
  route?: string,
): (request: Req, response: Res) => Promise<unknown> {
  return async function handleApi(request, response) {
    try {
      return await handler(request, response);
    } catch (error) {
      const read = (name: string) => request.headers[name];
      const trace = findTrace(read);
      const facts = { how: "route", request, route, status: 500, trace };
      const named = nameFailure(error, facts, request);
      if (named === undefined || response.headersSent) throw error;
      console.error(error);
      response.statusCode = 500;
      addFacts(findResponse(request, request.headers, read), { digest: named.digest });
      response.setHeader("content-type", PROBLEM_TYPE);
      response.setHeader("cache-control", "no-store");
      response.end(JSON.stringify(createProblem(named)));
      return undefined;
    }
  };
}
