// The built Worker with a counter on what Cloudflare bills by number: rows written, and requests to Durable Objects. The Worker
// itself is the same file; its two classes are made where their storage counts.

import { build } from "esbuild";

/** Asked with GET, it answers the sums as JSON. */
export const SUMS = "/bench-sums";

/** @typedef {{ rows: number, calls: Record<string, number> }} Sums */

/** @param {string} worker */
const source = (worker) => `
  import built, { ProjectIndex as Index, ReportLog as Log } from ${JSON.stringify(worker)};
  const sums = { rows: 0, calls: {} };
  const call = (name) => { sums.calls[name] = (sums.calls[name] ?? 0) + 1; };
  let isCounting = false;
  function countRows(storage) {
    if (isCounting) return;
    isCounting = true;
    const sql = Object.getPrototypeOf(storage.sql);
    const { exec } = sql;
    sql.exec = function (...args) {
      const cursor = exec.apply(this, args);
      sums.rows += cursor.rowsWritten;
      return cursor;
    };
    const timed = Object.getPrototypeOf(storage);
    for (const name of ["setAlarm", "deleteAlarm"]) {
      const set = timed[name];
      timed[name] = function (...args) {
        sums.rows += 1;
        return set.apply(this, args);
      };
    }
  }
  const counted = (Class, names) => {
    class Counted extends Class {
      constructor(ctx, env) {
        countRows(ctx.storage);
        super(ctx, env);
      }
    }
    for (const name of names) {
      Counted.prototype[name] = function (...args) {
        call(name);
        return Class.prototype[name].apply(this, args);
      };
    }
    return Counted;
  };
  export const ReportLog = counted(Log, ["append", "settle", "alarm"]);
  export const ProjectIndex = counted(Index, ["apply", "alarm"]);
  export default {
    ...built,
    fetch(request, env, ctx) {
      if (new URL(request.url).pathname !== ${JSON.stringify(SUMS)}) return built.fetch(request, env, ctx);
      return Response.json(sums);
    },
  };
`;

/**
 * Writes that Worker to `file`.
 *
 * @param {string} worker
 * @param {string} file
 */
export async function writeCounting(worker, file) {
  await build({
    stdin: { contents: source(worker), resolveDir: "/" },
    bundle: true,
    format: "esm",
    // React's build names the runtime's modules without their prefix.
    platform: "node",
    external: ["cloudflare:*", "/assets/*"],
    outfile: file,
    logLevel: "error",
  });
}
