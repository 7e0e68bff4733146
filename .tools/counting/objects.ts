// Counts the requests to Durable Objects, at the bindings of the Worker and of the objects.

import { type Activity, createActivity, trackActivity } from "./activity.ts";
import { COUNTERS_PATH, counters, STATEMENTS_PATH, takeStatements } from "./counters.ts";
import { countRows, type Storage } from "./rows.ts";

type Env = Readonly<Record<string, unknown>>;
type Method = (...args: unknown[]) => unknown;

interface Context {
  readonly storage: Storage;
  waitUntil(promise: Promise<unknown>): void;
}

interface Handler {
  fetch(request: Request, env: Env, context: object): Promise<Response>;
}

/** Wraps the handler of the Worker. It also responds with the counters. */
export function createHandler(built: Handler): Handler {
  return {
    ...built,
    fetch(request, env, context) {
      const { pathname } = new URL(request.url);
      if (pathname === STATEMENTS_PATH) return respond(takeStatements());
      if (pathname === COUNTERS_PATH) return respond(counters);
      return built.fetch(request, countBindings(env, "worker"), context);
    },
  };
}

async function respond(value: unknown) {
  return Response.json(value);
}

/** Wraps a class of Durable Objects. */
export function countClass(Class: new (context: Context, env: Env) => object) {
  const activities = new WeakMap<object, Activity>();
  const Counted = class extends Class {
    constructor(context: Context, env: Env) {
      countRows(context.storage);
      const activity = createActivity();
      const waitUntil = context.waitUntil.bind(context);
      context.waitUntil = (promise) =>
        waitUntil(trackActivity(activity, () => promise) as Promise<unknown>);
      super(context, countBindings(env, "object"));
      activities.set(this, activity);
    }
  };
  for (const [name, { value }] of Object.entries(
    Object.getOwnPropertyDescriptors(Class.prototype),
  )) {
    if (name === "constructor" || typeof value !== "function") continue;
    const counted = function (this: object, ...args: unknown[]) {
      if (name === "alarm") {
        counters.objectRequests += 1;
        counters.alarms += 1;
      }
      const run = () => value.apply(this, args);
      return trackActivity(activities.get(this) ?? createActivity(), run);
    };
    Object.assign(Counted.prototype, { [name]: counted });
  }
  return Counted;
}

/** The Worker keeps its services for as long as the bindings are the same object. */
const countedEnvs = { worker: new WeakMap<Env, Env>(), object: new WeakMap<Env, Env>() };
type Caller = keyof typeof countedEnvs;

function countBindings(env: Env, caller: Caller): Env {
  const known = countedEnvs[caller].get(env);
  if (known !== undefined) return known;
  const entries = Object.entries(env).map(([name, binding]) => {
    return [name, isNamespace(binding) ? countNamespace(binding, caller) : binding];
  });
  const counted: Env = Object.fromEntries(entries);
  countedEnvs[caller].set(env, counted);
  return counted;
}

function isNamespace(binding: unknown): binding is object {
  return typeof binding === "object" && binding !== null && "idFromName" in binding;
}

function countNamespace(real: object, caller: Caller): object {
  return new Proxy(real, {
    get(target, name) {
      const method = (...args: unknown[]) => call(target, name, args);
      if (name !== "get" && name !== "getByName") return method;
      return (...args: unknown[]) => countStub(method(...args) as object, caller);
    },
  });
}

function countStub(real: object, caller: Caller): object {
  return new Proxy(real, {
    get(target, name) {
      if (typeof name === "symbol" || ["id", "name", "then"].includes(name)) {
        return Reflect.get(target, name);
      }
      return (...args: unknown[]) => {
        counters.objectRequests += 1;
        if (caller === "object") counters.betweenObjects += 1;
        return call(target, name, args);
      };
    },
  });
}

function call(target: object, name: string | symbol, args: unknown[]): unknown {
  const method: Method = Reflect.get(target, name);
  return Reflect.apply(method, target, args);
}
