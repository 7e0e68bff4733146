/**
 * Carries the trace of an invocation: from its request, to its subrequests and to the objects and
 * services that it calls with `fetch`, and to the browser. Calls of RPC methods have no headers.
 */

import { hasProperties, readProperty } from "../core/read-property.ts";
import { createTrace, formatPageFacts, PAGE_FACTS_HEADER } from "./page-facts.ts";
import {
  addTokenToReports,
  findOnlyPolicy,
  type NewHeader,
  type ReadResponseHeader,
} from "./page-policy.ts";
import { getInvocation, type Invocation } from "./worker-invocation.ts";
import { stubPrototype } from "./worker-runtime.ts";

const TRACE_HEADER = "traceparent";

type FetchArguments = Parameters<typeof fetch>;

/** Makes every `fetch` of an invocation carry its trace, unless the caller sets one. */
export function propagateTraces(): void {
  for (const target of [globalThis, stubPrototype]) {
    const original = readProperty(target, "fetch");
    if (!hasProperties(target) || typeof original !== "function") continue;
    Reflect.set(target, "fetch", function (this: unknown, ...[input, init]: FetchArguments) {
      return Reflect.apply(original, this, [input, addTrace(input, init)]);
    });
  }
}

function addTrace(input: FetchArguments[0], init: FetchArguments[1]): FetchArguments[1] {
  const invocation = getInvocation();
  if (invocation === undefined || invocation.setup.options.propagate === false) return init;
  try {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : []));
    if (headers.has(TRACE_HEADER)) return init;
    headers.set(TRACE_HEADER, `00-${invocation.setup.trace}-${createTrace().slice(16)}-01`);
    return { ...init, headers };
  } catch {
    // The headers are invalid, and `fetch` says so.
    return init;
  }
}

const PAGE = /^text\/html\b/i;
const DATA = /^application\/(?:[\w.-]+\+)?json\b/i;
const SHARED = /\bpublic\b|\bs-maxage\b/i;
const FIRST_FAILURE = 500;

/**
 * The response of a request with the digest of a failure if its status is one and, unless it is
 * that of an object (`isInner`), with the trace and, for HTML, the token of its page. Streams and
 * WebSockets stay as they are. Never rejects.
 */
export async function addPageFacts(
  response: Response,
  invocation: Invocation,
  { url, isInner }: { readonly url: string; readonly isInner: boolean },
): Promise<Response> {
  try {
    const type = response.headers.get("content-type") ?? "";
    const digest = response.status >= FIRST_FAILURE ? invocation.named?.digest : undefined;
    const isPage = PAGE.test(type) && !isInner;
    const isTold = isPage || digest !== undefined || (DATA.test(type) && !isInner);
    if (!isTold) return response;
    const trace = isInner ? undefined : invocation.setup.trace;
    const before = response.headers.get(PAGE_FACTS_HEADER)?.replace(isInner ? "" : INNER_FACTS, "");
    const read = (name: string) => (name === TIMING ? before : response.headers.get(name));
    const token = isPage ? await signPage(invocation, new URL(url).origin, read) : undefined;
    const all = [before, formatPageFacts({ digest, trace, token })].filter(Boolean).join(", ");
    return setHeaders(response, [
      [PAGE_FACTS_HEADER, all],
      ...addTokenToReports(token, read, invocation.errata),
    ]);
  } catch {
    return response;
  }
}

function signPage({ errata, setup }: Invocation, origin: string, read: ReadResponseHeader) {
  const isShared = SHARED.test(String(read("cache-control") ?? ""));
  return errata.sign({ trace: setup.trace, origin, isShared, policy: findOnlyPolicy(read) });
}

const TIMING = PAGE_FACTS_HEADER.toLowerCase();

/** The facts of a Worker behind this one, which knows neither the origin nor the first trace. */
const INNER_FACTS = /(?:^|,\s*)errata-(?:trace|token);desc="[^"]*"/g;

/** The headers of a response that was fetched cannot be changed. */
function setHeaders(response: Response, added: readonly NewHeader[]): Response {
  try {
    for (const [name, value] of added) response.headers.set(name, value);
    return response;
  } catch {
    const copy = new Response(response.body, response);
    for (const [name, value] of added) copy.headers.set(name, value);
    return copy;
  }
}
