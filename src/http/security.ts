/**
 * Security headers. Every page has a policy without `unsafe-*`, with a nonce for React's inline scripts, and reports what
 * violates it to Errata itself.
 */

/** Where Errata's pages report to. The same path takes everybody else's reports. */
export const REPORTING_PATH = "/monitoring";

const REPORTING_GROUP = "errata";

/**
 * The headers of one HTML response. Browsers deliver `report-to` over https alone and ignore `report-uri` beside it, so a
 * page over http (a local one) names the latter.
 */
export function pageHeaders(url: URL, nonce: string): Headers {
  const secure = url.protocol === "https:";
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    secure ? `report-to ${REPORTING_GROUP}` : `report-uri ${REPORTING_PATH}`,
  ];
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": DESK_CACHE,
    Vary: "Cookie",
  });
  if (secure) headers.set("Reporting-Endpoints", `${REPORTING_GROUP}="${REPORTING_PATH}"`);
  return headers;
}

/** What a cache may do with the desk's pages and JSON: nothing. */
export const DESK_CACHE = "private, no-store";

/** Headers that every response has, whatever it is. */
export const EVERYWHERE = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;
