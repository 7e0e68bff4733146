/** The headers of Express' responses, and the response to a failure. */

import { createFailureAnswer } from "./failure-answer.ts";
import { type NodeRequest, toReader } from "./node-request.ts";
import { describePage, formatPageHeaders } from "./page-headers.ts";
import { getErrata, type Named } from "./server.ts";

/** What the adapter uses of a response of Node.js. */
export interface ExpressResponse {
  statusCode: number;
  readonly headersSent: boolean;
  /** With what the response was destroyed. */
  readonly errored?: unknown;
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of Node.js
  writeHead(status: number, ...rest: any[]): any;
  end(body: string): unknown;
}

/** Facts of a response whose headers are about to be sent. */
export interface StartingResponse {
  readonly trace: string;
  /** Names the failure of the request; undefined if there was none. */
  readonly findDigest: (status: number) => string | undefined;
  /** That the visitor's browser knows. */
  readonly origin: string;
}

/** Adds the facts to the headers of a page or a failure when they are sent. */
export function watchHeaders(res: ExpressResponse, starting: StartingResponse): void {
  const { writeHead } = res;
  res.writeHead = (status, ...rest) => {
    const given = [...rest];
    try {
      if (!res.headersSent) addFacts(res, starting, status, given);
    } catch {
      // Whatever goes wrong, the response goes out as it is.
    }
    return writeHead.call(res, status, ...given);
  };
}

/** The headers may be in the call of `writeHead` itself, as its last argument. */
function addFacts(
  res: ExpressResponse,
  { trace, findDigest, origin }: StartingResponse,
  status: number,
  given: unknown[],
): void {
  const read = (name: string) => readGivenHeader(given.at(-1), name) ?? res.getHeader(name);
  const digest = findDigest(status);
  const page = describePage(read);
  if (digest === undefined && page === undefined) return;
  const token = page && getErrata().signNow({ trace, origin, ...page });
  for (const [name, value] of formatPageHeaders({ trace, digest, token }, read)) {
    res.setHeader(name, value);
    // `writeHead` prefers the headers in its arguments to those of `setHeader`.
    if (readGivenHeader(given.at(-1), name.toLowerCase()) !== undefined)
      given.push(omitGivenHeader(given.pop(), name.toLowerCase()));
  }
}

/** Names and values of headers as `writeHead` takes them: an object, or a list of both. */
function listGivenHeaders(given: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(given)) return Object.entries(Object(given));
  return given.flatMap((name, at) =>
    at % 2 === 0 ? [[String(name), given[at + 1]] as const] : [],
  );
}

function readGivenHeader(given: unknown, name: string): unknown {
  return listGivenHeaders(given).find(([key]) => key.toLowerCase() === name)?.[1];
}

function omitGivenHeader(given: unknown, name: string): unknown {
  const kept = listGivenHeaders(given).filter(([key]) => key.toLowerCase() !== name);
  return Array.isArray(given) ? kept.flat() : Object.fromEntries(kept);
}

/** Express' own answer, with the notice or problem details instead of its text. */
export function sendFailure(
  named: Named,
  { status, headers }: { readonly status: number; readonly headers: unknown },
  req: NodeRequest,
  res: ExpressResponse,
): void {
  const answer = createFailureAnswer(named, status, toReader(req));
  res.statusCode = status;
  for (const name of ["encoding", "language", "range", "security-policy-report-only"])
    res.removeHeader(`content-${name}`);
  for (const [name, value] of Object.entries({ ...Object(headers), ...answer.headers }))
    res.setHeader(name, value as string);
  res.setHeader("content-length", String(new TextEncoder().encode(answer.body).length));
  res.end(answer.body);
}
