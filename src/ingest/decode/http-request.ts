/** Decodes the HTTP request of a report. */

import { asTextPairs } from "../../core/decode/as-type.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { filterHeaders } from "../../core/report/header-allowlist.ts";
import type { ReportRequest } from "../../core/report.ts";
import type { Truncations } from "./truncations.ts";

/** An undecoded request. `headers` may be an object or a list of pairs. */
export interface RawRequest {
  readonly method?: unknown;
  readonly url?: unknown;
  readonly route?: unknown;
  readonly headers?: unknown;
  readonly userAgent?: unknown;
}

/**
 * The request to store, with allowed headers only. The user agent comes from its header unless
 * given. Undefined if empty.
 */
export function createReportRequest(
  raw: RawRequest,
  truncations: Truncations,
): ReportRequest | undefined {
  const headers = filterHeaders(asTextPairs(raw.headers)).map(
    ([name, value]) => [name, truncations.limitString("headers", value) ?? ""] as const,
  );
  const header = headers.find(([name]) => name === "user-agent")?.[1];
  const request: ReportRequest = omitUndefined({
    method: truncations.limitText("request", raw.method, MAX_METHOD_CHARS),
    url: truncations.limitString("request", raw.url),
    route: truncations.limitString("request", raw.route),
    headers: headers.length === 0 ? undefined : headers,
    userAgent: truncations.limitString("request", raw.userAgent) ?? header,
  });
  return Object.keys(request).length === 0 ? undefined : request;
}

const MAX_METHOD_CHARS = 20;
