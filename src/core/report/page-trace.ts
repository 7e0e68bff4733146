/**
 * The traces of Errata's own pages: 32 hex characters that begin with a sign, so that of the many reports with a trace only those
 * that may be about such a page are looked at, and the others can be counted without their bodies.
 */

const PAGE_TRACE_PREFIX = "e44a7a5c";

/** A trace for one page, from 32 random hex characters. */
export function createPageTraceId(random: string): string {
  return PAGE_TRACE_PREFIX + random.slice(PAGE_TRACE_PREFIX.length);
}

/** True for a trace that one of Errata's own pages was sent with. */
export function isPageTraceId(traceId: string | undefined): boolean {
  return traceId?.startsWith(PAGE_TRACE_PREFIX) ?? false;
}
