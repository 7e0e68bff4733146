/**
 * Security headers. Every page has a CSP without `unsafe-*`, with a nonce for React's inline
 * scripts, and sends violations to Errata. Trusted Types are required and no policy can be created,
 * so no text becomes markup or code in the browser.
 */

import { PAGE_TOKEN_PARAMETER } from "../core/scrubbing/own-secrets.ts";

/** The ingest path of all applications. Errata's own pages use it too. */
const REPORTING_PATH = "/monitoring";

/** Where a page sends its reports, with its token if it has one. */
export function createReportingUrl(pageToken: string | undefined): string {
  return pageToken === undefined
    ? REPORTING_PATH
    : `${REPORTING_PATH}?${PAGE_TOKEN_PARAMETER}=${pageToken}`;
}

/** The hash of the one inline style, `CONSTANT_STYLE` of the page when the failure page fails. */
const CONSTANT_STYLE_HASH = "sha256-oAJzc3INZpNnXlv19Ihbus8h8LjX6W3OZckuay9rYeI=";

/** The endpoint to which browsers also send crashes, deprecations and interventions. */
const REPORTING_GROUP = "default";

/**
 * The policy of a page. Browsers use `report-to` only over HTTPS and then ignore `report-uri`, so a
 * page over HTTP uses `report-uri`.
 */
export function createPolicy({ protocol }: URL, nonce: string, reportingUrl: string): string {
  return [
    "default-src 'none'",
    // Reports have the beginning of an inline script that is blocked.
    `script-src 'self' 'nonce-${nonce}' 'report-sample'`,
    `style-src 'self' '${CONSTANT_STYLE_HASH}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    protocol === "https:" ? `report-to ${REPORTING_GROUP}` : `report-uri ${reportingUrl}`,
  ].join("; ");
}

/** The headers of an HTML response. */
export function createPageHeaders(url: URL, nonce: string, reportingUrl: string): Headers {
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": createPolicy(url, nonce, reportingUrl),
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Cache-Control": NO_STORE,
    Vary: "Cookie",
  });
  if (url.protocol === "https:")
    headers.set("Reporting-Endpoints", `${REPORTING_GROUP}="${reportingUrl}"`);
  return headers;
}

/** The headers of every response; HTTPS responses include HSTS. */
export function createGlobalHeaders({ protocol, hostname }: URL): Readonly<Record<string, string>> {
  // HSTS on localhost would apply to every other port of the machine.
  const isSecure = protocol === "https:" && !LOCALHOST_NAME.test(hostname);
  return { ...GLOBAL_HEADERS, ...(isSecure && { "Strict-Transport-Security": HSTS_VALUE }) };
}

const LOCALHOST_NAME = /(^|\.)localhost$/;

/** Two years. Without subdomains: other services may run there. */
const HSTS_VALUE = "max-age=63072000";

/** Browser features that pages use: copy buttons and passkeys. */
const ALLOWED_FEATURES = [
  "clipboard-write",
  "publickey-credentials-create",
  "publickey-credentials-get",
];
/**
 * Features that are denied. Browsers log unknown names, so names that Chromium knows only on some
 * systems are missing.
 */
const DENIED_FEATURES = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "idle-detection",
  "keyboard-map",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "otp-credentials",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
];
const PERMISSIONS_POLICY = [
  ...ALLOWED_FEATURES.map((name) => `${name}=(self)`),
  ...DENIED_FEATURES.map((name) => `${name}=()`),
].join(", ");

/** `Cache-Control` of pages and their JSON. */
export const NO_STORE = "private, no-store";

/**
 * Other sites do not see the referring URL, which may name an error. Errata's own forms send it,
 * and with it the origin that `isSameOrigin` checks.
 */
const GLOBAL_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
} as const;

/**
 * Forbids embedding by other sites. Ingest responses omit it: pages of other sites send reports,
 * and some SDKs read the response.
 */
export const SAME_ORIGIN_RESOURCE = { "Cross-Origin-Resource-Policy": "same-origin" } as const;
