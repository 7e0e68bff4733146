/** What the adapter for Fastify knows of a request: its failure and its route. */

import { isFailureStatus } from "./failure-answer.ts";
import type { FastifyReply } from "./fastify-reply.ts";
import {
  getServed,
  isAborted,
  type NodeRequest,
  nameRequestFailure,
  toFacts,
} from "./node-request.ts";
import { type Facts, isFailure, type Named } from "./server.ts";

/** What the adapter uses of a request of Fastify. */
export interface FastifyRequest extends NodeRequest {
  readonly routeOptions: { readonly url?: string | undefined };
}

/** The digest of a failure, for a page of the application's own. Reports it once. Never throws. */
export function nameFailure(error: unknown, request: FastifyRequest, facts: Facts = {}): Named {
  return nameRequestFailure(error, request, { ...describeRequest(request), ...facts });
}

/** The facts of a request, for `createServerOptions` of `errata/react/server`. */
export function describeRequest(request: FastifyRequest): Facts {
  return toFacts(request, request.routeOptions.url);
}

/** Names the failure of a request whose status is known. Undefined if there is none. */
export function findFailure(request: FastifyRequest, reply: FastifyReply): Named | undefined {
  const { failure } = getServed(request);
  const { statusCode: status, raw } = reply;
  if (failure === undefined || !isFailureStatus(status) || !isFailure(failure.error)) return;
  if (isAborted(failure.error, request, raw)) return;
  return nameFailure(failure.error, request, { status });
}
