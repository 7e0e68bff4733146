/**
 * The header with which a server tells the browser about a page, and the requests and responses
 * that need it.
 */

import { formatPageFacts } from "./page-facts.ts";
import { getErrata } from "./server.ts";

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
