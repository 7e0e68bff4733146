/**
 * `errata/express`: reports what handlers and middleware of an Express application throw, and shows
 * its digest.
 */

import { readProperty } from "../core/read-property.ts";
import { isLastErrorMiddleware } from "./express-app.ts";
import { type ExpressRequest, findFailure } from "./express-request.ts";
import { type ExpressResponse, sendFailure, watchHeaders } from "./express-response.ts";
import { watchProcess } from "./node.ts";
import { getServed, readRequestOrigin, toReader } from "./node-request.ts";
import { wantsPage } from "./problem.ts";
import { getErrata } from "./server.ts";

export { describeRequest, type ExpressRequest, nameFailure } from "./express-request.ts";
export type { ExpressResponse } from "./express-response.ts";

type Next = (error?: unknown) => void;

/**
 * Middleware before all others: adds the trace and a token to the headers of pages, and the digest
 * to those of failures. Also reports the errors that end the process.
 */
export function errata() {
  watchProcess();
  return async function errata(
    req: ExpressRequest,
    res: ExpressResponse,
    next: Next,
  ): Promise<void> {
    const readHeader = toReader(req);
    const { trace } = getServed(req);
    const origin = readRequestOrigin(req);
    const sign = (isShared: boolean) => getErrata().sign({ trace, origin, isShared });
    const mayBePage = wantsPage(readHeader("accept"), readHeader("sec-fetch-mode"));
    const tokens = mayBePage ? { own: await sign(false), shared: await sign(true) } : {};
    const findDigest = (status: number) => findFailure(req, res, status)?.digest;
    watchHeaders(res, { trace, findDigest, tokens });
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
    const named = isOurs || res.headersSent ? findFailure(req, res, status) : undefined;
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
