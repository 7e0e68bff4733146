/** The hook `onRequestError` of Next.js: reports a failure, and adds its digest to the response. */

import { readProperty, readString } from "../core/read-property.ts";
import { findTrace, nameFailure } from "./next-failure.ts";
import { hasOwnDigests } from "./next-own-digests.ts";
import { addFacts, findResponse, type NodeResponse } from "./next-responses.ts";
import { toRoute } from "./next-route.ts";
import { isVinext } from "./next-vinext.ts";

/** The request, as Next.js describes it to its hook. */
export interface FailedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What failed, as Next.js describes it to its hook. */
export interface FailureContext {
  readonly routerKind: string;
  /** `/cart/[id]`, `/(shop)/cart/page`. */
  readonly routePath: string;
  readonly routeType: string;
  readonly renderSource?: string | undefined;
  readonly revalidateReason?: string | undefined;
}

/** Reports a failure. The hook of Next.js, which does not wait for the report. */
export function onRequestError(
  thrown: unknown,
  request: FailedRequest,
  context: FailureContext,
): void {
  const { path, method, headers } = request;
  const { routerKind, routeType, renderSource, revalidateReason } = context;
  const error = findBroken(thrown);
  if (isEcho(error, request, context)) return;
  const response = findResponse({ method, url: path }, headers, (name) => headers[name]);
  const facts = {
    how: routeType,
    request: { method, url: isPathOf(path, response) ? response?.req.url : path, headers },
    route: toRoute(context, path),
    status: readStatus(response, renderSource),
    trace: findTrace((name) => headers[name]),
    tags: { routerKind, renderSource, revalidateReason },
  };
  const named = nameFailure(error, facts, headers);
  if (named === undefined) return;
  const { digest, foreignDigest = "" } = named;
  if (hasOwnDigests() && NEXT_DIGEST.test(foreignDigest)) warnOfNextDigest();
  addFacts(response, { digest });
}

/** True if the path lacks only the query of the request, as in vinext. */
function isPathOf(path: string, response: NodeResponse | undefined): boolean {
  return response?.req.url?.startsWith(`${path}?`) === true;
}

/**
 * True for what follows from a failure that was reported: the browser asks for the headers of the
 * same data, three times; and the error page is too late for a response that the proxy began.
 */
function isEcho(error: unknown, request: FailedRequest, { routePath }: FailureContext): boolean {
  const isData = request.method === "HEAD" && request.path.includes("/_next/data/");
  const isTooLate = readProperty(error, "code") === "ERR_HTTP_HEADERS_SENT";
  return isData || (isTooLate && routePath.startsWith("/_not-found"));
}

/**
 * The status that is sent or will be: 500, but 200 for the data of a navigation. Undefined if it is
 * unknown, as in vinext, which answers with 200 if the application has an error page.
 */
function readStatus(response: NodeResponse | undefined, renderSource?: string): number | undefined {
  if (response === undefined || response.headersSent) return response?.statusCode;
  if (isVinext()) return undefined;
  return renderSource === "react-server-components-payload" ? response.statusCode : 500;
}

/** The error that broke the body of a response. Next.js wraps it in an error of its own. */
function findBroken(thrown: unknown): unknown {
  const isOfNext = readString(thrown, "message") === "failed to pipe response";
  return (isOfNext ? readProperty(thrown, "cause") : undefined) ?? thrown;
}

/** A hash of 32 bits. Some versions append a code of their own errors. */
const NEXT_DIGEST = /^\d+(?:@E\d+)?$/;

let hasWarned = false;

function warnOfNextDigest(): void {
  if (hasWarned) return;
  hasWarned = true;
  console.warn(
    "errata: this version of Next.js shows its own digests. A lookup of one finds the error.",
  );
}
