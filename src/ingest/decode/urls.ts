/**
 * Reported URLs, as text: what groups and what is shown leaves out the parts that differ from visitor to visitor. Nothing
 * is ever fetched from them, and nothing here throws.
 */

/** The URL up to its query or fragment. */
export function stripQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** `https://host:port` of a hierarchical URL; the bare scheme (`data`) of another; the text itself when it is no URL. */
export function toUrlOrigin(url: string): string {
  if (!URL.canParse(url)) return stripQuery(url);
  const { protocol, host } = new URL(url);
  return host === "" ? protocol.slice(0, -1) : `${protocol}//${host}`;
}

/** The path of an absolute URL or of a path with a query: `/cart`. Undefined when there is none. */
export function toUrlPath(url: string): string | undefined {
  if (url.startsWith("/")) return stripQuery(url);
  return URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).pathname : undefined;
}
