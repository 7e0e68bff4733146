/**
 * What the runtime of Workers offers besides the web platform. All of it needs the compatibility
 * flag `nodejs_compat`; without it, errors are named and traces are not passed on.
 */

import { hasProperties, readProperty } from "../core/read-property.ts";
import { loadBuiltin } from "./builtin-module.ts";

const workers = loadBuiltin("cloudflare:workers");

/** What all service bindings and stubs of Durable Objects inherit from. */
export const stubPrototype = readProperty(readProperty(workers, "ServiceStub"), "prototype");

/** The bindings of the Worker. */
export function getBindings(): unknown {
  return readProperty(workers, "env");
}

/** Keeps the current invocation alive until the task ends. */
export function waitUntil(task: Promise<unknown>): void {
  const wait = readProperty(workers, "waitUntil");
  if (typeof wait === "function") wait(task);
}

/** A value that everything in a call can read, also after it has waited. */
interface Storage<T> {
  readonly run: <R>(value: T, call: () => R) => R;
  readonly getStore: () => T | undefined;
}

/** Undefined if the runtime has none. */
export function createStorage<T>(): Storage<T> | undefined {
  const AsyncLocalStorage = readProperty(loadBuiltin("node:async_hooks"), "AsyncLocalStorage");
  return hasProperties(AsyncLocalStorage)
    ? new (AsyncLocalStorage as new () => Storage<T>)()
    : undefined;
}
