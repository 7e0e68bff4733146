/** What the adapters for servers of Node.js know of a request: its trace and its failure. */

import { readProperty } from "../core/read-property.ts";
import { readTrace } from "./page-facts.ts";
import { type ReadHeader, readOrigin } from "./page-headers.ts";
import { type Facts, getErrata, type Named } from "./server.ts";

/** What requests of Express and of Fastify have. */
export interface NodeRequest {
  readonly method: string;
  readonly originalUrl: string;
  readonly protocol: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly destroyed?: boolean };
}

/** The facts of one request. */
export interface ServedRequest {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** What was thrown last. */
  failure?: { readonly error: unknown };
  /** What answers the failure: this adapter, or the application itself. */
  answeredBy?: "adapter" | "application";
}

const served = new WeakMap<object, ServedRequest>();

/** The facts of a request, the same for all parts of an adapter. */
export function getServed(request: NodeRequest): ServedRequest {
  const known = served.get(request);
  if (known !== undefined) return known;
  const facts = { trace: readTrace(toReader(request)("traceparent")) };
  served.set(request, facts);
  return facts;
}

/** Reads the first value of a header. */
export function toReader({ headers }: NodeRequest): ReadHeader {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

/**
 * True if the visitor has gone: nobody sees what fails then, and it often fails because of that.
 * `pipeline` closes the connection too if its source fails, with the error of the source.
 */
export function isAborted(
  error: unknown,
  { socket }: NodeRequest,
  response: { readonly headersSent: boolean; readonly errored?: unknown },
): boolean {
  // After the headers, an error of the server may have closed the connection.
  if (response.headersSent) return readProperty(error, "code") === "ERR_STREAM_PREMATURE_CLOSE";
  return socket.destroyed === true && (error === undefined || response.errored !== error);
}

/** The origin that the visitor's browser knows. */
export function readRequestOrigin(request: NodeRequest): string {
  const readHeader = toReader(request);
  const host = readHeader("host") ?? readHeader(":authority") ?? "localhost";
  return readOrigin(`${request.protocol}://${host}`, readHeader);
}

/** The facts of a report about the request. */
export function toFacts(request: NodeRequest, route: string | undefined): Facts {
  const { method, originalUrl, headers } = request;
  const url = `${readRequestOrigin(request)}${originalUrl}`;
  return { request: { method, url, headers }, route, trace: getServed(request).trace };
}

/** The digest of a failure of the request. Reports it once. Never throws. */
export function nameRequestFailure(error: unknown, request: NodeRequest, facts: Facts): Named {
  getServed(request).failure = { error };
  return getErrata().name(error, { how: "handler", status: 500, ...facts }, { scope: request });
}
