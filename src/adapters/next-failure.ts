/** Names a failure of Next.js with the digest that Next.js has shown, whoever chose it. */

import { readProperty, readString } from "../core/read-property.ts";
import { readVinextHeader } from "./next-vinext.ts";
import { readTrace } from "./page-facts.ts";
import { type Facts, getErrata, isFailure, type Named, type NameOptions } from "./server.ts";
import { createWireReport } from "./wire-report.ts";

/** A named failure. */
export interface NamedFailure extends Named {
  /** The digest that the error had before, of an application or a framework. */
  readonly foreignDigest?: string | undefined;
}

/**
 * The digest that an error gets before its request is known. Nothing is sent. Undefined for what
 * React makes of an error of the server: its digest is lost, and another one would lead nowhere.
 */
export function computeDigest(error: object, route: string | undefined): string | undefined {
  if (OMITTED.test(readString(error, "message") ?? "")) return undefined;
  return getErrata().find(error)?.digest ?? createDigest(error, { route });
}

const OMITTED = /^Minified React error #441;|^An error occurred in the Server Components render\b/;

/**
 * Reports a failure once, with the digest that it has shown. Undefined for control flow, and for a
 * response that the client does not wait for.
 *
 * The digest of an engine's message contains the route, which is unknown while an edge runtime
 * renders. Such a report has its route as a tag, so that it belongs to the issue of the digest.
 */
export function nameFailure(
  thrown: unknown,
  facts: Facts,
  scope: object,
): NamedFailure | undefined {
  // Next.js fails with a response that a handler throws instead of returning it.
  const isSignal = !(thrown instanceof Response) && !isFailure(thrown);
  if (isSignal || readString(thrown, "name") === "ResponseAborted") return undefined;
  const errata = getErrata();
  const known = errata.find(thrown, scope);
  if (known !== undefined) return known;
  const options: NameOptions = { scope, waitUntil: findWaitUntil() };
  const shown = readString(thrown, "digest");
  if (shown === undefined) return errata.name(thrown, facts, options);
  const withoutRoute = { ...facts, route: "", tags: { ...facts.tags, route: facts.route } };
  const own = [facts, withoutRoute].find((one) => createDigest(thrown, one) === shown);
  if (own !== undefined) return errata.name(thrown, own, options);
  const named = errata.name(thrown, { ...facts, aliases: [shown] }, options);
  return { ...named, foreignDigest: shown };
}

function createDigest(thrown: unknown, facts: Facts): string {
  return createWireReport(thrown, facts, { id: "", atMs: 0 }).digest;
}

/** The header with which the proxy tells the trace of a request to the server behind it. */
export const TRACE_HEADER = "x-errata-trace";

/** The trace of a request: of the proxy, or of `traceparent`. Undefined without both. */
export function findTrace(read: (name: string) => unknown): string | undefined {
  const trace = read(TRACE_HEADER) ?? readVinextHeader(TRACE_HEADER);
  if (typeof trace === "string" && /^[\da-f]{32}$/.test(trace)) return trace;
  const traceparent = read("traceparent");
  return typeof traceparent === "string" ? readTrace(traceparent) : undefined;
}

/**
 * `waitUntil` of the platform, as Next.js itself finds it for `after`. Source: Next.js
 * documentation, "after", platform support; @opennextjs/cloudflare and vinext set the second.
 */
function findWaitUntil(): NameOptions["waitUntil"] {
  const next = readProperty(globalThis, Symbol.for("@next/request-context"));
  const cloudflare = readProperty(globalThis, Symbol.for("__cloudflare-context__"));
  try {
    const context = (next as RequestContexts | undefined)?.get() ?? readProperty(cloudflare, "ctx");
    const waitUntil = readProperty(context, "waitUntil");
    if (typeof waitUntil !== "function") return undefined;
    return (sending) => waitUntil.call(context, sending);
  } catch {
    return undefined;
  }
}

interface RequestContexts {
  readonly get: () => unknown;
}
