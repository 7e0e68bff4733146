/**
 * Links a browser's error to the failed render of its page if it has no digest. Each page has a
 * trace id that clients return unmodified: Sentry's browser tracing reads it from `Server-Timing`
 * and adds it to every event; the cookie comes with each report to this origin. The index links
 * reports only to traces of failed renders. Source: W3C Server Timing § 2; Sentry develop docs ›
 * SDK › Telemetry › Traces › Trace Propagation.
 */
import { parse } from "hono/utils/cookie";
import { formatSetCookieHeader } from "./set-cookie.ts";

const COOKIE = "errata-trace";
const COOKIE_SECONDS = 600;
const SPAN_CHARS = 16;

/** Adds the trace id of a page to its headers. */
export function setPageTrace(headers: Headers, traceId: string, url: URL): void {
  headers.append("Server-Timing", `sentry-trace;desc="${traceId}-${traceId.slice(-SPAN_CHARS)}-0"`);
  headers.append(
    "Set-Cookie",
    formatSetCookieHeader(COOKIE, traceId, { url, maxAgeSeconds: COOKIE_SECONDS }),
  );
}

/** The trace id of the last page sent to this browser, if any. */
export function readPageTrace(headers: Headers): string | undefined {
  const cookies = headers.get("cookie");
  const cookieValue = cookies === null ? undefined : parse(cookies, COOKIE)[COOKIE];
  return cookieValue !== undefined && /^[0-9a-f]{32}$/.test(cookieValue) ? cookieValue : undefined;
}
