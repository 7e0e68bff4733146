/**
 * Reported URLs as text. Grouping and titles omit the parts that differ between visitors. Never
 * fetches a URL, and never throws.
 */
import { MemoCache } from "../../core/memo-cache.ts";
import { hasContentHash } from "../../core/scripts/content-hash.ts";

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

/**
 * A web URL without query, ids and hashes of contents: equal for all builds and visitors.
 * `https://shop.example/assets/index-*.js`.
 */
export function toStableUrl(url: string): string {
  const origin = toUrlOrigin(url);
  const path = stripQuery(url).slice(origin.length);
  return origin + path.split("/").map(toStableSegment).join("/");
}

const ID = /^(?:\d+|[\da-f]{8,}|[\da-f-]{36}|.{61,})$/i;

function toStableSegment(segment: string): string {
  return ID.test(segment) ? "*" : segment.split(".").map(hideHash).join(".");
}

/** `index-*` for `index-Cepvnn19`. A hash may contain hyphens itself. */
function hideHash(part: string): string {
  const starts = [0, ...Array.from(part.matchAll(/[-_]/g), ({ index }) => index + 1)];
  const start = starts.findLast((at) => hasContentHash(part.slice(at)));
  return start === undefined ? part : `${part.slice(0, start)}*`;
}
