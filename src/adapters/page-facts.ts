/**
 * What the server tells the browser about a page, in `Server-Timing`: the digest of its failure,
 * the trace of the request and the page token. It is the one channel that documents and data
 * requests of every framework have. The browser reporter reads it.
 */

import { toHex } from "../core/hex.ts";

/** Facts about a served page. */
export interface PageFacts {
  readonly digest?: string | undefined;
  readonly trace?: string | undefined;
  readonly token?: string | undefined;
}

/** Repeated in `browser/server-timing.ts`, where an import would cost bytes. */
const ENTRY_PREFIX = "errata-";

/** The name of the header. */
export const PAGE_FACTS_HEADER = "Server-Timing";

/** The value of the header: `errata-digest;desc="7F3K-Q2M9", errata-trace;desc="…"`. */
export function formatPageFacts(facts: PageFacts): string {
  const { digest, trace, token } = facts;
  return Object.entries({ digest, trace, token })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${ENTRY_PREFIX}${name};desc="${value}"`)
    .join(", ");
}

/**
 * The value of the header with these facts, in the form of `formatPageFacts`. A fact that it has
 * stays as it is: an inner application has answered, or the response to a failure replaces another.
 */
export function joinPageFacts(before: unknown, facts: string): string {
  const known = Array.isArray(before) ? before.join(", ") : String(before ?? "");
  const added = facts.split(", ").filter((fact) => !known.includes(fact.split(";", 1)[0] ?? fact));
  return [known, ...added].filter((timing) => timing !== "").join(", ");
}

/** A fact in the value of a header; undefined if it has none. */
export function readPageFact(
  timing: string | null | undefined,
  name: keyof PageFacts,
): string | undefined {
  const entry = new RegExp(`(?:^|[\\s,])${ENTRY_PREFIX}${name}\\s*;\\s*desc="?([\\w-]{1,64})`);
  return entry.exec(timing ?? "")?.[1];
}

/**
 * The trace id of a request, 32 hexadecimal digits: that of its `traceparent`, else a new one.
 * Source: W3C Trace Context, section 3.2.2.
 */
export function readTrace(traceparent: string | null | undefined): string {
  const [, trace] =
    /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent ?? "") ?? [];
  return trace !== undefined && !/^0+$/.test(trace) ? trace : createTrace();
}

/** A new trace id. */
export function createTrace(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
