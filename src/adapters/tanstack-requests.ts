/** What the adapter of TanStack Start knows of the request that is being served, and its route. */

import { hasProperties, readProperty, readString } from "../core/read-property.ts";
import { nameFailure } from "./served-request.ts";
import { getErrata, isFailure } from "./server.ts";
import { type SentError, toShownError } from "./tanstack-errors.ts";
import type { Facts } from "./wire-report.ts";

/** The part of TanStack's router that is read. */
export interface Router {
  readonly latestLocation: unknown;
  readonly matchRoutes: (location: never) => readonly unknown[];
  readonly state: { readonly matches: readonly unknown[] };
}

/** Where TanStack Start keeps the request that is being served, in every bundle. */
const STORAGE: unique symbol = Symbol.for("tanstack-start:start-storage-context");

/** What TanStack Start keeps there. */
interface StartContext {
  readonly request?: Request;
  /** `router` or `serverFn`. */
  readonly handlerType?: string;
}

const routers = new WeakMap<Request, Router>();

/** The request that is being served; without members in an unknown version of TanStack Start. */
export function getStartContext(): StartContext {
  const storage = (globalThis as { [STORAGE]?: { getStore?: () => StartContext | undefined } })[
    STORAGE
  ];
  return storage?.getStore?.() ?? {};
}

/** Keeps the router of the request that is being served. */
export function recordRouter(router: Router): void {
  const { request } = getStartContext();
  if (request !== undefined) routers.set(request, router);
}

/** True if the page of the request shows this error, which a loader or `beforeLoad` threw. */
export function hasFailed(request: Request | undefined, error: unknown): boolean {
  const matches = request && attempt(() => routers.get(request)?.state.matches);
  return matches?.some((match) => readProperty(match, "error") === error) ?? false;
}

/** What was sent of errors. */
const sentErrors = new WeakMap<object, SentError>();

/** Keeps what was sent of an error. */
export function recordSent(error: object, sent: SentError): void {
  sentErrors.set(error, sent);
}

/**
 * Gives the render of a page what the browser gets of its errors: a page may show the message. What
 * is no `Error` has not been named before.
 */
export function replaceErrors({ state }: Router, request: Request): void {
  for (const match of state.matches) {
    if (readProperty(match, "status") !== "error") continue;
    const error = readProperty(match, "error");
    const sent = hasProperties(error) ? sentErrors.get(error) : undefined;
    if (sent === undefined) nameThrown(error, request, { how: "loader", status: 500 });
    else Object.assign(match as object, { error: toShownError(sent, error) });
  }
}

let isPublic: (error: Error) => boolean = () => false;

/** Sets which errors are no failures, because pages may show their messages. */
export function configurePublicErrors(isPublicError: typeof isPublic): void {
  isPublic = isPublicError;
}

/** True for an error whose message pages may show. */
export function isPublicError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && attempt(() => isPublic(thrown)) === true;
}

/**
 * Names a failure; undefined for what is none: a redirect, "not found", an error that pages may
 * show, an aborted request.
 */
export function nameThrown(
  thrown: unknown,
  request: Request | undefined,
  facts: Facts,
): string | undefined {
  if (!isFailure(thrown) || isPublicError(thrown)) return undefined;
  if (readProperty(thrown, "isNotFound") === true) return undefined;
  if (request === undefined) return getErrata().name(thrown, facts).digest;
  if (request.signal.aborted) return undefined;
  return nameFailure(thrown, request, { route: findRoute(request), ...facts }).digest;
}

/** `/cart/$id`. */
function findRoute(request: Request): string | undefined {
  const router = routers.get(request);
  const matches = attempt(() => router?.matchRoutes(router.latestLocation as never));
  const deepest = matches?.at(-1);
  return hasProperties(deepest) ? readString(deepest, "fullPath") : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
