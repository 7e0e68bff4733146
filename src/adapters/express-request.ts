/** Reads the route of an Express request, and stores its failure. */

import { isFailureStatus } from "./failure-answer.ts";
import {
  getServed,
  isAborted,
  type NodeRequest,
  nameRequestFailure,
  toFacts,
} from "./node-request.ts";
import { type Facts, isFailure, type Named } from "./server.ts";

/** What the adapter uses of a request of Express. */
export interface ExpressRequest extends NodeRequest {
  readonly path: string;
  readonly route?: { readonly path?: unknown };
  readonly app: unknown;
}

/** The digest of a failure, for a page of the application's own. Reports it once. Never throws. */
export function nameFailure(error: unknown, req: ExpressRequest, facts: Facts = {}): Named {
  return nameRequestFailure(error, req, { ...describeRequest(req), ...facts });
}

/** The facts of a request, for `createServerOptions` of `errata/react/server`. */
export function describeRequest(req: ExpressRequest): Facts {
  return toFacts(req, findRoute(req));
}

/** Names the failure of a request that has this status. Undefined if there is none. */
export function findFailure(
  req: ExpressRequest,
  res: { readonly headersSent: boolean },
  status: number,
): Named | undefined {
  const { failure } = getServed(req);
  if (failure === undefined || !isFailureStatus(status) || !isFailure(failure.error)) return;
  if (isAborted(failure.error, req, res)) return;
  return nameFailure(failure.error, req, { status });
}

/**
 * The pattern of the route. Express knows it without the path of the router that contains it: the
 * part of the URL before it.
 */
function findRoute({ route, originalUrl }: ExpressRequest): string | undefined {
  const path = route?.path;
  if (typeof path !== "string") return undefined;
  // Parts that are optional or of any length.
  if (/[*{(?+]/.test(path)) return path;
  const split = (text: string) => text.split("/").filter(Boolean);
  const segments = split(originalUrl.split("?", 1)[0] ?? "");
  const patterns = split(path);
  const prefix = segments.slice(0, Math.max(0, segments.length - patterns.length));
  return `/${[...prefix, ...patterns].join("/")}`;
}
