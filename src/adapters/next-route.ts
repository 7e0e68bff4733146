/**
 * Routes of Next.js: the one that it renders now, and the one that it tells its hook. The digest of
 * an engine's message contains the route, and Next.js asks for it before it calls its hook.
 */

import { readProperty, readString } from "../core/read-property.ts";
import { loadInstalled } from "./next-node-modules.ts";
import { findVinextRoute } from "./next-vinext.ts";

/** Where Next.js keeps the work of a request: a storage of the asynchronous context. */
const WORK_STORAGE = "next/dist/server/app-render/work-async-storage.external.js";

interface WorkStorage {
  readonly getStore: () => unknown;
}

/** Each bundle has its own copy of this module. */
const STORAGE: unique symbol = Symbol.for("errata.next-work");
const shared = globalThis as { [STORAGE]?: WorkStorage | undefined };

/** Finds the storage. It is that of Next.js 15 and 16 on Node.js; others have no route. */
export function watchRoutes(): void {
  shared[STORAGE] ??= readProperty(loadInstalled(WORK_STORAGE), "workAsyncStorage") as
    | WorkStorage
    | undefined;
}

/** The pattern of the route, `/cart/[id]`. Undefined if it is unknown. */
export function findRenderedRoute(): string | undefined {
  return readString(shared[STORAGE]?.getStore(), "route") ?? findVinextRoute();
}

/** What Next.js tells its hook about the route. */
interface RouteOfHook {
  readonly routerKind: string;
  readonly routeType: string;
  readonly routePath: string;
}

/**
 * `/cart/[id]` for `/(shop)/cart/[id]/page`: without the parts that are not in the URL. A route
 * handler of the Edge runtime has the same form, but the name of the other router. `path` is that of
 * the request.
 */
export function toRoute({ routerKind, routeType, routePath }: RouteOfHook, path: string): string {
  if (routerKind !== "App Router" && routeType !== "route") return routePath;
  const isInUrl = path.replace(/\/?(?:\?.*)?$/s, "").endsWith(routePath);
  const segments = (isInUrl ? routePath : routePath.replace(/\/(?:page|route)$/, "")).split("/");
  return segments.filter((segment) => !/^(?:\(.*\)|@.*)$/.test(segment)).join("/") || "/";
}
