/**
 * Modules of the running Next.js, loaded by name: bundles for edge runtimes contain this file too.
 * Undefined where there is none. Never throws.
 */

import { readProperty } from "../core/read-property.ts";
import { loadBuiltin } from "./builtin-module.ts";

/** A module of the application's packages, in the copy that serves. A bundler would make another. */
export function loadInstalled(path: string): unknown {
  try {
    const { createRequire } = loadBuiltin("node:module") as NodeModule;
    // Not by its name, because builds for edge runtimes warn about it.
    const { cwd } = readProperty(globalThis, "process") as { cwd: () => string };
    return createRequire(`${cwd()}/package.json`)(path);
  } catch {
    return undefined;
  }
}

interface NodeModule {
  readonly createRequire: (from: string) => (path: string) => unknown;
}
