/**
 * Security headers. Every page has a policy without `unsafe-*`, with a nonce for React's inline scripts, and reports what
 * violates it to Errata itself. No text becomes elements or code in the browser: there is no policy of Trusted Types that
 * could allow it, and none can be made.
 */

/** Where Errata's pages report to. The same path takes everybody else's reports. */
export const REPORTING_PATH = "/monitoring";

const REPORTING_GROUP = "errata";

/**
 * The headers of one HTML response. Browsers deliver `report-to` over https alone and ignore `report-uri` beside it, so a
 * page over http (a local one) names the latter.
 */
export function createPageHeaders(url: URL, nonce: string): Headers {
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
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    secure ? `report-to ${REPORTING_GROUP}` : `report-uri ${REPORTING_PATH}`,
  ];
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Cache-Control": NO_STORE,
    Vary: "Cookie",
  });
  if (secure) headers.set("Reporting-Endpoints", `${REPORTING_GROUP}="${REPORTING_PATH}"`);
  return headers;
}

/** The headers that every response has, whatever it is; over https browsers are told to stay there. */
export function createGlobalHeaders({ protocol, hostname }: URL): Readonly<Record<string, string>> {
  // A browser would hold every other port of this machine to it too.
  const isSecure = protocol === "https:" && !LOCALHOST_NAME.test(hostname);
  return { ...GLOBAL_HEADERS, ...(isSecure && { "Strict-Transport-Security": HSTS_VALUE }) };
}

const LOCALHOST_NAME = /(^|\.)localhost$/;

/** Two years. Its subdomains are not Errata's to decide about: it may stand at a company's own name. */
const HSTS_VALUE = "max-age=63072000";

/** What the desk asks of a browser, beside showing pages: the copy buttons, and passkeys. */
const ALLOWED_FEATURES = [
  "clipboard-write",
  "publickey-credentials-create",
  "publickey-credentials-get",
];
/** What it does not. A browser logs a name that it does not know, so those are left out that Chromium knows on some systems only. */
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

/** What a cache may do with the desk's pages and JSON: nothing. */
export const NO_STORE = "private, no-store";

/**
 * No other site learns the address that somebody came from, which may name an
 * error; Errata's own reports and forms say it (and with it the origin, which `isSameOrigin` asks for).
 */
const GLOBAL_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
} as const;

/** No other site may embed it. Answers to reports alone go without: other sites' pages send them, and some look at the answer. */
export const SAME_ORIGIN_RESOURCE = { "Cross-Origin-Resource-Policy": "same-origin" } as const;
