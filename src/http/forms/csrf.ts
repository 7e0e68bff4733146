/**
 * Decides whether one of Errata's own pages sent a request. Browsers state the origin, and another
 * site cannot change that (Fetch Metadata § 2.2, RFC 6454 § 7). Clients that are not browsers send
 * neither header.
 */

/**
 * False for a request that another site made a browser send. `Sec-Fetch-Site` decides if present;
 * older browsers send `Origin`, clients such as curl send neither.
 */
export function isSameOrigin(request: Pick<Request, "url" | "headers">): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  // Direct navigation and reloads have no initiating site.
  if (site !== null) return site === "same-origin" || (site === "none" && origin === null);
  return origin === null || origin === new URL(request.url).origin;
}

/** True if a request states its site, as browsers do for every POST. */
export function hasOriginHeaders({ headers }: Pick<Request, "headers">): boolean {
  return headers.has("sec-fetch-site") || headers.has("origin");
}
