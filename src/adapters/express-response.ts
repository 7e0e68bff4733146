/** The headers of Express' responses, and the response to a failure. */

import { createFailureAnswer } from "./failure-answer.ts";
import { type NodeRequest, toReader } from "./node-request.ts";
import { formatPageFacts, PAGE_FACTS_HEADER } from "./page-facts.ts";
import { isPage, isSharedPage } from "./page-headers.ts";
import type { Named } from "./server.ts";

/** What the adapter uses of a response of Node.js. */
export interface ExpressResponse {
  statusCode: number;
  readonly headersSent: boolean;
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
  /** Tokens for a page. Whether caches may share it is known with its headers. */
  readonly tokens: { readonly own?: string | undefined; readonly shared?: string | undefined };
}

/** Adds the facts to the headers of a page or a failure when they are sent. */
export function watchHeaders(res: ExpressResponse, starting: StartingResponse): void {
  const { writeHead } = res;
  res.writeHead = (status, ...rest) => {
    try {
      if (!res.headersSent) addFacts(res, starting, status, rest.at(-1));
    } catch {
      // Whatever goes wrong, the response goes out as it is.
    }
    return writeHead.call(res, status, ...rest);
  };
}

function addFacts(
  res: ExpressResponse,
  { trace, findDigest, tokens }: StartingResponse,
  status: number,
  given: unknown,
): void {
  // Headers may be in the call itself.
  const headers = new Map(
    Object.entries(Object(given)).map(([k, value]) => [k.toLowerCase(), value]),
  );
  const read = (name: string) => headers.get(name) ?? res.getHeader(name);
  const digest = findDigest(status);
  const isOfPage = isPage(read("content-type"));
  if (digest === undefined && !isOfPage) return;
  const { own, shared } = isOfPage ? tokens : {};
  const token = isSharedPage(read("cache-control")) ? shared : own;
  const before = res.getHeader(PAGE_FACTS_HEADER);
  const facts = formatPageFacts({ trace, digest, token });
  res.setHeader(PAGE_FACTS_HEADER, before === undefined ? facts : `${before}, ${facts}`);
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
  for (const name of ["encoding", "language", "range"]) res.removeHeader(`content-${name}`);
  for (const [name, value] of Object.entries({ ...Object(headers), ...answer.headers }))
    res.setHeader(name, value as string);
  res.setHeader("content-length", String(new TextEncoder().encode(answer.body).length));
  res.end(answer.body);
}
