// Runs the rehearsed store on plain workerd, one release after another on one folder.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { readBindings } from "../../../.tools/workerd/bindings.ts";
import { startStore } from "./start-store.ts";

export type Rehearsal = Awaited<ReturnType<typeof createRehearsal>>;
export type RunningRehearsal = Awaited<ReturnType<Rehearsal["start"]>>;

/** The variables of `rehearsal-worker.ts`. */
interface Vars {
  readonly STOP?: string;
  readonly ROWS_PER_TURN?: string;
  readonly ERRATA_KV_WRITES_PER_DAY?: string;
}

/** Bundles the Worker, and makes an empty folder for its data. */
export async function createRehearsal() {
  const folder = mkdtempSync(join(tmpdir(), "errata-rehearsal-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  const built = join(folder, "dist");
  await build({
    entryPoints: [join(import.meta.dirname, "rehearsal-worker.ts")],
    outfile: join(built, "worker", "worker.js"),
    bundle: true,
    format: "esm",
    external: ["cloudflare:*", "node:*"],
    logLevel: "error",
  });
  const { compatibilityDate, compatibilityFlags } = await readBindings();
  const bindings = {
    ...{ compatibilityDate, compatibilityFlags, vars: {}, namespaces: [], limits: [] },
    objects: [{ name: "REHEARSAL", className: "Rehearsal" }],
  };
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, "bindings.json"), JSON.stringify(bindings));
  let stores = 0;
  return {
    remove,
    /** The folder of an empty store. */
    createStore: () => join(folder, `store${stores++}`),
    /** Starts a release on a store. */
    async start(store: string, release: number, vars: Vars = {}, aheadSeconds = 0) {
      const all: Record<string, string> = { RELEASE: String(release), ...vars };
      const started = await startStore(
        { folder: store, vars: all, aheadSeconds },
        { build: built },
      );
      return {
        ...started,
        /** Calls a method of an object. Rejects with its error. */
        // biome-ignore lint/suspicious/noExplicitAny: as the method returns it
        async call(object: string, method: string, ...args: readonly unknown[]): Promise<any> {
          const body = JSON.stringify({ object, method, args });
          const response = await fetch(started.url, { method: "POST", body });
          const { result, error } = (await response.json()) as { result: unknown; error?: string };
          if (error !== undefined) throw new Error(error);
          return result;
        },
      };
    },
  };
}
