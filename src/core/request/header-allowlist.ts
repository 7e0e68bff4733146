/**
 * Request headers that may be stored. All others are dropped, so that no report contains cookies,
 * credentials or client addresses.
 */
import { limits } from "../limits.ts";

/** Headers with the id that a platform or a proxy gave to a request. */
export const REQUEST_ID_HEADERS: readonly string[] = [
  ...["fly-request-id", "rndr-id", "x-amz-cf-id", "x-amzn-requestid", "x-amzn-trace-id"],
  ...["x-azure-ref", "x-b3-traceid", "x-cloud-trace-context", "x-correlation-id"],
  ...["x-nf-request-id", "x-railway-request-id", "x-request-id", "x-trace-id", "x-vercel-id"],
];
/** Lower-case names of the headers that a report may contain. */
export const HEADER_ALLOWLIST: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "cf-ipcountry",
  "cf-ray",
  "content-length",
  "content-type",
  "host",
  "next-action",
  "next-router-prefetch",
  "next-url",
  "origin",
  "purpose",
  "range",
  "referer",
  "rsc",
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "sec-purpose",
  "traceparent",
  "user-agent",
  "x-forwarded-host",
  "x-forwarded-proto",
  ...REQUEST_ID_HEADERS,
]);

/**
 * The allowed headers with lower-case names, in their order, at most `limits.maxHeaders`. Values
 * are neither truncated nor scrubbed yet.
 */
export function filterHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
): readonly (readonly [name: string, value: string])[] {
  const allowed: (readonly [string, string])[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (HEADER_ALLOWLIST.has(lower)) allowed.push([lower, value]);
    if (allowed.length === limits.maxHeaders) break;
  }
  return allowed;
}
