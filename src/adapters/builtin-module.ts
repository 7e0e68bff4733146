/** Modules of the runtime, without an import that bundlers and other runtimes cannot resolve. */

import { readProperty } from "../core/read-property.ts";

/** The module with this name: `node:fs`. Undefined where there is none. Never throws. */
export function loadBuiltin(name: string): unknown {
  // `process` not by its name, because builds for edge runtimes warn about it.
  const getBuiltinModule = readProperty(readProperty(globalThis, "process"), "getBuiltinModule");
  try {
    return typeof getBuiltinModule === "function" ? getBuiltinModule(name) : undefined;
  } catch {
    return undefined;
  }
}
