// The built Worker with counters of what Cloudflare bills: rows read and written, and requests to
// Durable Objects. The Worker is the same file. Its storage and its bindings count.

import { build } from "esbuild";

/** A GET of this path is answered with the counters, as JSON. */
export const COUNTERS_PATH = "/bench-counters";

export interface Counters {
  rowsRead: number;
  rowsWritten: number;
  objectRequests: number;
}

const source = (worker: string, classes: readonly string[]) => `
  import built, * as exported from ${JSON.stringify(worker)};
  const counters = { rowsRead: 0, rowsWritten: 0, objectRequests: 0 };
  let isCounting = false;
  function countRows(storage) {
    if (isCounting) return;
    isCounting = true;
    const sql = Object.getPrototypeOf(storage.sql);
    const { exec } = sql;
    sql.exec = function (...args) {
      const cursor = exec.apply(this, args);
      counters.rowsWritten += cursor.rowsWritten;
      counters.rowsRead += cursor.rowsRead;
      return cursor;
    };
    const timed = Object.getPrototypeOf(storage);
    for (const name of ["setAlarm", "deleteAlarm"]) {
      const set = timed[name];
      timed[name] = function (...args) {
        counters.rowsWritten += 1;
        return set.apply(this, args);
      };
    }
  }
  const called = (target, name, then) => (...args) => then(target[name](...args));
  const stub = (real) => new Proxy(real, {
    get(target, name) {
      if (typeof name === "symbol" || ["id", "name", "then"].includes(name)) return target[name];
      return called(target, name, (answer) => {
        counters.objectRequests += 1;
        return answer;
      });
    },
  });
  const namespace = (real) => new Proxy(real, {
    get(target, name) {
      const isStub = name === "get" || name === "getByName";
      return called(target, name, isStub ? stub : (answer) => answer);
    },
  });
  const isNamespace = (binding) => typeof binding?.idFromName === "function";
  // The Worker keeps its services for as long as the bindings are the same object.
  const countedByEnv = new WeakMap();
  function counted(env) {
    if (!countedByEnv.has(env)) {
      countedByEnv.set(env, Object.fromEntries(
        Object.entries(env).map(([name, binding]) => [name, isNamespace(binding) ? namespace(binding) : binding]),
      ));
    }
    return countedByEnv.get(env);
  }
  const countedClass = (Class) => class extends Class {
    constructor(ctx, env) {
      countRows(ctx.storage);
      super(ctx, counted(env));
    }
    alarm(...args) {
      counters.objectRequests += 1;
      return super.alarm(...args);
    }
  };
  ${classes.map((name) => `export const ${name} = countedClass(exported.${name});`).join("\n  ")}
  export default {
    ...built,
    fetch(request, env, ctx) {
      if (new URL(request.url).pathname === "${COUNTERS_PATH}") return Response.json(counters);
      return built.fetch(request, counted(env), ctx);
    },
  };
`;

/** Writes that Worker to `file`. `classes` are the names of its Durable Object classes. */
export async function writeCounting(worker: string, classes: readonly string[], file: string) {
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
}
