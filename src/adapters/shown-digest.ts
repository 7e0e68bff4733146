/**
 * Finds the digest that a notice shows, and the receipt behind it, without the modules that compute
 * digests: a notice is also shown in browsers.
 */

import type { CaptureDetails, CaptureSource, ReporterFacts } from "../client/reporter.ts";
import { readServerTiming } from "./browser/server-timing.ts";

/** The instance of `errata/server`, where it runs. */
interface ServerInstance {
  readonly find: (thrown: unknown) => { readonly digest: string } | undefined;
  readonly toReceiptUrl: (digest: string) => string | undefined;
}

/** Reports an error once. */
type Report = (how: CaptureSource, thrown: unknown, details?: CaptureDetails) => unknown;

/** Where the parts of the package find each other, whichever bundle they are in. */
const shared = globalThis as {
  /** Set by `errata/server`. */
  [SERVER]?: ServerInstance;
  /** The browser reporter. */
  __errata?: ReporterFacts & Report;
};
/**
 * Where the instance of `errata/server` is. Frameworks load their parts as separate bundles, each
 * with its own copy of a module, and all must find one instance.
 */
export const SERVER: unique symbol = Symbol.for("errata.instance");

/** Digests of Errata. Others are codes of a framework, which have no receipt. */
const OWN_DIGEST = /^[\dA-Z]{4}-[\dA-Z]{4}$/;

/**
 * The digest of an error: its own, or that which `errata/server` gave it. Undefined if it has none.
 * Never throws.
 */
export function findOwnDigest(error: unknown): string | undefined {
  return (
    attempt(() => toText((error as { digest?: unknown }).digest)) ??
    attempt(() => shared[SERVER]?.find(error)?.digest)
  );
}

/**
 * The digest of an error: its own or, in a browser, one of the page, whose server failed before. The
 * reporter has the digests of the markup too, and gives each to one error. Undefined if no server
 * failed. Never throws.
 */
export function findShownDigest(error?: unknown): string | undefined {
  const findPageDigest = shared.__errata?.find ?? (() => readServerTiming("digest"));
  return findOwnDigest(error) ?? attempt(() => findPageDigest(error));
}

/** Reports what a boundary caught, if the page has a reporter. Further calls do nothing. */
export function reportCaught(error: unknown, details?: CaptureDetails): void {
  attempt(() => shared.__errata?.("caught", error, details));
}

/** The receipt of a digest; undefined for a framework's code and without an address. */
export function findReceiptUrl(digest: string): string | undefined {
  if (!OWN_DIGEST.test(digest)) return undefined;
  return (
    // A path is on the page's own origin, which forwards reports only.
    attempt(() => `${new URL(shared.__errata?.to ?? "").origin}/e/${digest}`) ??
    attempt(() => shared[SERVER]?.toReceiptUrl(digest))
  );
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
