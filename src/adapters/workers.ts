/**
 * `errata/workers`: names and reports what the handlers, Durable Objects and Workflows of a Worker
 * throw. The same error is thrown again, and responses change only by a `Server-Timing` header.
 */

import { readProperty } from "../core/read-property.ts";
import type { Facts, Named } from "./server.ts";
import { createInvocation, invoke, type Options } from "./worker-calls.ts";
import { canFindInvocation, getInvocation } from "./worker-invocation.ts";
import { propagateTraces } from "./worker-trace.ts";

export type { WorkerOptions } from "./worker-calls.ts";

type Class = abstract new (...args: never[]) => object;

propagateTraces();

/** The handlers of a Worker, its default export, with their failures named and reported. */
export function withErrata<Env, H extends object>(options: Options<Env>, handler: H): H {
  const wrapped = Object.assign(Object.create(Object.getPrototypeOf(handler)), handler);
  for (const trigger of ["fetch", "scheduled", "queue", "email", "tail"]) {
    const original = readProperty(handler, trigger);
    if (typeof original !== "function") continue;
    wrapped[trigger] = (event: unknown, env: unknown, ctx: unknown) =>
      invoke({ env, ctx }, options, { trigger, event }, () =>
        original.call(handler, event, env, ctx),
      );
  }
  return wrapped;
}

/** The class of a Durable Object, with the failures of its handlers and RPC methods named. */
export function wrapDurableObject<Env, C extends Class>(Class: C, options?: Options<Env>): C {
  return wrapClass(Class, options, "object-rpc");
}

/** The same for the class of a `WorkerEntrypoint`. */
export function wrapEntrypoint<Env, C extends Class>(Class: C, options?: Options<Env>): C {
  return wrapClass(Class, options, "rpc");
}

/** The same for the class of a Workflow: a run that fails after the retries of its steps. */
export function wrapWorkflow<Env, C extends Class>(Class: C, options?: Options<Env>): C {
  return wrapClass(Class, options, "workflow");
}

/** Names and reports an error that the Worker handles. */
export function capture(thrown: unknown, facts?: Facts): Named {
  const invocation = getInvocation() ?? createInvocation({}, {});
  return invocation.name(thrown, { how: "handled", ...facts });
}

/** Methods that the runtime calls; all others are RPC methods. */
const TRIGGERS: ReadonlyMap<string, string> = new Map([
  ...["fetch", "alarm", "scheduled", "queue", "email", "tail"].map((name) => [name, name] as const),
  ...["Message", "Close", "Error"].map((name) => [`webSocket${name}`, "websocket"] as const),
]);
const BASES = ["DurableObject", "WorkerEntrypoint", "WorkflowEntrypoint", "Object"];

function wrapClass<Env, C extends Class>(target: C, options: Options<Env> = {}, rpc: string): C {
  const own: object = target.prototype;
  // Inherited methods are wrapped in this class alone, so that calls of `super` stay as they are.
  for (let from = own; !BASES.includes(from.constructor.name); from = Object.getPrototypeOf(from)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      const isOverridden = from !== own && Object.hasOwn(own, name);
      if (typeof value !== "function" || name === "constructor" || isOverridden) continue;
      // Without the current invocation, a call of an object to itself looks like one to it.
      if (!canFindInvocation && !TRIGGERS.has(name) && rpc !== "workflow") continue;
      Object.defineProperty(own, name, {
        value: wrapMethod(value, name, target.name, options, rpc),
        ...{ configurable: true, writable: true },
      });
    }
  }
  return target;
}

function wrapMethod<Env>(
  method: (...args: unknown[]) => unknown,
  name: string,
  entrypoint: string,
  options: Options<Env>,
  rpc: string,
) {
  const trigger = TRIGGERS.get(name);
  const callee = {
    ...{ trigger: trigger ?? rpc, entrypoint },
    ...(trigger === undefined && { method: name }),
  };
  return function (this: object, ...args: unknown[]): unknown {
    const event = args[0];
    return invoke(this, options, { ...callee, event }, () => method.apply(this, args));
  };
}
