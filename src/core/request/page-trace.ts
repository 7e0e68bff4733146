/**
 * Trace ids of Errata's own pages: 32 hex characters with a fixed prefix. The prefix distinguishes
 * the few reports about such pages, which are never sampled, from other reports with a trace.
 */

const PAGE_TRACE_PREFIX = "e44a7a5c";

/** A trace id for one page, from 32 random hex characters. */
export function createPageTraceId(random: string): string {
  return PAGE_TRACE_PREFIX + random.slice(PAGE_TRACE_PREFIX.length);
}

/** True for the trace id of a page that Errata rendered. */
export function isPageTraceId(traceId: string | undefined): boolean {
  return traceId?.startsWith(PAGE_TRACE_PREFIX) ?? false;
}
