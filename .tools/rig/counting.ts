// The built Worker with counters of the amounts that Cloudflare bills: rows read and written,
// alarms, requests to Durable Objects and the time in which they are active. The Worker is the same
// file, with wrapped storage, bindings and, on request, clock.

import { join } from "node:path";
import { build } from "esbuild";
import { createTemporaryFolder } from "../command/temporary-folder.ts";
import { readBindings } from "../workerd/bindings.ts";

/** A GET of this path returns the counters as JSON. */
export const COUNTERS_PATH = "/bench-counters";
/** A GET of this path returns the rows of each statement since the last such request. */
export const STATEMENTS_PATH = "/bench-statements";

export interface Counters {
  rowsRead: number;
  /** Includes a row for each `setAlarm` and `deleteAlarm`, as Cloudflare counts them. */
  rowsWritten: number;
  /** Calls of the Worker and of other objects, and alarms. */
  objectRequests: number;
  /** The part of `objectRequests` that other objects sent. */
  betweenObjects: number;
  /** The part of `objectRequests` that are alarms. */
  alarms: number;
  /**
   * The total time in which objects could not sleep, because a request, an alarm, their work or a
   * timer was pending.
   */
  activeMs: number;
}

/** The rows of one statement, of `count` executions together. */
export interface Statement {
  sql: string;
  count: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Another clock for the Worker. */
interface Clock {
  /** By how much it is ahead of the machine's, in ms. */
  aheadMs: number;
  /** The factor of its speed. Alarms and timers come earlier by the same factor. */
  speed: number;
}

/** The variables of a Worker with this clock. Without them it uses the machine's. */
export function createClockVars({ aheadMs, speed }: Clock) {
  return { BENCH_AHEAD_MS: String(aheadMs), BENCH_SPEED: String(speed) };
}

const source = (worker: string, classes: readonly string[]) => `
  import { env as vars } from "cloudflare:workers";
  import { AsyncLocalStorage } from "node:async_hooks";
  import built, * as exported from ${JSON.stringify(worker)};
  const aheadMs = Number(vars.BENCH_AHEAD_MS ?? 0);
  const speed = Number(vars.BENCH_SPEED ?? 1);
  const realNow = Date.now.bind(Date);
  // The runtime's clock shows 0 before the first request.
  let beganMs = 0;
  Date.now = () => {
    const nowMs = realNow();
    if (nowMs === 0) return 0;
    beganMs ||= nowMs;
    return beganMs + aheadMs + Math.round((nowMs - beganMs) * speed);
  };
  const toRealMs = (ms) => beganMs + (Number(ms) - beganMs - aheadMs) / speed;

  // The activity of the current object. An object with a timer cannot sleep.
  const current = new AsyncLocalStorage();
  const { setTimeout, clearTimeout } = globalThis;
  const endsByTimer = new Map();
  function endTimer(id) {
    endsByTimer.get(id)?.();
    endsByTimer.delete(id);
  }
  globalThis.setTimeout = (run, ms, ...args) => {
    const activity = current.getStore();
    const id = setTimeout((...given) => {
      try {
        return run(...given);
      } finally {
        endTimer(id);
      }
    }, (ms ?? 0) / speed, ...args);
    if (activity !== undefined) {
      activity.begin();
      endsByTimer.set(id, activity.end);
    }
    return id;
  };
  globalThis.clearTimeout = (id) => {
    endTimer(id);
    clearTimeout(id);
  };

  const counters = {
    rowsRead: 0, rowsWritten: 0, objectRequests: 0, betweenObjects: 0, alarms: 0, activeMs: 0,
  };
  const statements = new Map();
  let isCounting = false;
  function settle({ rowsRead, rowsWritten }, statement) {
    counters.rowsRead += rowsRead;
    counters.rowsWritten += rowsWritten;
    statement.rowsRead += rowsRead;
    statement.rowsWritten += rowsWritten;
  }
  function countRows(storage) {
    if (isCounting) return;
    isCounting = true;
    const sql = Object.getPrototypeOf(storage.sql);
    const { exec } = sql;
    sql.exec = function (text, ...args) {
      const cursor = exec.call(this, text, ...args);
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = { sql: text, count: 0, rowsRead: 0, rowsWritten: 0 };
        statements.set(text, statement);
      }
      statement.count += 1;
      // A cursor counts its rows while they are read, which ends with this turn.
      queueMicrotask(() => settle(cursor, statement));
      return cursor;
    };
    const timed = Object.getPrototypeOf(storage);
    const { setAlarm, deleteAlarm } = timed;
    timed.setAlarm = function (ms, ...args) {
      counters.rowsWritten += 1;
      return setAlarm.call(this, toRealMs(ms), ...args);
    };
    timed.deleteAlarm = function (...args) {
      counters.rowsWritten += 1;
      return deleteAlarm.apply(this, args);
    };
  }
  const stub = (real, from) => new Proxy(real, {
    get(target, name) {
      if (typeof name === "symbol" || ["id", "name", "then"].includes(name)) return target[name];
      return (...args) => {
        counters.objectRequests += 1;
        if (from === "object") counters.betweenObjects += 1;
        return target[name](...args);
      };
    },
  });
  const namespace = (real, from) => new Proxy(real, {
    get(target, name) {
      const isStub = name === "get" || name === "getByName";
      return (...args) => (isStub ? stub(target[name](...args), from) : target[name](...args));
    },
  });
  const isNamespace = (binding) => typeof binding?.idFromName === "function";
  // The Worker keeps its services for as long as the bindings are the same object.
  const countedByEnv = { worker: new WeakMap(), object: new WeakMap() };
  function counted(env, from) {
    const known = countedByEnv[from];
    if (!known.has(env)) {
      known.set(env, Object.fromEntries(
        Object.entries(env).map(([name, binding]) => [
          name, isNamespace(binding) ? namespace(binding, from) : binding,
        ]),
      ));
    }
    return known.get(env);
  }
  /** Counts the time in which an object has a pending promise or timer. */
  function createActivity() {
    let pending = 0;
    let sinceMs = 0;
    const begin = () => {
      if (pending === 0) sinceMs = Date.now();
      pending += 1;
    };
    const end = () => {
      pending -= 1;
      if (pending === 0) counters.activeMs += Date.now() - sinceMs;
    };
    return { begin, end };
  }
  function track(activity, run) {
    activity.begin();
    let result;
    try {
      result = current.run(activity, run);
    } catch (error) {
      activity.end();
      throw error;
    }
    if (typeof result?.then !== "function") {
      activity.end();
      return result;
    }
    return result.then(
      (value) => { activity.end(); return value; },
      (error) => { activity.end(); throw error; },
    );
  }
  const activities = new WeakMap();
  function countedClass(Class) {
    const Counted = class extends Class {
      constructor(ctx, env) {
        countRows(ctx.storage);
        const activity = createActivity();
        const waitUntil = ctx.waitUntil.bind(ctx);
        ctx.waitUntil = (promise) => waitUntil(track(activity, () => promise));
        super(ctx, counted(env, "object"));
        activities.set(this, activity);
      }
    };
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
      if (name === "constructor" || typeof value !== "function") continue;
      Counted.prototype[name] = function (...args) {
        if (name === "alarm") {
          counters.objectRequests += 1;
          counters.alarms += 1;
        }
        return track(activities.get(this), () => value.apply(this, args));
      };
    }
    return Counted;
  }
  ${classes.map((name) => `export const ${name} = countedClass(exported.${name});`).join("\n  ")}
  function takeStatements() {
    const taken = [...statements.values()].filter(({ count }) => count > 0).map((one) => ({ ...one }));
    for (const one of statements.values()) Object.assign(one, { count: 0, rowsRead: 0, rowsWritten: 0 });
    return taken;
  }
  export default {
    ...built,
    fetch(request, env, ctx) {
      const { pathname } = new URL(request.url);
      if (pathname === "${STATEMENTS_PATH}") return Response.json(takeStatements());
      if (pathname === "${COUNTERS_PATH}") return Response.json(counters);
      return built.fetch(request, counted(env, "worker"), ctx);
    },
  };
`;

/** Builds that Worker with the classes in the wrangler.toml of `tree`. Resolves to its file. */
export async function buildCounting(worker: string, tree: string): Promise<string> {
  const file = join(createTemporaryFolder(), "counting.js");
  const classes = (await readBindings(tree)).objects.map(({ className }) => className);
  await build({
    stdin: { contents: source(worker, classes), resolveDir: "/" },
    bundle: true,
    format: "esm",
    // React's build names the runtime's modules without their prefix.
    platform: "node",
    external: ["cloudflare:*", "/assets/*"],
    outfile: file,
    logLevel: "error",
  });
  return file;
}
