/** Decides which frames can have a source map: only those in files of a build. */
import { isForeignScheme, parseScriptAddress } from "./script-address.ts";

const NO_FILE = /^(?:\s*$|native$|anonymous$|unknown$|<|\[native|internal\/|VM\d)/i;
/** A runtime that shows these has already applied a map, or runs the source itself. */
const SOURCE_NAME = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|elm|re|coffee|wasm)$/i;
/** Scripts, and the bundles of React Native for Android and iOS. */
const SCRIPT_NAME = /\.(?:[cm]?js|bundle|jsbundle)$/i;

/** False for native functions, extensions, inline scripts, and files that are sources. */
export function canHaveMap(file: string | undefined): file is string {
  if (file === undefined || NO_FILE.test(file)) return false;
  const scheme = /^([\w-]+):/.exec(file)?.[1];
  if (scheme !== undefined && isForeignScheme(scheme)) return false;
  const name = parseScriptAddress(file).segments.at(-1) ?? "";
  // Scripts without an extension are rare; documents with inline scripts are frequent.
  return isScriptName(name) && !SOURCE_NAME.test(name);
}

/** True for the name of a built script, without a query: `app.js`, `main.jsbundle`. */
export function isScriptName(name: string): boolean {
  return SCRIPT_NAME.test(name);
}
