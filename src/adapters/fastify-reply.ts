/** The headers of Fastify's replies, and the reply to a failure. */

import { readProperty } from "../core/read-property.ts";
import { createFailureAnswer } from "./failure-answer.ts";
import { getServed, type NodeRequest, readRequestOrigin, toReader } from "./node-request.ts";
import { PAGE_FACTS_HEADER } from "./page-facts.ts";
import { createPageFacts, isPage } from "./page-headers.ts";
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
  // What is no error is sent as it is.
  if (payload === failure.error || payload === JSON.stringify(failure.error)) return true;
  return typeof payload === "string" && payload.startsWith(`{"statusCode":${statusCode},`);
}

/** The notice or problem details instead of Fastify's own payload. */
export function createPayload(named: Named, request: NodeRequest, reply: FastifyReply): string {
  const { headers, body } = createFailureAnswer(named, reply.statusCode, toReader(request));
  getServed(request).answeredBy = "adapter";
  reply.removeHeader("content-length");
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  return body;
}

/** Removes the headers of a payload that is not sent. */
export function removeHeaders(reply: FastifyReply): void {
  for (const name of ["content-type", "content-security-policy"]) reply.removeHeader(name);
}

/** True if the headers of the reply need facts. */
export function needsFacts(reply: FastifyReply, named: Named | undefined): boolean {
  return named !== undefined || isPage(reply.getHeader("content-type"));
}

/** Adds the facts of a page or a failure to the headers. Never rejects. */
export async function addFacts(
  request: NodeRequest,
  reply: FastifyReply,
  named: Named | undefined,
): Promise<void> {
  const { trace } = getServed(request);
  const facts = await createPageFacts(
    { trace, digest: named?.digest },
    readRequestOrigin(request),
    {
      contentType: reply.getHeader("content-type"),
      cacheControl: reply.getHeader("cache-control"),
    },
  );
  if (facts === undefined) return;
  const before = reply.getHeader(PAGE_FACTS_HEADER);
  reply.header(PAGE_FACTS_HEADER, before === undefined ? facts : `${before}, ${facts}`);
}

/** A stream of Node.js, whose errors after the headers no hook is told. */
export function isStream(payload: unknown): payload is {
  on(event: "error", listener: (error: unknown) => void): unknown;
} {
  return typeof readProperty(payload, "pipe") === "function";
}
