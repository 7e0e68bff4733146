/**
 * Reads the HTTP request from OTLP attributes, in the stable conventions and in the older ones.
 * Source: OpenTelemetry semantic conventions 1.45, HTTP spans; 1.20 for the older names.
 */

import { asNumber } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { RawRequest } from "../decode/http-request.ts";
import type { Truncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import { findAttribute, type OtlpAttributes } from "./otlp-attributes.ts";

/** Method, URL, route and user agent. Headers are separate. */
export function parseHttpAttributes(attributes: OtlpAttributes): RawRequest {
  const url = createUrl(attributes);
  return {
    method: findAttribute(attributes, "http.request.method", "http.method"),
    url,
    route:
      findAttribute(attributes, "http.route") ?? (url === undefined ? undefined : toUrlPath(url)),
    userAgent: findAttribute(attributes, "user_agent.original", "http.user_agent"),
  };
}

/** The captured headers, `http.request.header.<name>` with a list of values: the first of each. */
export function listRequestHeaders(
  attributes: OtlpAttributes,
  truncations: Truncations,
): readonly (readonly string[])[] {
  return [...attributes.keys()]
    .filter((key) => key.startsWith(HEADER_PREFIX))
    .map((key) => {
      const value = truncations.limitText(
        "headers",
        findAttribute(attributes, key),
        limits.maxTypeChars,
      );
      // Instrumentations before 1.24 wrote dashes as underscores.
      return [key.slice(HEADER_PREFIX.length).replaceAll("_", "-"), value ?? ""];
    });
}

/** The response status; undefined if unknown. */
export function parseResponseStatus(attributes: OtlpAttributes): number | undefined {
  const status = asNumber(
    findAttribute(attributes, "http.response.status_code", "http.status_code"),
  );
  return status !== undefined && Number.isInteger(status) && status > 0 ? status : undefined;
}

const HEADER_PREFIX = "http.request.header.";
/** The full URL, or one composed from its parts, as server spans have them. */
function createUrl(attributes: OtlpAttributes): string | undefined {
  const fullUrl = findAttribute(attributes, "url.full", "http.url");
  if (fullUrl !== undefined) return fullUrl;
  const target = findAttribute(attributes, "http.target");
  const query = findAttribute(attributes, "url.query");
  const path = findAttribute(attributes, "url.path");
  const pathAndQuery = path === undefined || query === undefined ? path : `${path}?${query}`;
  const host = findAttribute(attributes, "server.address", "http.host");
  const scheme = findAttribute(attributes, "url.scheme", "http.scheme");
  const end = pathAndQuery ?? target;
  if (end === undefined || host === undefined || scheme === undefined) return end;
  const port = findAttribute(attributes, "server.port");
  const isDefault = port === undefined || port === DEFAULT_PORTS[scheme] || host.includes(":");
  return `${scheme}://${host}${isDefault ? "" : `:${port}`}${end}`;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };
