/**
 * The paths that accept reports. All may have a prefix (a DSN with a path,
 * `https://key@app.example/_errata/1`, makes an SDK post to `/_errata/api/1/envelope/`), with or
 * without the slash at the end, and with doubled slashes, as old SDKs send them.
 *
 *     the paths of `INGEST_FORMATS`                 SDKs and exporters, behind a key
 *     /monitoring  /monitoring/<project>            any format
 *     /api/embed/error-page?dsn=…                   the form of `showReportDialog`
 *     /<base 36>                                    managed tunnel, Sentry SDK 11
 *
 * Source: Sentry develop docs › SDK › Overview § Parsing the DSN; relay-server/src/endpoints; OTLP
 * 1.x § OTLP/HTTP.
 */
import { fnv1a } from "../../core/fnv1a.ts";
import type { IngestFormat } from "../../ingest/format/ingest-format.ts";
import { INGEST_FORMATS } from "../../ingest/formats.ts";
import { parseDsnKey } from "./credentials.ts";

/** An ingest path. `project` and `key` are as in the path and not validated. */
export interface IngestRoute {
  /** `monitoring`, `error-page`, or a name of `IngestFormat.paths`. */
  readonly endpoint: string;
  readonly project?: string | undefined;
  readonly key?: string | undefined;
}

/** No project has the number 0. */
const SENTRY_API = "/api/0/";

/** The segments at the end of each path. A key at the end is optional. */
const PATHS = [
  ...INGEST_FORMATS.flatMap(({ paths = {} }) => Object.entries(paths)),
  ["error-page", "/api/embed/error-page"] as const,
  ["monitoring", "/monitoring/:project"] as const,
  ["monitoring", "/monitoring"] as const,
].flatMap(([endpoint, path]) =>
  [...new Set([path, path.replace(/\/:key$/, "")])].map((variant) => ({
    endpoint,
    segments: variant.slice(1).split("/"),
  })),
);

/**
 * The route of an ingest path; `error-page` has its key in the query. Null for others, which may
 * still be managed tunnels (`findTunnelRoute`), and for Sentry's API, where a release may be named
 * `monitoring`.
 */
export function parseIngestRoute(
  pathname: string,
  searchParams = new URLSearchParams(),
): IngestRoute | null {
  if (pathname.startsWith(SENTRY_API)) return null;
  const segments = pathname.split("/").filter((segment) => segment !== "");
  for (const path of PATHS) {
    const params = matchEnd(path.segments, segments);
    if (params === null) continue;
    if (path.endpoint === "error-page") return parseErrorPageRoute(searchParams.get("dsn") ?? "");
    return { endpoint: path.endpoint, ...params };
  }
  return null;
}

/** The parameters of a path whose last segments match the pattern; null for other paths. */
function matchEnd(
  pattern: readonly string[],
  segments: readonly string[],
): Omit<IngestRoute, "endpoint"> | null {
  const params: Record<string, string> = {};
  let at = segments.length - pattern.length;
  for (const name of pattern) {
    const segment = segments[at];
    at += 1;
    if (segment === undefined) return null;
    if (name === ":project") params.project = segment;
    else if (name === ":key" && /^\w{8,64}$/.test(segment)) params.key = segment;
    else if (name !== segment) return null;
  }
  return params;
}

function parseErrorPageRoute(dsn: string): IngestRoute {
  const project = /\/([^/?#]+)\/?$/.exec(dsn)?.[1];
  return { endpoint: "error-page", project, key: parseDsnKey(dsn) };
}

const FORMAT_BY_ENDPOINT = new Map(
  INGEST_FORMATS.flatMap((format) =>
    Object.keys(format.paths ?? {}).map((name) => [name, format] as const),
  ),
);

/** The format that declares an endpoint; undefined for one that all formats share. */
export function findEndpointFormat(endpoint: string): IngestFormat | undefined {
  return FORMAT_BY_ENDPOINT.get(endpoint);
}

const TUNNEL_PATH = /\/(?<hash>[0-9a-z]{1,7})\/*$/;

/** True if a path looks like a managed tunnel; other paths may too, except Sentry's API. */
export function isTunnelCandidate(pathname: string): boolean {
  return TUNNEL_PATH.test(pathname) && !pathname.startsWith(SENTRY_API);
}

/**
 * The route of a managed tunnel if the path belongs to one of these DSNs. The DSN's key authorizes
 * it.
 */
export function findTunnelRoute(pathname: string, dsns: readonly string[]): IngestRoute | null {
  const hash = TUNNEL_PATH.exec(pathname)?.groups?.hash;
  return dsns.some((dsn) => toTunnelHash(dsn) === hash) ? { endpoint: "monitoring" } : null;
}

/**
 * The last path segment that Sentry's SDK 11 uses with `tunnel: true`: the DSN without its secret,
 * hashed by FNV-1a (32 bits over UTF-16 code units), in base 36.
 * Source: @sentry/core 11.12 `tunnel.js`.
 */
export function toTunnelHash(dsn: string): string {
  return fnv1a(dsn).toString(36);
}
