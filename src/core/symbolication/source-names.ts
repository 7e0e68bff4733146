/** Names of sources as pages show them, and whether they belong to the application. */
import { isInApp } from "../report/in-app.ts";
import type { MapSource } from "./compact-map.ts";

/** Shown for a source without a name. */
export const UNNAMED_SOURCE = "(unnamed source)";

/** `webpack://shop/./`, `webpack:///`, `webpack-internal:///`, `turbopack:///[project]/`. */
const BUNDLER_PREFIX =
  /^(?:webpack(?:-internal)?:\/\/\/|webpack:\/\/[^/]*\/(?=\.\/|[^/])|turbopack:\/\/\/(?:\[project\]\/)?)/;
/** Folders above the map's own. */
const LEADING_DOTS = /^(?:\.{1,2}\/)+/;
/** The hash that webpack appends to sources of one name, and the query of a loader. */
const WEBPACK_QUERY = /\?[\w&=%.-]*$/;

/** Characters that change the order of text, or have no glyph. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?!\t)\p{Cc}/gu;

/** The text with control characters and marks of direction as escapes: `\u202e`. */
export function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The source to show: without the prefixes of bundlers, without `../` at its beginning and without
 * folders that `../` leaves again. Text only: no link and no path to open.
 */
export function toDisplayName(name: string | null): string {
  if (name === null || name === "") return UNNAMED_SOURCE;
  const isWebpack = name.startsWith("webpack");
  const path = name.replace(BUNDLER_PREFIX, "");
  const folded = foldPath(isWebpack ? path.replace(WEBPACK_QUERY, "") : path);
  const shown = folded.replace(LEADING_DOTS, "");
  return escapeInvisible(shown === "" ? name : shown);
}

/** `dist/worker/../../src/app.ts` is `src/app.ts`: a map has a source root and relative sources. */
function foldPath(path: string): string {
  if (!path.includes("/../")) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && /^(?!\.{1,2}$).*[^:]$/.test(parts.at(-1) ?? "")) parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

/**
 * True for code of the application: by the path of the source, unless the map lists it as code of a
 * third party. False for a source without a name.
 */
export function isSourceInApp({ name, isIgnored }: MapSource): boolean {
  return !isIgnored && isInApp(name ?? undefined);
}
