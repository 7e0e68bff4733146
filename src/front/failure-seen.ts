/**
 * Recognizes a failed page from outside of the application: by its status, by what a framework
 * renders in place of a page although the status is a success, and by a failure that a cache keeps.
 * Sources: next 16.4 (`components/builtin/`, `pages/_error`), react-router 8.4
 * (`dom/ssr/errorBoundaries`), react-dom 19.3 (`data-dgst`, `$RX`).
 */

import { PAGE_FACTS_HEADER, readPageFact } from "../adapters/page-facts.ts";
import { isDigest } from "../core/grouping/parse-digest.ts";

/** What is known of a response before its body is read. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
}

/** The part of a page that was read. */
export interface SeenPage {
  /** Each byte as one character: the marks are ASCII. */
  readonly text: string;
  /** The text is the whole page. */
  readonly isWhole: boolean;
}

/** A failure that a page shows, or that its status tells. */
export interface SeenFailure {
  /** The type of its report. */
  readonly type: string;
  /**
   * The message of its report. Generic words alone make each route an issue of its own
   * (`grouping/v1/uninformative.ts`).
   */
  readonly message: string;
  /** What the page shows, if not its status tells it. */
  readonly seen?: string | undefined;
  /** Codes in the page with which the framework logs the failure. */
  readonly aliases: readonly string[];
  /** The digest that the application gave the failure, if a cache keeps it. */
  readonly digest?: string | undefined;
  /** The whole site fails, so all routes are one issue. */
  readonly isOfSite: boolean;
}

/**
 * The failure of a response. Undefined for a good page, and for a failure to which the application
 * itself has given a digest of Errata, unless a cache keeps it.
 */
export function findFailure(facts: ResponseFacts, page: SeenPage): SeenFailure | undefined {
  const { status, headers } = facts;
  const isKept = isCached(headers);
  const seen = status < 400 ? findShownFailure(page, isKept) : undefined;
  if (status < 500 && seen === undefined) return undefined;
  const codes = listCodes(headers, page.text);
  const digest = codes.find(isDigest);
  const aliases = codes.filter((code) => !isDigest(code));
  if (digest !== undefined && !isKept) return undefined;
  const isOfSite = SITE_STATUSES.has(status) && !isKept;
  const type = isKept ? "Cached failure" : seen === undefined ? `HTTP ${status}` : "Silent 200";
  const name = STATUS_NAMES[status] ?? "";
  const message = isOfSite
    ? `The whole site answered with ${status} ${name}`.trim()
    : `The request failed with status ${status}`;
  return { type, message, seen, aliases, digest, isOfSite };
}

/** True if the text has the mark of a boundary that failed on the server, at any place. */
export function hasFailedBoundary(text: string): boolean {
  return text.includes(' data-dgst="') || text.includes('$RX("');
}

/** The root element at the beginning of a page. Behind it, a page may quote the mark. */
const NEXT_ERROR_ROOT = /^[^<]{0,9}(?:<!doctype[^>]*>\s*)?<html[^>]*\sid="__next_error__"/i;
const ERROR_TITLE = "<title>Application ";
const NEXT_ERROR_TITLE = "<title>Application error: a client-side exception has occurred</title>";
const REACT_ROUTER_ERROR_TITLE = "<title>Application Error!</title>";

/**
 * What tells that a page has failed, in a response whose status is a success. A notice alone tells it
 * in a cache only: an application that shows one has reported its failure.
 */
function findShownFailure({ text, isWhole }: SeenPage, isKept: boolean): string | undefined {
  if (isWhole && text.trim() === "") return "an empty page";
  // Every good page is searched, so the rare marks follow a common beginning.
  const hasErrorTitle = text.includes(ERROR_TITLE);
  if (NEXT_ERROR_ROOT.test(text) || (hasErrorTitle && text.includes(NEXT_ERROR_TITLE)))
    return "the error page of Next.js";
  if (hasErrorTitle && text.includes(REACT_ROUTER_ERROR_TITLE))
    return "the error page of React Router";
  if (isKept && text.includes(' class="errata-notice"')) return "a notice";
  return hasFailedBoundary(text) ? "a part that failed on the server" : undefined;
}

const MAX_CODES = 5;

/**
 * The codes of a failed page: those of React's markup, of the script with which React marks a
 * boundary late, of the data of Next.js, and of a notice.
 */
const CODES =
  /\sdata-dgst="([!-~]{1,64}?)"|\$RX\("[^"]{1,40}","([!-~]{1,64}?)"|\\?"digest\\?":\\?"([\w@;-]{4,64}?)\\?"|<code>([\dA-Z]{4}-[\dA-Z]{4})<\/code>/g;

function listCodes(headers: Headers, text: string): readonly string[] {
  const named = readPageFact(headers.get(PAGE_FACTS_HEADER), "digest");
  const shown = Array.from(text.matchAll(CODES), ([, ...groups]) => groups.find(Boolean) ?? "");
  return [...new Set(named === undefined ? shown : [named, ...shown])].slice(0, MAX_CODES);
}

/** True if a cache has answered, of Cloudflare or of the origin. */
function isCached(headers: Headers): boolean {
  return (
    /^(?:HIT|STALE|UPDATING|REVALIDATED)$/i.test(headers.get("cf-cache-status") ?? "") ||
    Number(headers.get("age") ?? 0) > 0
  );
}

/**
 * The statuses of a gateway whose application does not answer. 520 to 530 are those of Cloudflare.
 */
const SITE_STATUSES: ReadonlySet<number> = new Set([
  ...[502, 503, 504],
  ...Array.from({ length: 11 }, (_, n) => 520 + n),
]);

const STATUS_NAMES: Readonly<Record<number, string>> = {
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  520: "Unknown Error of the Origin",
  521: "Web Server Is Down",
  522: "Connection Timed Out",
  523: "Origin Is Unreachable",
  524: "A Timeout Occurred",
  525: "SSL Handshake Failed",
  526: "Invalid SSL Certificate",
};
