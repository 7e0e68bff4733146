/**
 * The route that Next.js renders now. The digest of an engine's message contains the route, and
 * Next.js asks for the digest before it calls its hook.
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
