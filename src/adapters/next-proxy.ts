/**
 * `proxy.ts` and `middleware.ts` of Next.js: give each page a trace and a page token, and name the
 * proxy's own failures, of which the hook of Next.js is not told.
 */

import { nameFailure, TRACE_HEADER } from "./next-failure.ts";
import { addFacts, findResponse } from "./next-responses.ts";
import { formatPageFacts, PAGE_FACTS_HEADER, readTrace } from "./page-facts.ts";
import { getErrata } from "./server.ts";

/** The proxy of an application that has no other. */
export function proxy(request: Request): Promise<Response> {
  return addPageFacts(request, createNextResponse());
}

/** A proxy that also does what this one does. Its failures are thrown again. */
export function withErrata<Req extends Request, Args extends readonly unknown[]>(
  handler: (request: Req, ...rest: Args) => unknown,
): (request: Req, ...rest: Args) => Promise<Response> {
  return async function proxy(request, ...rest) {
    let response: unknown;
    try {
      response = await handler(request, ...rest);
    } catch (error) {
      report(error, request);
      throw error;
    }
    return addPageFacts(request, response instanceof Response ? response : createNextResponse());
  };
}

function report(error: unknown, request: Request): void {
  const trace = readTrace(request.headers.get("traceparent"));
  const facts = { how: "proxy", request, route: "/proxy", status: 500, trace };
  const named = nameFailure(error, facts, request);
  if (named === undefined) return;
  const response = findResponse(request, request.headers, (name) => request.headers.get(name));
  addFacts(response, { digest: named.digest, trace });
}

/** Lets Next.js serve the request. Equal to `NextResponse.next()`. */
function createNextResponse(): Response {
  return new Response(null, { headers: { "x-middleware-next": "1" } });
}

/** Never rejects: without facts, the response is as it was. */
async function addPageFacts(request: Request, response: Response): Promise<Response> {
  try {
    const trace = readTrace(request.headers.get("traceparent"));
    const token = await getErrata().sign({ trace, origin: readOrigin(request) });
    const answer = toMutable(response);
    answer.headers.append(PAGE_FACTS_HEADER, formatPageFacts({ trace, token }));
    const isServedByNext = ["x-middleware-next", "x-middleware-rewrite"].some((name) =>
      answer.headers.has(name),
    );
    if (isServedByNext) overrideRequestHeader(answer.headers, request.headers, trace);
    return answer;
  } catch {
    return response;
  }
}

/** The response, or a copy if its headers cannot change: a redirect, a response of `fetch`. */
function toMutable(response: Response): Response {
  try {
    response.headers.delete(TRACE_HEADER);
    return response;
  } catch {
    return new Response(response.body, response);
  }
}

/**
 * Changes the request that Next.js serves, as NextResponse.next({ request }) does: the list names
 * all headers that the request keeps.
 */
function overrideRequestHeader(headers: Headers, sent: Headers, trace: string): void {
  const given = headers.get("x-middleware-override-headers");
  if (given === null)
    for (const [name, value] of sent) headers.set(`x-middleware-request-${name}`, value);
  const names = given?.split(",") ?? [...sent.keys()];
  const kept = new Set([...names, TRACE_HEADER]);
  headers.set("x-middleware-override-headers", [...kept].join(","));
  headers.set(`x-middleware-request-${TRACE_HEADER}`, trace);
}

/** The origin that the visitor sees. Behind a load balancer, the URL has another one. */
function readOrigin({ url, headers }: Request): string {
  const { protocol, host } = new URL(url);
  const scheme = headers.get("x-forwarded-proto")?.split(",")[0]?.trim() ?? protocol.slice(0, -1);
  const name = headers.get("x-forwarded-host") ?? headers.get("host") ?? host;
  return `${scheme}://${name}`;
}
