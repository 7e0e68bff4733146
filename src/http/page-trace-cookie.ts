/**
 * How a browser's error finds the failed render behind the page that it happened on, without a digest: each page has a trace
 * id, told in two ways that unmodified clients send back. Sentry's browser tracing takes it from `Server-Timing` and names it
 * in every event; the cookie comes with every report to this origin, and says so of errors on that very page alone. The index
 * links by either only where the render has failed.
 * Source: W3C Server Timing § 2; Sentry develop docs › SDK › Telemetry › Traces › Trace Propagation.
 */
import { getCookie } from "hono/cookie";
import type { AppContext } from "./context.ts";
import { formatSetCookieHeader } from "./set-cookie.ts";

const COOKIE = "errata-trace";
const COOKIE_SECONDS = 600;
const SPAN_CHARS = 16;

/** Tells the browser the trace of the page that is sent with these headers. */
export function setPageTrace(headers: Headers, traceId: string, url: URL): void {
  headers.append("Server-Timing", `sentry-trace;desc="${traceId}-${traceId.slice(-SPAN_CHARS)}-0"`);
  headers.append(
    "Set-Cookie",
    formatSetCookieHeader(COOKIE, traceId, { url, maxAgeSeconds: COOKIE_SECONDS }),
  );
}

/** The trace of the page that this browser was sent last; undefined when it says none. */
export function readPageTrace(c: AppContext): string | undefined {
  const cookieValue = getCookie(c, COOKIE);
  return cookieValue !== undefined && /^[0-9a-f]{32}$/.test(cookieValue) ? cookieValue : undefined;
}
