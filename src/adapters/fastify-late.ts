/** Reports failures after a Fastify reply has begun. Fastify calls no hook for them. */

import { readProperty } from "../core/read-property.ts";
import type { FastifyReply } from "./fastify-reply.ts";
import { type FastifyRequest, nameFailure } from "./fastify-request.ts";
import { isAborted } from "./node-request.ts";
import { watchBody } from "./watch-body.ts";

/** A reply that may be complete. */
interface EndedReply extends FastifyReply {
  readonly sent: boolean;
}

/** A route that is added. */
interface Route {
  handler: (this: unknown, request: FastifyRequest, reply: EndedReply) => unknown;
}

/** The hook `onRoute`: what a handler throws behind its reply is only in the log of Fastify. */
export function watchHandler(route: Route): void {
  const { handler } = route;
  route.handler = function watchedHandler(request, reply) {
    const report = (error: unknown) => {
      if (reply.sent) nameFailure(error, request, { status: reply.statusCode });
    };
    try {
      const result = handler.call(this, request, reply);
      // Fastify takes care of the promise itself.
      if (result instanceof Promise) result.catch(report);
      return result;
    } catch (error) {
      report(error);
      throw error;
    }
  };
}

/** The payload, whose failure is reported while it is sent. */
export function watchPayload(
  payload: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const report = (error: unknown): undefined => {
    // Before the headers, the error is that of the reply.
    if (reply.raw.headersSent && !isAborted(error, request, reply.raw))
      nameFailure(error, request, { how: "stream", status: reply.statusCode });
  };
  if (isStream(payload)) {
    payload.on("error", report);
    return payload;
  }
  if (payload instanceof ReadableStream) return watchBody(payload, report);
  if (payload instanceof Response && payload.body !== null && !payload.bodyUsed)
    return new Response(watchBody(payload.body, report), payload);
  return payload;
}

/** A stream of Node.js. */
function isStream(payload: unknown): payload is {
  on(event: "error", listener: (error: unknown) => void): unknown;
} {
  return typeof readProperty(payload, "pipe") === "function";
}
