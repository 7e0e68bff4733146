/**
 * The headers with which a server tells the browser about a page, and the requests and responses
 * that need them.
 */

import { formatPageFacts, joinPageFacts, PAGE_FACTS_HEADER, type PageFacts } from "./page-facts.ts";
import {
  addTokenToReports,
  findOnlyPolicy,
  type NewHeader,
  type ReadResponseHeader,
} from "./page-policy.ts";
import { getErrata, type ServedPage } from "./server.ts";

/** Reads a header of a request. Names are in lower case. */
export type ReadHeader = (name: string) => string | null | undefined;

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

/** What the token of a page says besides its trace and origin; undefined unless it is a page. */
export function describePage(
  read: ReadResponseHeader,
): Pick<ServedPage, "isShared" | "policy"> | undefined {
  if (!isPage(read("content-type"))) return undefined;
  return { isShared: isSharedPage(read("cache-control")), policy: findOnlyPolicy(read) };
}

/**
 * The headers that a response gets: `Server-Timing` with its facts and, with a token, the addresses
 * to which browsers report. Empty without a fact.
 */
export function formatPageHeaders(
  facts: PageFacts,
  read: ReadResponseHeader,
): readonly NewHeader[] {
  const text = formatPageFacts(facts);
  if (text === "") return [];
  const timing = joinPageFacts(read(PAGE_FACTS_HEADER.toLowerCase()), text);
  return [[PAGE_FACTS_HEADER, timing], ...addTokenToReports(facts.token, read, getErrata())];
}

/**
 * The headers of a page, with a token for its reports, or of a failed response. Empty for any other
 * response.
 */
export async function createPageHeaders(
  { trace, digest }: ResponseFacts,
  origin: string,
  read: ReadResponseHeader,
): Promise<readonly NewHeader[]> {
  const page = describePage(read);
  if (page === undefined)
    return digest === undefined ? [] : formatPageHeaders({ trace, digest }, read);
  const token = await getErrata().sign({ trace, origin, ...page });
  return formatPageHeaders({ trace, digest, token }, read);
}
