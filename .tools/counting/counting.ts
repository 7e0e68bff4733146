// Counts what Cloudflare bills: the rows of Durable Objects and the requests to them. The measuring
// build wraps the storage and the bindings of the built Worker with this module.

/** A GET of this path returns the counters since the last such request, as JSON. */
export const COUNTERS_PATH = "/bench-counters";

const NOTHING = { rowsRead: 0, rowsWritten: 0, objectRequests: 0 };

/**
 * `rowsWritten` includes a row for each `setAlarm` and `deleteAlarm`. `objectRequests` are calls of
 * the Worker and of other objects, and alarms.
 */
export type Counters = typeof NOTHING;

const counters: Counters = { ...NOTHING };

type Env = Readonly<Record<string, unknown>>;
type Method = (...args: unknown[]) => unknown;

/** The wrapped part of the storage of a Durable Object. */
interface Storage {
  readonly sql: {
    exec(sql: string, ...values: unknown[]): { rowsRead: number; rowsWritten: number };
  };
  setAlarm: Method;
  deleteAlarm: Method;
}

interface Handler {
  fetch(request: Request, env: Env, context: object): Promise<Response>;
}

/** Wraps the handler of the Worker. It also responds with the counters. */
export function createHandler(built: Handler): Handler {
  return {
    ...built,
    async fetch(request, env, context) {
      if (new URL(request.url).pathname !== COUNTERS_PATH) {
        return built.fetch(request, countBindings(env), context);
      }
      const response = Response.json(counters);
      Object.assign(counters, NOTHING);
      return response;
    },
  };
}

/** Wraps a class of Durable Objects. */
export function countClass(Class: new (context: { storage: Storage }, env: Env) => object) {
  const Counted = class extends Class {
    constructor(context: { storage: Storage }, env: Env) {
      countRows(context.storage);
      super(context, countBindings(env));
    }
  };
  const alarm: Method | undefined = Reflect.get(Class.prototype, "alarm");
  if (alarm === undefined) return Counted;
  const counted = function (this: object, ...args: unknown[]) {
    counters.objectRequests += 1;
    return alarm.apply(this, args);
  };
  Object.assign(Counted.prototype, { alarm: counted });
  return Counted;
}

let isCounting = false;

/** Wraps the prototypes of the storage, once in an isolate. */
function countRows(storage: Storage): void {
  if (isCounting) return;
  isCounting = true;
  const sql: Storage["sql"] = Object.getPrototypeOf(storage.sql);
  const { exec } = sql;
  sql.exec = function (this: Storage["sql"], ...args) {
    const cursor = exec.apply(this, args);
    // A cursor counts its rows while they are read, which ends with this turn.
    queueMicrotask(() => {
      counters.rowsRead += cursor.rowsRead;
      counters.rowsWritten += cursor.rowsWritten;
    });
    return cursor;
  };
  const timed: Storage = Object.getPrototypeOf(storage);
  for (const name of ["setAlarm", "deleteAlarm"] as const) {
    const method = timed[name];
    timed[name] = function (this: Storage, ...args) {
      counters.rowsWritten += 1;
      return method.apply(this, args);
    };
  }
}

/** The Worker keeps its services for as long as the bindings are the same object. */
const countedEnvs = new WeakMap<Env, Env>();

function countBindings(env: Env): Env {
  const known = countedEnvs.get(env);
  if (known !== undefined) return known;
  const entries = Object.entries(env).map(([name, binding]) => {
    const isNamespace = typeof binding === "object" && binding !== null && "idFromName" in binding;
    return [name, isNamespace ? countNamespace(binding) : binding];
  });
  const counted: Env = Object.fromEntries(entries);
  countedEnvs.set(env, counted);
  return counted;
}

function countNamespace(real: object): object {
  return new Proxy(real, {
    get(target, name) {
      const method = (...args: unknown[]) => call(target, name, args);
      if (name !== "get" && name !== "getByName") return method;
      return (...args: unknown[]) => countStub(method(...args) as object);
    },
  });
}

function countStub(real: object): object {
  return new Proxy(real, {
    get(target, name) {
      if (typeof name === "symbol" || ["id", "name", "then"].includes(name)) {
        return Reflect.get(target, name);
      }
      return (...args: unknown[]) => {
        counters.objectRequests += 1;
        return call(target, name, args);
      };
    },
  });
}

function call(target: object, name: string | symbol, args: unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, name) as Method, target, args);
}
