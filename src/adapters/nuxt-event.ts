/**
 * What the adapter of Nuxt knows of a request. The render of a page and Nitro have their own copies
 * of the adapter, so it is kept in the event that both get.
 */

import { formatPageFacts, PAGE_FACTS_HEADER, type PageFacts, readTrace } from "./page-facts.ts";
import type { NameOptions } from "./server.ts";

/** What the adapter reads of h3's event, and what it keeps there. */
export interface NuxtEvent {
  readonly method: string;
  readonly path: string;
  readonly node: {
    readonly req: { readonly headers: Record<string, unknown> };
    readonly res: {
      readonly headersSent: boolean;
      readonly getHeader?: (name: string) => unknown;
      readonly setHeader: (name: string, value: string) => unknown;
    };
  };
  readonly context: { errata?: EventFacts; readonly matchedRoute?: { readonly path: string } };
  readonly waitUntil?: NameOptions["waitUntil"];
}

/** The facts of a request: those that its page gets, and those that a report gets. */
export interface EventFacts extends PageFacts {
  /** The pattern of the page. */
  readonly route?: string | undefined;
  /** What the render threw. Nitro gets an error that Nuxt made of it. */
  readonly thrown?: { readonly value: unknown };
}

/**
 * The facts of a request. The first call decides its trace, which the requests of a page to its own
 * API have, too: Nuxt gives them the headers of the page's request.
 */
export function getEventFacts(event: NuxtEvent): EventFacts {
  const { headers } = event.node.req;
  if (event.context.errata === undefined) {
    const trace = readTrace(String(headers.traceparent));
    headers.traceparent ??= `00-${trace}-${trace.slice(0, 16)}-00`;
    event.context.errata = { trace };
  }
  return event.context.errata;
}

/** Adds facts of a request. Those of the page are sent in `Server-Timing`. */
export function addEventFacts(event: NuxtEvent, facts: EventFacts): void {
  const known = { ...getEventFacts(event), ...facts };
  event.context.errata = known;
  const { res } = event.node;
  // An error page is rendered by a request of its own, whose headers would replace the others.
  if (res.headersSent || event.path.startsWith("/__nuxt_error")) return;
  const { digest, trace, token } = known;
  const timings = String(res.getHeader?.(PAGE_FACTS_HEADER) ?? "").split(/,\s*/);
  const others = timings.filter((timing) => timing !== "" && !timing.startsWith("errata-"));
  const own = formatPageFacts({ digest, trace, token });
  res.setHeader(PAGE_FACTS_HEADER, [...others, own].join(", "));
}
