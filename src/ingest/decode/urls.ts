/**
 * Reported URLs as text. Grouping and titles omit the parts that differ between visitors. Never
 * fetches a URL, and never throws.
 */
import { MemoCache } from "../../core/memo-cache.ts";

/** The URL up to its query or fragment. */
export function stripQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** `https://host:port` of a hierarchical URL, the scheme (`data`) of others, or the text itself. */
export function toUrlOrigin(url: string): string {
  if (!URL.canParse(url)) return stripQuery(url);
  const { protocol, host } = new URL(url);
  return host === "" ? protocol.slice(0, -1) : `${protocol}//${host}`;
}

/** The path of an absolute URL or of a path with a query: `/cart`. Undefined if there is none. */
export function toUrlPath(url: string): string | undefined {
  if (url.startsWith("/")) return stripQuery(url);
  return /^https?:/i.test(url) ? pathCache.getOrCreate(url, parsePath) : undefined;
}

/** Reports come from the same pages. */
const pathCache = new MemoCache<string | undefined>();

function parsePath(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}
