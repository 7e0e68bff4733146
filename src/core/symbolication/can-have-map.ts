/** Decides which frames can have a source map: only those in files of a build. */
import { getFileName } from "./file-candidates.ts";

/** Schemes of browsers' own code, of extensions, and of code without a file. */
const OTHER_SCHEMES =
  /^(?:node|native|about|data|blob|eval|wasm|chrome|resource|debugger|[\w-]*-extension|bun|ext):/i;
const NO_FILE = /^(?:\s*$|native$|anonymous$|unknown$|<|\[native|internal\/|VM\d)/i;
/** A runtime that shows these has already applied a map, or runs the source itself. */
const SOURCE_NAME = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|elm|re|coffee|wasm)$/i;
/** Scripts without an extension are rare; documents with inline scripts are frequent. */
const SCRIPT_NAME = /\.(?:[cm]?js|bundle)$/i;

/** False for native functions, extensions, inline scripts, and files that are sources. */
export function canHaveMap(file: string | undefined): file is string {
  if (file === undefined || NO_FILE.test(file) || OTHER_SCHEMES.test(file)) return false;
  const name = getFileName(file);
  return SCRIPT_NAME.test(name) && !SOURCE_NAME.test(name);
}
