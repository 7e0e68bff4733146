/**
 * The paths that accept reports. All may have a prefix (a DSN with a path,
 * `https://key@app.example/_errata/1`, makes an SDK post to `/_errata/api/1/envelope/`), with or
 * without the slash at the end, and with doubled slashes, as old SDKs send them.
 *
 *     /monitoring            /monitoring/<project>                 any format
 *     /api/<project>/envelope | store | security | csp-report | nel   Sentry's, behind a key
 *     /api/<project>/minidump                                   a crashed process, as a form
 *     /api/embed/error-page?dsn=…                               the form of `showReportDialog`
 *     /v1/logs               /v1/traces                            OTLP/HTTP
 *     /<base 36>                                                   managed tunnel, Sentry SDK 11
 *
 * Source: Sentry develop docs › SDK › Overview § Parsing the DSN; relay-server/src/endpoints; OTLP
 * 1.x § OTLP/HTTP.
 */
import { fnv1a } from "../../core/fnv1a.ts";
import { parseDsnKey } from "./credentials.ts";

/** The kind of endpoint. */
type IngestEndpoint =
  | "monitoring"
  | "envelope"
  | "store"
  | "security"
  | "csp-report"
  | "nel"
  | "minidump"
  | "error-page"
  | "otlp-logs"
  | "otlp-traces";

/** An ingest path. `project` and `key` are as in the path and not validated. */
export interface IngestRoute {
  readonly endpoint: IngestEndpoint;
  readonly project?: string;
  readonly key?: string;
}

/** No project has the number 0. */
const SENTRY_API = "/api/0/";
const MONITORING_PATH = /(?:^|\/)monitoring(?:\/(?<project>[^/]+))?$/;
const SENTRY_PATH =
  /(?:^|\/)api\/(?<project>[^/]+)\/(?<endpoint>envelope|store|security|csp-report|nel|minidump)(?:\/(?<key>\w{8,64}))?$/;
const ERROR_PAGE_PATH = /(?:^|\/)api\/embed\/error-page$/;
const OTLP_PATH = /(?:^|\/)v1\/(?<signal>logs|traces)$/;

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
  const path = pathname.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");
  const sentry = SENTRY_PATH.exec(path)?.groups;
  if (sentry) {
    const { project = "", endpoint, key } = sentry;
    return { endpoint: endpoint as IngestEndpoint, project, ...(key !== undefined && { key }) };
  }
  if (ERROR_PAGE_PATH.test(path)) return parseErrorPageRoute(searchParams.get("dsn") ?? "");
  const signal = OTLP_PATH.exec(path)?.groups?.signal;
  if (signal !== undefined) return { endpoint: signal === "logs" ? "otlp-logs" : "otlp-traces" };
  const monitoring = MONITORING_PATH.exec(path);
  if (monitoring !== null) {
    const project = monitoring.groups?.project;
    return { endpoint: "monitoring", ...(project !== undefined && { project }) };
  }
  return null;
}

function parseErrorPageRoute(dsn: string): IngestRoute {
  const key = parseDsnKey(dsn);
  const project = /\/([^/?#]+)\/?$/.exec(dsn)?.[1];
  return {
    endpoint: "error-page",
    ...(project !== undefined && { project }),
    ...(key !== undefined && { key }),
  };
}

const TUNNEL_PATH = /\/(?<hash>[0-9a-z]{1,7})\/*$/;

/** True if a path looks like a managed tunnel; other paths may too. */
export function isTunnelCandidate(pathname: string): boolean {
  return TUNNEL_PATH.test(pathname);
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
