/**
 * The request that OTLP attributes describe, in the stable names of the HTTP conventions and in those before them.
 * Source: OpenTelemetry semantic conventions 1.45, HTTP spans; 1.20 for the older names.
 */
import { limits } from "../core/limits.ts";
import type { Cuts } from "./cuts.ts";
import { numberOf } from "./decode.ts";
import { type Attributes, attribute } from "./otlp-attributes.ts";
import type { RequestClaims } from "./request.ts";
import { pathOf } from "./urls.ts";

/** What is said of the request: method, URL, route and user agent. Headers stand apart. */
export function claimsOf(attributes: Attributes): RequestClaims {
  const url = urlOf(attributes);
  return {
    method: attribute(attributes, "http.request.method", "http.method"),
    url,
    route: attribute(attributes, "http.route") ?? (url === undefined ? undefined : pathOf(url)),
    userAgent: attribute(attributes, "user_agent.original", "http.user_agent"),
  };
}

/** The captured headers, `http.request.header.<name>` with a list of values: the first of each. */
export function headersOf(attributes: Attributes, cuts: Cuts): readonly (readonly string[])[] {
  return [...attributes.keys()]
    .filter((key) => key.startsWith(HEADER))
    .map((key) => {
      const value = cuts.text("headers", attribute(attributes, key), limits.maxTypeChars);
      // Instrumentations before 1.24 wrote the dash of a name as an underscore.
      return [key.slice(HEADER.length).replaceAll("_", "-"), value ?? ""];
    });
}

/** The status that was answered. Undefined where none is said. */
export function statusOf(attributes: Attributes): number | undefined {
  const status = numberOf(attribute(attributes, "http.response.status_code", "http.status_code"));
  return status !== undefined && Number.isInteger(status) && status > 0 ? status : undefined;
}

const HEADER = "http.request.header.";
/** The whole URL; else it is put together from its parts, as server spans have them. */
function urlOf(attributes: Attributes): string | undefined {
  const whole = attribute(attributes, "url.full", "http.url");
  if (whole !== undefined) return whole;
  const target = attribute(attributes, "http.target");
  const query = attribute(attributes, "url.query");
  const path = attribute(attributes, "url.path");
  const local = path === undefined || query === undefined ? path : `${path}?${query}`;
  const host = attribute(attributes, "server.address", "http.host");
  const scheme = attribute(attributes, "url.scheme", "http.scheme");
  const end = local ?? target;
  if (end === undefined || host === undefined || scheme === undefined) return end;
  const port = attribute(attributes, "server.port");
  const isDefault = port === undefined || port === DEFAULT_PORTS[scheme] || host.includes(":");
  return `${scheme}://${host}${isDefault ? "" : `:${port}`}${end}`;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };
