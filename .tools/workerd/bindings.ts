// The bindings in wrangler.toml, as wrangler reads them. The build stores them in dist.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import type { Unstable_Config } from "wrangler";
import { readWranglerConfig } from "../command/read-wrangler-config.ts";
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
  const config = await readWranglerConfig({ config: join(tree, "wrangler.toml") }, tree);
  const bindings = toBindings(config);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(bindings));
  return bindings;
}

/** The variables in `.dev.vars`, which wrangler gives to local Workers only; else in `.env`. */
export function readLocalVars(): NodeJS.Dict<string> {
  const file = [".dev.vars", ".env"].map((name) => join(root, name)).find(existsSync);
  return file === undefined ? {} : parseEnv(readFileSync(file, "utf8"));
}

function toBindings(config: Unstable_Config): WorkerBindings {
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
