/** Decodes the HTTP request of a report. */

import { asText } from "../../core/decode/as-type.ts";
import type { ReportRequest } from "../../core/report.ts";
import { filterHeaders } from "../../core/request/header-allowlist.ts";
import { listHeaders, toQuery } from "./pairs.ts";
import type { Truncations } from "./truncations.ts";

/**
 * An undecoded request. `headers` and `query` may be an object or a list of pairs, and `query` also
 * text.
 */
export interface RawRequest {
  readonly method?: unknown;
  readonly url?: unknown;
  readonly query?: unknown;
  readonly fragment?: unknown;
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
  const headers = filterHeaders(listHeaders(raw.headers)).map(
    ([name, value]) => [name, truncations.limitString("headers", value) ?? ""] as const,
  );
  const header = headers.find(([name]) => name === "user-agent")?.[1];
  const { url, query } = joinUrl(asText(raw.url), toQuery(raw.query), asText(raw.fragment));
  const request: ReportRequest = {
    method: truncations.limitText("request", raw.method, MAX_METHOD_CHARS),
    url: truncations.limitString("request", url),
    query: truncations.limitString("request", query),
    route: truncations.limitString("request", raw.route),
    headers: headers.length === 0 ? undefined : headers,
    userAgent: truncations.limitString("request", raw.userAgent) ?? header,
  };
  return Object.values(request).some((member) => member !== undefined) ? request : undefined;
}

/**
 * Adds the query and the fragment to a URL without them. A query that differs from the URL's stays
 * apart.
 */
function joinUrl(
  url: string | undefined,
  query: string | undefined,
  fragment: string | undefined,
): { readonly url?: string; readonly query?: string } {
  if (url === undefined) return { query };
  const [, path = "", ownQuery = "", ownFragment = ""] =
    /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [];
  const hash = ownFragment || fragment?.replace(/^#/, "");
  const search = ownQuery || query;
  return {
    url: `${path}${search ? `?${search}` : ""}${hash ? `#${hash}` : ""}`,
    query: ownQuery === "" || query === ownQuery ? undefined : query,
  };
}

const MAX_METHOD_CHARS = 20;
