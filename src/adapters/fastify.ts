/**
 * `errata/fastify`: a plugin that reports what hooks and handlers of a Fastify application throw,
 * and shows its digest.
 */

import { watchHandler, watchPayload } from "./fastify-late.ts";
import {
  addFacts,
  createPayload,
  type FastifyReply,
  isDefaultPayload,
  needsFacts,
  removeHeaders,
} from "./fastify-reply.ts";
import { type FastifyRequest, findFailure } from "./fastify-request.ts";
import { watchProcess } from "./node.ts";
import { getServed } from "./node-request.ts";

export type { FastifyReply } from "./fastify-reply.ts";
export { describeRequest, type FastifyRequest, nameFailure } from "./fastify-request.ts";

/** What the adapter uses of an instance of Fastify. */
export interface FastifyApp {
  // biome-ignore lint/suspicious/noExplicitAny: each hook has a type of its own
  addHook(name: any, hook: any): unknown;
}

function addHooks(app: FastifyApp, _options: object, done: () => void): void {
  watchProcess();
  app.addHook("onRoute", watchHandler);
  app.addHook("onError", rememberFailure);
  app.addHook("preSerialization", recognizeAnswer);
  app.addHook("onSend", completeReply);
  app.addHook("onResponse", reportFailure);
  done();
}

/**
 * The plugin. Register it before the routes. A visitor gets the notice of a failure instead of
 * Fastify's JSON, a program gets problem details. What the application's own error handler sends
 * stays as it is.
 */
export const errata = Object.assign(addHooks, {
  // The hooks are for the whole application, not for the context of a plugin.
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "errata",
});

type Done = (error: null, payload?: unknown) => void;

function rememberFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  done: () => void,
): void {
  const served = getServed(request);
  // An `onSend` behind this plugin failed. Fastify answers without it, with the headers it finds.
  if (served.answeredBy === "adapter") removeHeaders(reply);
  else served.failure = { error };
  done();
}

/** Fastify serializes what an error handler sends, but not its own answer to an error. */
function recognizeAnswer(
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  const served = getServed(request);
  if (served.failure !== undefined && payload !== served.failure.error)
    served.answeredBy = "application";
  done(null, payload);
}

function completeReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  const named = findFailure(request, reply);
  const isOurs = named !== undefined && isDefaultPayload(payload, request, reply);
  const answer = isOurs ? createPayload(named, request, reply) : payload;
  const send = () => done(null, watchPayload(answer, request, reply));
  // Whatever goes wrong, the reply goes out as it is.
  if (needsFacts(reply, answer, named))
    void addFacts(request, reply, answer, named).then(send, send);
  else send();
}

/** For an error of another `onSend`, which is answered without this hook. */
function reportFailure(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  findFailure(request, reply);
  done();
}
