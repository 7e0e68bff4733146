/**
 * Modules of Node.js and of the running Next.js, loaded by name: bundles for edge runtimes contain
 * this file too. Undefined where there is none. Never throws.
 */

import { readProperty } from "../core/read-property.ts";

/** A module of Node.js: `node:module`. */
export function loadBuiltin(name: string): unknown {
  try {
    const { getBuiltinModule } = getProcess() as { getBuiltinModule: (name: string) => unknown };
    return getBuiltinModule(name);
  } catch {
    return undefined;
  }
}

/** A module of the application's packages, in the copy that serves. A bundler would make another. */
export function loadInstalled(path: string): unknown {
  try {
    const { createRequire } = loadBuiltin("node:module") as NodeModule;
    const { cwd } = getProcess() as { cwd: () => string };
    return createRequire(`${cwd()}/package.json`)(path);
  } catch {
    return undefined;
  }
}

interface NodeModule {
  readonly createRequire: (from: string) => (path: string) => unknown;
}

/** Not by its name, because builds for edge runtimes warn about it. */
function getProcess(): unknown {
  return readProperty(globalThis, "process");
}
