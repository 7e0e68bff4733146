/**
 * The paths at which reports are taken. All of them may stand behind a prefix (a DSN with a path,
 * `https://key@app.example/_errata/1`, makes an SDK post to `/_errata/api/1/envelope/`), with or without the slash at the
 * end, and with doubled slashes, as old SDKs send them.
 *
 *     /monitoring            /monitoring/<project>                 anything; told apart by its body
 *     /api/<project>/envelope | store | security | csp-report | nel   Sentry's, behind a key
 *     /v1/logs               /v1/traces                            OTLP/HTTP
 *     /<base 36>                                                   the managed tunnel of Sentry's SDK 11
 *
 * Source: Sentry develop docs › SDK › Overview § Parsing the DSN; relay-server/src/endpoints; OTLP 1.x § OTLP/HTTP.
 */
import { fnv1a } from "../core/fnv1a.ts";

/** What a path is for. */
export type Endpoint =
  | "monitoring"
  | "envelope"
  | "store"
  | "security"
  | "csp-report"
  | "nel"
  | "otlp-logs"
  | "otlp-traces";

/** A path that takes reports. `project` and `key` are there when the path names them, undecided whether they exist. */
export interface ReportingRoute {
  readonly endpoint: Endpoint;
  readonly project?: string;
  readonly key?: string;
}

const MONITORING = /(?:^|\/)monitoring(?:\/(?<project>[^/]+))?$/;
const SENTRY =
  /(?:^|\/)api\/(?<project>[^/]+)\/(?<endpoint>envelope|store|security|csp-report|nel)(?:\/(?<key>\w{8,64}))?$/;
const OTLP = /(?:^|\/)v1\/(?<signal>logs|traces)$/;

/** What the path is for, or null when it is not for reports: then it may still be a managed tunnel (`tunnelOf`). */
export function reportingRoute(pathname: string): ReportingRoute | null {
  const path = pathname.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");
  const sentry = SENTRY.exec(path)?.groups;
  if (sentry) {
    const { project = "", endpoint, key } = sentry;
    return { endpoint: endpoint as Endpoint, project, ...(key !== undefined && { key }) };
  }
  const signal = OTLP.exec(path)?.groups?.signal;
  if (signal !== undefined) return { endpoint: signal === "logs" ? "otlp-logs" : "otlp-traces" };
  const monitoring = MONITORING.exec(path);
  if (monitoring !== null) {
    const project = monitoring.groups?.project;
    return { endpoint: "monitoring", ...(project !== undefined && { project }) };
  }
  return null;
}

const TUNNEL = /\/(?<hash>[0-9a-z]{1,7})\/*$/;

/** True when a path ends as a managed tunnel does; other paths may. */
export function mayBeTunnel(pathname: string): boolean {
  return TUNNEL.test(pathname);
}

/** The route of a managed tunnel, when the path is that of one of these DSNs; it is the SDK's key that opens it. */
export function tunnelOf(pathname: string, dsns: readonly string[]): ReportingRoute | null {
  const hash = TUNNEL.exec(pathname)?.groups?.hash;
  return dsns.some((dsn) => managedTunnel(dsn) === hash) ? { endpoint: "monitoring" } : null;
}

/**
 * The last segment of the path that Sentry's SDK 11 posts to with `tunnel: true`: the DSN without its secret, hashed by
 * FNV-1a (32 bits over UTF-16 code units), in base 36. Source: @sentry/core 11.12 `tunnel.js`.
 */
export function managedTunnel(dsn: string): string {
  return fnv1a(dsn).toString(36);
}
