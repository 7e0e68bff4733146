/**
 * What the adapters of HTTP servers share: which responses are failures, what a visitor or a
 * program gets of one, and the facts in the headers of a page.
 */

import { toHex } from "../core/hex.ts";
import { createNoticePage } from "./notice.ts";
import { formatPageFacts } from "./page-facts.ts";
import { createProblem, PROBLEM_TYPE, wantsPage } from "./problem.ts";
import { getErrata, type Named } from "./server.ts";

/** Reads a header of a request. Names are in lower case. */
export type ReadHeader = (name: string) => string | null | undefined;

/** The headers of a response that decide about its page token. */
export interface PageHeaders {
  readonly contentType?: unknown;
  readonly cacheControl?: unknown;
}

/** The trace of a request, and the digest of its failure. */
export interface ResponseFacts {
  readonly trace: string;
  readonly digest?: string | undefined;
}

/** The response to a failure. */
export interface FailureAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * True for the status of a response after an error: not for a redirect or a 4xx, with which an
 * application decides how to go on. With a 2xx, the failure is silent.
 */
export function isFailureStatus(status: number): boolean {
  return status < 300 || status >= 500;
}

/** The notice for a visitor, problem details for a program. Neither describes the error. */
export function createFailureAnswer(
  named: Named,
  status: number,
  readHeader: ReadHeader,
): FailureAnswer {
  const shared = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (!wantsPage(readHeader("accept"), readHeader("sec-fetch-mode"))) {
    const headers = { ...shared, "content-type": PROBLEM_TYPE };
    return { headers, body: JSON.stringify(createProblem(named, status)) };
  }
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const headers = {
    ...shared,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
  };
  return { headers, body: createNoticePage({ ...named, nonce }) };
}

/** True for the content type of a page. */
export function isPage(contentType: unknown): boolean {
  return /^text\/html\b/i.test(String(contentType ?? ""));
}

/**
 * The origin that the visitor's browser knows, such as `https://shop.example`: a proxy that ends
 * TLS names it in its headers. `origin` is the one of the connection.
 */
export function readOrigin(origin: string, readHeader: ReadHeader): string {
  const first = (name: string) => readHeader(name)?.split(",", 1)[0]?.trim();
  const [scheme = "", host = ""] = origin.split("://");
  return `${first("x-forwarded-proto") || scheme}://${first("x-forwarded-host") || host}`;
}

/** True if a cache may give the page to many visitors, who then share its token. */
export function isSharedPage(cacheControl: unknown): boolean {
  return /\b(?:public|s-maxage)\b/i.test(String(cacheControl ?? ""));
}

/**
 * The value of `Server-Timing` for a page, with a token for its reports, or for a failed response.
 * Undefined for any other response.
 */
export async function createPageFacts(
  { trace, digest }: ResponseFacts,
  origin: string,
  { contentType, cacheControl }: PageHeaders,
): Promise<string | undefined> {
  if (!isPage(contentType)) return digest && formatPageFacts({ trace, digest });
  const isShared = isSharedPage(cacheControl);
  const token = await getErrata().sign({ trace, origin, isShared });
  return formatPageFacts({ trace, digest, token });
}
