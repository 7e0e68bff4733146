/** Names the failures of Nuxt's server: what Nitro and the render of a page share. */

import { hasProperties, readProperty, readString } from "../core/read-property.ts";
import { addEventFacts, type EventFacts, getEventFacts, type NuxtEvent } from "./nuxt-event.ts";
import { getErrata } from "./server.ts";
import { formatShownMessage, isDevelopment } from "./shown-error.ts";

/** What Nuxt makes of a thrown value: an `H3Error`. */
export interface NuxtError {
  message: string;
  data?: unknown;
  readonly statusCode?: number;
  readonly stack?: string;
  readonly cause?: unknown;
  /** Nuxt shows neither message nor data. */
  readonly unhandled?: boolean;
}

/**
 * Gives an error its digest, in `data.digest` and, unless the application wrote the message, in the
 * message. The answer of an API that was named before has its digest already.
 */
export function nameNuxtError(
  error: NuxtError,
  event: NuxtEvent,
  facts: { readonly how: string; readonly status: number },
): void {
  const { route = event.context.matchedRoute?.path, trace, thrown } = getEventFacts(event);
  const named = readString(error.data, "digest");
  // Another service may name failures, too, but not on this Errata.
  if (named && getErrata().toReceiptUrl(named) === readProperty(error.data, "instance")) {
    addEventFacts(event, { digest: named });
    return;
  }
  const original = findThrown(error, thrown);
  const { method, path } = event;
  const request = { method, url: path, headers: event.node.req.headers };
  const { digest } = getErrata().name(
    original,
    { ...facts, request, route, trace },
    { scope: event, waitUntil: event.waitUntil?.bind(event) },
  );
  const isOwn = original === error && !error.unhandled;
  if (!error.unhandled && !isDevelopment()) console.error(digest, original);
  if (!isOwn && !isDevelopment()) error.message = formatShownMessage(digest);
  if (error.data === undefined || isRecord(error.data)) error.data = { ...error.data, digest };
  addEventFacts(event, { digest });
}

/** What was thrown, if Nuxt made the error of it; else the error. */
function findThrown(error: NuxtError, recorded: EventFacts["thrown"]): unknown {
  if (recorded !== undefined && readMessage(recorded.value) === error.message)
    return recorded.value;
  const { cause, unhandled, stack = "" } = error;
  const isWrapped = readString(cause, "stack") !== undefined;
  if (isWrapped && readMessage(cause) === error.message) return cause;
  const [name] = /^\w+Error(?=: )/.exec(stack) ?? [];
  // The cause is that of the thrown error, which is lost, but for its message and its stack.
  return unhandled && name !== undefined ? Object.create(error, { name: { value: name } }) : error;
}

function isRecord(data: unknown): data is object {
  return hasProperties(data) && !Array.isArray(data);
}

function readMessage(thrown: unknown): unknown {
  return typeof thrown === "string" ? thrown : readProperty(thrown, "message");
}
