/**
 * Whether a change was asked for by one of Errata's own pages. Browsers say where a request comes from; another site cannot
 * change what they say (Fetch Metadata § 2.2, RFC 6454 § 7). What is no browser says nothing, and acts for nobody but itself.
 */

/**
 * False for a request that another site had a browser send. `Sec-Fetch-Site` decides where it is there; an older browser says
 * its `Origin`, and a client such as curl neither.
 */
export function isSameOrigin(request: Pick<Request, "url" | "headers">): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  // What a person does by hand, a reload for one, comes from no site.
  if (site !== null) return site === "same-origin" || (site === "none" && origin === null);
  return origin === null || origin === new URL(request.url).origin;
}

/** True when a request says which site sent it, as every browser does with what it posts. */
export function hasOriginHeaders({ headers }: Pick<Request, "headers">): boolean {
  return headers.has("sec-fetch-site") || headers.has("origin");
}
