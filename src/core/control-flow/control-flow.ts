/**
 * Thrown values that are not failures: redirects, "not found" and other signals of a framework, and
 * renders aborted because the client disconnected. They get no digest. Sources: Next.js 16
 * (`NEXT_*` and its static-generation signals), React Router 8 in RSC mode, Waku 0.27. Remix and
 * React Router throw a `Response` to respond early.
 */
import { hasProperties, readProperty, readString } from "../read-property.ts";

/**
 * An abort reason for renders. Errors that are this value or have it as their cause are not
 * failures.
 */
export const ClientDisconnected: unique symbol = Symbol.for("errata.client-disconnected");

/** Prefixes of control-flow digests. */
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
 * `NEXT_REDIRECT` for the digest `NEXT_REDIRECT;replace;/login;307;`; undefined for a digest that
 * is not control flow.
 */
export function findControlFlowName(digest: string): string | undefined {
  return controlFlowNames.find((name) => {
    const next = digest.charAt(name.length);
    return digest.startsWith(name) && (next === "" || ";:@".includes(next));
  });
}

/**
 * True for the digest of a signal that is not a failure. The signals of React Router and Waku have
 * a status, and one of 500 or above is a failure.
 */
export function isControlFlowDigest(digest: string): boolean {
  const name = findControlFlowName(digest);
  return name !== undefined && !SERVER_FAILURE.test(digest.slice(name.length).slice(0, 100));
}

const SERVER_FAILURE = /^[:;](?:[A-Z_]{1,40}:)?\{"status":5\d\d\b/;

/**
 * True for a thrown value that is not a failure: a control-flow digest, a thrown response that
 * redirects or is a 4xx, `ClientDisconnected`. An error that carries a status (of an HTTP client)
 * is a failure. Never throws, even for a proxy that does.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (thrown === ClientDisconnected) return true;
  if (!hasProperties(thrown)) return false;
  const digest = readString(thrown, "digest");
  return (
    (digest !== undefined && isControlFlowDigest(digest)) ||
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
