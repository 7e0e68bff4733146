/**
 * `errata/sveltekit`: the hooks of `src/hooks.server.ts`. A failure has a digest in `page.error`,
 * in its message, and in `Server-Timing`. SvelteKit 2 names no `kind`: the status tells it.
 */

import { readProperty, readString } from "../core/read-property.ts";
import { addPageFacts, getServedRequest, nameFailure } from "./served-request.ts";
import type { NameOptions } from "./server.ts";
import { formatShownMessage } from "./shown-error.ts";

/** What the adapter reads of SvelteKit's `RequestEvent`. */
interface RequestEvent {
  readonly request: Request;
  /** Without the suffix of a data request. */
  readonly url: URL;
  readonly route: { readonly id: string | null };
  readonly isDataRequest: boolean;
  readonly isRemoteRequest?: boolean;
  readonly platform?: unknown;
}

/** What SvelteKit gives to `handleError`. */
interface HandleErrorInput {
  readonly error: unknown;
  readonly event: RequestEvent;
  readonly kind?: string;
  readonly status?: number;
}

/** What a page gets of a failure. Declare `digest?: string` in `App.Error`. */
interface ShownError {
  message?: string;
  digest?: string;
}

/** `handle` of SvelteKit. It comes first: `sequence(handle, yours)`. */
export async function handle<Event extends RequestEvent>(input: {
  event: Event;
  resolve: (event: Event) => Response | Promise<Response>;
}): Promise<Response> {
  return addPageFacts(await input.resolve(input.event), input.event.request);
}

/** `handleError` of SvelteKit, which also logs the error. */
export function handleError(input: HandleErrorInput): ShownError {
  const shown = nameCaught(input);
  if (shown.digest !== undefined) console.error(shown.digest, input.error);
  return shown;
}

/**
 * `handleError` for an application that has one: `own` gets the digest too, and what it returns is
 * shown besides the digest.
 */
export function withDigest<Input extends HandleErrorInput, Own extends object>(
  own: (input: Input & { digest?: string }) => Own | undefined | Promise<Own | undefined>,
): (input: Input) => (ShownError & Partial<Own>) | Promise<ShownError & Partial<Own>> {
  return (input) => {
    const shown = nameCaught(input);
    const add = (owned: Own | undefined) => ({ ...shown, ...owned }) as ShownError & Partial<Own>;
    const owned = own({ ...input, digest: shown.digest });
    // SvelteKit shows the failure of a component only if the hook answers at once.
    return owned instanceof Promise ? owned.then(add) : add(owned);
  };
}

/** Empty for what is no failure: a 4xx, or a request that the visitor has left. */
function nameCaught({ error, event, kind, status = 500 }: HandleErrorInput): ShownError {
  const { request, url, route } = event;
  const isUnknown = kind === undefined || kind === "unknown";
  const thrownStatus = isUnknown ? status : Number(readProperty(error, "status"));
  if (!(thrownStatus >= 500) || request.signal.aborted) return {};
  const how = event.isRemoteRequest ? "remote" : event.isDataRequest ? "data" : "request";
  // The answer to a script says 200, whatever it contains.
  const answered = how === "request" ? thrownStatus : 200;
  const facts = {
    how,
    route: route.id ?? undefined,
    request: { url: url.href },
    status: getServedRequest(request).status ?? answered,
  };
  const thrown = isUnknown ? error : toHttpError(error);
  const { digest } = nameFailure(thrown, request, facts, findWaitUntil(event.platform));
  return isUnknown ? { message: formatShownMessage(digest), digest } : { digest };
}

/** What `error(503, "…")` throws has neither a name nor a stack. */
function toHttpError(body: unknown): object {
  return { name: "HttpError", message: readString(body, "message") ?? "" };
}

/** Of the adapter for Cloudflare. */
function findWaitUntil(platform: unknown): NameOptions["waitUntil"] {
  const context = readProperty(platform, "ctx") ?? readProperty(platform, "context");
  const waitUntil = readProperty(context, "waitUntil");
  return typeof waitUntil === "function"
    ? (sending) => waitUntil.call(context, sending)
    : undefined;
}
