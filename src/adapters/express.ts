/**
 * `errata/express`: reports what handlers and middleware of an Express application throw, and shows
 * its digest.
 */

import { readProperty } from "../core/read-property.ts";
import { isLastErrorMiddleware } from "./express-app.ts";
import { type ExpressRequest, findFailure } from "./express-request.ts";
import { type ExpressResponse, sendFailure, watchHeaders } from "./express-response.ts";
import { watchProcess } from "./node.ts";
import { getServed, readRequestOrigin } from "./node-request.ts";

export { describeRequest, type ExpressRequest, nameFailure } from "./express-request.ts";
export type { ExpressResponse } from "./express-response.ts";

type Next = (error?: unknown) => void;

/**
 * Middleware before all others: adds the trace and a token to the headers of pages, and the digest
 * to those of failures. Also reports the errors that end the process.
 */
export function errata() {
  watchProcess();
  return function errata(req: ExpressRequest, res: ExpressResponse, next: Next): void {
    const { trace } = getServed(req);
    const findDigest = (status: number) => findFailure(req, res, status)?.digest;
    watchHeaders(res, { trace, findDigest, origin: readRequestOrigin(req) });
    next();
  };
}

/**
 * Middleware behind all routes: answers a failure with the notice, or with problem details for a
 * program. If the application has error middleware behind it, that one answers.
 */
export function handleErrors() {
  return function handleErrors(
    error: unknown,
    req: ExpressRequest,
    res: ExpressResponse,
    next: Next,
  ): void {
    getServed(req).failure = { error };
    const status = res.headersSent ? res.statusCode : readStatus(error, res.statusCode);
    const isOurs = !res.headersSent && status >= 500 && isLastErrorMiddleware(handleErrors, req);
    // Otherwise the failure is named with the headers, when the application has decided its status.
    // There are none on a connection that the error has closed.
    const isLast = isOurs || res.headersSent || res.errored === error;
    const named = isLast ? findFailure(req, res, status) : undefined;
    if (!isOurs || named === undefined) {
      next(error);
      return;
    }
    console.error(error);
    sendFailure(named, { status, headers: readProperty(error, "headers") }, req, res);
  };
}

/** The status that Express would respond with. */
function readStatus(error: unknown, status: number): number {
  const isError = (value: unknown) => typeof value === "number" && value >= 400 && value < 600;
  const own = [readProperty(error, "status"), readProperty(error, "statusCode"), status];
  return (own.find(isError) as number | undefined) ?? 500;
}
