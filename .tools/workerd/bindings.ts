// The bindings in wrangler.toml, as wrangler reads them. wrangler takes 100 MB and more than a
// second, so it runs in a separate process, and the build stores its output in dist.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { toolEnv } from "../command/run-package.ts";
import { root } from "../install.mjs";

export interface WorkerBindings {
  compatibilityDate: string;
  compatibilityFlags: string[];
  /** The variables of `[vars]`. */
  vars: Record<string, unknown>;
  objects: { name: string; className: string }[];
  namespaces: string[];
  /** The rate limits; `period` is in seconds. */
  limits: { name: string; limit: number; period: number }[];
}

/**
 * From this compatibility date, workerd has Node's modules without a flag, and warns about the
 * flag.
 */
const NODE_BY_DEFAULT = "2026-08-04";

/** The bindings in the wrangler.toml of a folder. Rejects with the message of wrangler. */
export async function readBindings(tree: string = root): Promise<WorkerBindings> {
  const kept = join(tree, "dist", "bindings.json");
  const changedMs = statSync(join(tree, "wrangler.toml")).mtimeMs;
  if (existsSync(kept) && statSync(kept).mtimeMs > changedMs) {
    return JSON.parse(readFileSync(kept, "utf8"));
  }
  const words = [import.meta.filename, tree];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: toolEnv });
  // wrangler may print notices before and after it.
  const printed = stdout.split("\n").findLast((line) => line.startsWith("{")) ?? "";
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, printed);
  return JSON.parse(printed);
}

/** The variables in `.dev.vars`, which wrangler gives to local Workers only; else in `.env`. */
export function readLocalVars(): NodeJS.Dict<string> {
  const file = [".dev.vars", ".env"].map((name) => join(root, name)).find(existsSync);
  return file === undefined ? {} : parseEnv(readFileSync(file, "utf8"));
}

/** The part of wrangler's configuration that is read here. */
interface WranglerConfig {
  compatibility_date?: string;
  compatibility_flags: string[];
  vars: Record<string, unknown>;
  durable_objects: { bindings: { name: string; class_name: string }[] };
  kv_namespaces: { binding: string }[];
  ratelimits: { name: string; simple: { limit: number; period: number } }[];
}

async function readConfig(tree: string): Promise<WorkerBindings> {
  const { unstable_readConfig } = await import("wrangler");
  const config: WranglerConfig = unstable_readConfig({ config: join(tree, "wrangler.toml") });
  const { compatibility_date = "", compatibility_flags, durable_objects, ratelimits } = config;
  return {
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags.filter((flag) => {
      return flag !== "nodejs_compat" || compatibility_date < NODE_BY_DEFAULT;
    }),
    vars: config.vars,
    objects: durable_objects.bindings.map(({ name, class_name }) => {
      return { name, className: class_name };
    }),
    namespaces: config.kv_namespaces.map(({ binding }) => binding),
    limits: ratelimits.map(({ name, simple }) => ({ name, ...simple })),
  };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await readConfig(process.argv[2] ?? root)));
}
