/** The headers of Fastify's replies, and the reply to a failure. */

import { readProperty, readString } from "../core/read-property.ts";
import { loadBuiltin } from "./builtin-module.ts";
import { createFailureAnswer } from "./failure-answer.ts";
import { getServed, type NodeRequest, readRequestOrigin, toReader } from "./node-request.ts";
import { createPageHeaders, isPage } from "./page-headers.ts";
import type { Named } from "./server.ts";

/** What the adapter uses of a reply of Fastify. */
export interface FastifyReply {
  readonly statusCode: number;
  readonly raw: { readonly headersSent: boolean };
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
}

/** True if Fastify's own handler made the payload, which contains the message of the error. */
export function isDefaultPayload(
  payload: unknown,
  request: NodeRequest,
  { statusCode }: FastifyReply,
): boolean {
  const { failure, answeredBy } = getServed(request);
  if (failure === undefined || answeredBy === "application") return false;
  const { error } = failure;
  // What is no error is sent as it is.
  if (payload === error) return true;
  return typeof payload === "string" && describesError(payload, error, statusCode);
}

const DEFAULT_MEMBERS: readonly string[] = ["statusCode", "error", "code", "message"];

/** A handler of the application may send JSON as a text, too. */
function describesError(payload: string, error: unknown, status: number): boolean {
  try {
    if (payload === JSON.stringify(error)) return true;
  } catch {
    // It has no JSON.
  }
  if (!payload.startsWith(`{"statusCode":${status},`)) return false;
  try {
    const sent = JSON.parse(payload) as object;
    const isKnown = Object.keys(sent).every((name) => DEFAULT_MEMBERS.includes(name));
    return isKnown && [getStatusText(status), undefined].includes(readString(sent, "error"));
  } catch {
    return false;
  }
}

/** `Internal Server Error`, as Fastify takes it from Node.js. */
function getStatusText(status: number): string | undefined {
  return readString(readProperty(loadBuiltin("node:http"), "STATUS_CODES"), status);
}

/** The notice or problem details instead of Fastify's own payload. */
export function createPayload(named: Named, request: NodeRequest, reply: FastifyReply): string {
  const { headers, body } = createFailureAnswer(named, reply.statusCode, toReader(request));
  getServed(request).answeredBy = "adapter";
  for (const name of ["length", "security-policy-report-only"])
    reply.removeHeader(`content-${name}`);
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  return body;
}

/** Removes the headers of a payload that is not sent. */
export function removeHeaders(reply: FastifyReply): void {
  for (const name of ["content-type", "content-security-policy"]) reply.removeHeader(name);
}

/** Reads a header of a reply. A payload that is a `Response` has headers of its own. */
function readHeader(reply: FastifyReply, payload: unknown, name: string): unknown {
  const own = payload instanceof Response ? payload.headers.get(name) : null;
  return own ?? reply.getHeader(name);
}

/** True if the headers of the reply need facts. */
export function needsFacts(
  reply: FastifyReply,
  payload: unknown,
  named: Named | undefined,
): boolean {
  return named !== undefined || isPage(readHeader(reply, payload, "content-type"));
}

/** Adds the facts of a page or a failure to the headers. Never rejects. */
export async function addFacts(
  request: NodeRequest,
  reply: FastifyReply,
  payload: unknown,
  named: Named | undefined,
): Promise<void> {
  const facts = { trace: getServed(request).trace, digest: named?.digest };
  const added = await createPageHeaders(facts, readRequestOrigin(request), (name) =>
    readHeader(reply, payload, name),
  );
  for (const [name, value] of added) reply.header(name, value);
}
