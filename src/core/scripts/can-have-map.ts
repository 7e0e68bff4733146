/** Decides which frames can have a source map: only those in files of a build. */
import type { Report } from "../report.ts";
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

/**
 * True for the file of a frame to which Cloudflare has applied the map of the Worker: it does so
 * for tail events, line by line, where a map was deployed (`upload_source_maps`). The bundle is one
 * file without a folder, so another file of a stack is a source if one of them is known to be one.
 */
export function createMappedTest(
  { format }: Pick<Report, "format">,
  files: readonly (string | undefined)[],
): (file: string | undefined) => boolean {
  const isMapped =
    format === "tail" &&
    files.some((file = "") => SOURCE_NAME.test(file) || file.includes("node_modules/"));
  return (file) => isMapped && file?.includes("/") === true;
}
