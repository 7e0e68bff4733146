/**
 * Thrown things that are no failures: redirects, "not found" and other signals of a framework, and the end of a
 * render that nobody waits for any more. They get no digest. Sources: Next.js 16 (`NEXT_*` and its static-generation
 * signals), React Router 8 in RSC mode, Waku 0.27; a thrown `Response` is Remix's and React Router's way to answer
 * early.
 */
import { hasProperties, readProperty, readString } from "../read-property.ts";

/** Abort a render with this reason (or an error that has it as its cause), and what it throws is no failure. */
export const ClientDisconnected: unique symbol = Symbol.for("errata.client-disconnected");

/** What the digests of control flow begin with. */
export const controlFlowNames: readonly string[] = [
  "NEXT_REDIRECT",
  "NEXT_HTTP_ERROR_FALLBACK",
  "NEXT_NOT_FOUND",
  "NEXT_PRERENDER_INTERRUPTED",
  "BAILOUT_TO_CLIENT_SIDE_RENDERING",
  "DYNAMIC_SERVER_USAGE",
  "HANGING_PROMISE_REJECTION",
  "REACT_ROUTER_ERROR",
  "__WAKU_CUSTOM_ERROR__",
];

/**
 * `NEXT_REDIRECT` for the digest `NEXT_REDIRECT;replace;/login;307;`; undefined when the digest is not control
 * flow's.
 */
export function findControlFlowName(digest: string): string | undefined {
  return controlFlowNames.find(
    (name) => digest.startsWith(name) && !/^\w/.test(digest.slice(name.length)),
  );
}

/**
 * True for what is thrown on purpose and is no failure: a digest of control flow, a thrown response that redirects or
 * is a 4xx, `ClientDisconnected`. An error that carries a status (an HTTP client's) is a failure. Never throws, even
 * for a proxy that does.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (thrown === ClientDisconnected) return true;
  if (!hasProperties(thrown)) return false;
  const digest = readString(thrown, "digest");
  return (
    (digest !== undefined && findControlFlowName(digest) !== undefined) ||
    readProperty(thrown, "cause") === ClientDisconnected ||
    isThrownResponse(thrown)
  );
}

function isThrownResponse(thrown: object): boolean {
  const status = readProperty(thrown, "status");
  if (typeof status !== "number" || status < 300 || status > 499) return false;
  return (
    hasProperties(readProperty(thrown, "headers")) && readString(thrown, "stack") === undefined
  );
}
