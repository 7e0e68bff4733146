/**
 * Shows a digest in place of an error. React Router replaces each `Error` by one that says
 * "Unexpected Server Error", on first load, in soft navigations and after actions, but passes route
 * error responses to `ErrorBoundary` as they are. So an error looks like such a response while
 * React Router serialises it, which it does before the next microtask, and is itself again then.
 */

import { hasProperties, readProperty } from "../core/read-property.ts";
import { formatShownMessage, isDevelopment } from "./shown-error.ts";

/** What `ErrorBoundary` gets: `isRouteErrorResponse` is true for it. */
export interface ShownResponse {
  readonly status: number;
  /** Has the digest too, as the message, for boundaries that show nothing else. */
  readonly statusText: string;
  readonly message: string;
  readonly internal: boolean;
  /** A text, because many boundaries render it. */
  readonly data: string;
  readonly digest: string;
}

/** What a loader threw as `data(…)`, or a "not found" of React Router. */
interface RouteResponse {
  readonly status: number;
  readonly statusText: string;
  /** What React Router describes with it. */
  readonly error?: unknown;
  readonly digest?: string;
}

/** True for what `isRouteErrorResponse` of React Router is true for. */
export function isRouteResponse(thrown: unknown): thrown is RouteResponse {
  return (
    typeof readProperty(thrown, "status") === "number" &&
    typeof readProperty(thrown, "statusText") === "string" &&
    typeof readProperty(thrown, "internal") === "boolean"
  );
}

/** The part of React Router's `EntryContext` that a render reads errors and routes from. */
export interface RouterContext {
  readonly staticHandlerContext: {
    errors: Record<string, unknown> | null;
    readonly loaderData?: unknown;
    readonly matches: readonly { readonly route: { readonly path?: string | undefined } }[];
  };
}

/** Errors that looked like a response, and what they are shown as. */
const shown = new WeakMap<object, ShownResponse>();

/** Only `withErrata` can give a render the same error as the browser. */
let isEnabled = false;

/** Sets whether digests are shown. In development, React Router shows errors as they are. */
export function configureShownErrors(areShown: boolean): void {
  isEnabled = areShown && !isDevelopment();
}

/** Shows `digest` in place of the error. A frozen error and the like stay as they are. */
export function showDigest(error: unknown, digest: string): void {
  if (!isEnabled) return;
  const message = formatShownMessage(digest);
  const response: ShownResponse = {
    ...{ status: 500, statusText: message, message },
    ...{ internal: false, data: "", digest },
  };
  try {
    if (!(error instanceof Error)) return;
    const restore = disguise(error, response);
    if (restore === undefined) return;
    shown.set(error, response);
    queueMicrotask(restore);
  } catch {
    // A proxy. React Router sanitises it.
  }
}

/** Makes the error look like the response. Undefined for a frozen error and the like. */
function disguise(error: Error, response: ShownResponse): (() => void) | undefined {
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(error);
  const looks: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(response);
  const prototype: object | null = Object.getPrototypeOf(error);
  const define = (members: PropertyDescriptorMap, change?: PropertyDescriptor) =>
    Object.entries(members).every(([name, one]) =>
      Reflect.defineProperty(error, name, { ...one, ...change }),
    );
  const restore = () => {
    for (const name of Object.keys(looks))
      if (!Object.hasOwn(own, name)) Reflect.deleteProperty(error, name);
    define(own);
    Reflect.setPrototypeOf(error, prototype);
  };
  const isDone =
    // First what must not be sent: React Router sends the members of an object.
    define(own, { enumerable: false }) &&
    Reflect.setPrototypeOf(error, Object.prototype) &&
    define(looks);
  if (isDone) return restore;
  restore();
  return undefined;
}

/** Gives the render of a page what the browser gets. The errors themselves are intact. */
export function replaceErrors({ staticHandlerContext: context }: RouterContext): void {
  if (!hasProperties(context.errors)) return;
  const entries = Object.entries(context.errors).map(([route, error]) => [
    route,
    hasProperties(error) ? (shown.get(error) ?? error) : error,
  ]);
  context.errors = Object.fromEntries(entries);
}
