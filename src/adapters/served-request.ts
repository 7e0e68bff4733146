/**
 * What an adapter knows of a request of the Fetch API while the request is served: its trace, and
 * the digest of its failure. Both reach the browser in `Server-Timing`.
 */

import { readProperty } from "../core/read-property.ts";
import { readTrace } from "./page-facts.ts";
import { createPageHeaders, readOrigin } from "./page-headers.ts";
import type { NewHeader } from "./page-policy.ts";
import { getErrata, type Named, type NameOptions } from "./server.ts";
import { findOriginal } from "./shown-error.ts";
import type { Facts } from "./wire-report.ts";

/** The facts of one request. */
export interface ServedRequest {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** Of the first failure. */
  digest?: string;
  /** What failed first. */
  thrown?: unknown;
  /** Set when the response begins: what fails later has this status. */
  status?: number;
}

const served = new WeakMap<object, ServedRequest>();

/** The facts of a request, the same for all hooks that get this object. */
export function getServedRequest(request: Request): ServedRequest {
  const known = served.get(request);
  if (known !== undefined) return known;
  const facts = { trace: readTrace(request.headers.get("traceparent")) };
  served.set(request, facts);
  return facts;
}

/** Names a failure of a request, and keeps its digest for the response. Never throws. */
export function nameFailure(
  thrown: unknown,
  request: Request,
  facts: Facts,
  waitUntil?: NameOptions["waitUntil"],
): Named {
  const known = getServedRequest(request);
  const { method, url, headers } = request;
  const { trace, status = 500 } = known;
  const named = getErrata().name(
    findOriginal(thrown),
    { status, trace, ...facts, request: { method, url, headers, ...facts.request } },
    { scope: request, waitUntil },
  );
  if (known.digest === undefined) Object.assign(known, { digest: named.digest, thrown });
  return named;
}

/** True if the request has failed with this message before: a framework has tried again. */
export function isSameFailure(thrown: unknown, request: Request): boolean {
  const message = readProperty(thrown, "message");
  return message !== undefined && message === readProperty(served.get(request)?.thrown, "message");
}

/**
 * The response with the facts of its request in `Server-Timing`: of each HTML page the trace and a
 * page token, and the digest of a failure. A response that needs none is returned as it is.
 */
export async function addPageFacts(response: Response, request: Request): Promise<Response> {
  const known = getServedRequest(request);
  known.status = response.status;
  const { trace, digest } = known;
  const { headers } = request;
  const origin = readOrigin(new URL(request.url).origin, (name) => headers.get(name));
  const added = await createPageHeaders({ trace, digest }, origin, (name) =>
    response.headers.get(name),
  );
  return added.length === 0 ? response : setHeaders(response, added);
}

function setHeaders(response: Response, added: readonly NewHeader[]): Response {
  try {
    for (const [name, value] of added) response.headers.set(name, value);
    return response;
  } catch {
    // The headers of a response of `fetch` and of `Response.redirect` are immutable.
    const copy = new Response(response.body, response);
    for (const [name, value] of added) copy.headers.set(name, value);
    return copy;
  }
}
