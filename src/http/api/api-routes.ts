/**
 * The routes of `/api/v1`: each operation at the method and path that it declares. Built when the
 * first request arrives.
 */
import { type Operation, parseRoute } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";

/** A matched route. */
export interface ApiRoute {
  readonly reason?: never;
  readonly operation: Operation;
  /** Members of the input that are in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** No operation has the path, or the path has other methods. */
type ApiRouteFailure =
  | { readonly reason: "not-found"; readonly what: "resource" }
  | { readonly reason: "method-not-allowed"; readonly allow: readonly string[] };

interface Pattern {
  readonly method: string;
  readonly segments: readonly string[];
  readonly operation: Operation;
}

let patterns: readonly Pattern[] | undefined;

/** The operation of a request. `path` begins after `/api/v1`. A HEAD request reads. */
export function matchApiRoute(method: string, path: string): ApiRoute | ApiRouteFailure {
  patterns ??= OPERATIONS.map(toPattern);
  const segments = path.split("/").slice(1);
  const matches = patterns.filter((pattern) => hasPattern(pattern.segments, segments));
  const wanted = method === "HEAD" ? "GET" : method;
  const found = matches.find((pattern) => pattern.method === wanted);
  if (found !== undefined)
    return { operation: found.operation, params: readParams(found.segments, segments) };
  if (matches.length === 0) return { reason: "not-found", what: "resource" };
  const allow = [...new Set(matches.map((pattern) => pattern.method))];
  return {
    reason: "method-not-allowed",
    allow: allow.includes("GET") ? [...allow, "HEAD"] : allow,
  };
}

function toPattern(operation: Operation): Pattern {
  const { method, path } = parseRoute(operation);
  return { method, segments: path.split("/").slice(1), operation };
}

/** The name of the parameter in a segment such as `{digest}`. */
function toParam(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

/** Only the last parameter may contain slashes: names of releases do. */
function hasPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = toParam(pattern.at(-1) ?? "") === "name";
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every(
    (part, at) => part === segments[at] || (toParam(part) !== undefined && segments[at] !== ""),
  );
}

function readParams(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pattern.flatMap((part, at) => {
      const name = toParam(part);
      if (name === undefined) return [];
      const isLast = at === pattern.length - 1;
      return [[name, decode(isLast ? segments.slice(at).join("/") : (segments[at] ?? ""))]];
    }),
  );
}

/** The text itself if its escapes are invalid. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
