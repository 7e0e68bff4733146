/** Names of sources as pages show them, and whether they belong to the application. */
import { isInApp } from "../report/in-app.ts";
import type { MapSource } from "./compact-map.ts";

/** Shown for a source without a name. */
export const UNNAMED_SOURCE = "(unnamed source)";

/**
 * Tools put these before the path of a source: `webpack://shop/`, `webpack-internal:///`,
 * `turbopack:///[project]/`, `app:///`, `file:///`, `~/`, `/@fs/` of Vite, and the NUL of Rollup.
 */
const PREFIXES: readonly RegExp[] = [
  /^webpack(?:-internal)?:\/\/\//,
  /^webpack:\/\/[^/]*\/(?=.)/,
  /^(?:turbopack:\/\/\/?|\/?turbopack\/(?=\[))/,
  /^\[project\]\//,
  /^(?:app|ng):\/\/\/?(?=.)/,
  /^file:\/\/(?:localhost)?(?=\/)/,
  /^meteor:\/\/[^/]{0,20}app\//u,
  /^~\//,
  /^\/@fs(?=\/)\/?(?=\/|[A-Za-z]:)/,
  /^(?:\.{0,2}\/)*\0/,
];
/** Folders above the map's own. */
const LEADING_DOTS = /^(?:\.{1,2}\/)+/;
/** The hash that webpack appends to sources of one name, and the query of a loader. */
const QUERY = /\?[\w&=%.-]*$/;
/** A namespace of webpack before its own code, which has no `./`. */
const RUNTIME_NAMESPACE =
  /^(?:@[^/]+\/)?[^/]+\/(?=(?:webpack|rspack)\/(?:bootstrap|runtime|startup)(?:\/|$))/;
/** A namespace of webpack, and perhaps a layer of Next.js: `shop/./`, `(rsc)/./`, `/./`. */
const NAMESPACE = /^(?:(?:@[^/]+\/)?[^/]*\/)?(?:\([\w-]{1,50}\)\/)?\.\/(?=.)/;
/** A source root, which maps may put before `./` too. */
const SOURCE_ROOT = /^(?:src|lib|source|sources)\/\.\//;
/** Where the folder of a project probably begins in an absolute path. */
const PROJECT_FOLDER = /\/(?=(?:packages|apps|libs|src|node_modules)\/)/;
/** The folders in which services build. */
const BUILD_FOLDER =
  /^\/(?:usr\/src\/app|app(?=\/(?:src|app|lib|packages|apps|node_modules|dist|build|server)\/)|code|workspace|github\/workspace|home\/runner\/work\/[^/]+\/[^/]+|builds\/[^/]+\/[^/]+|vercel\/path\d|opt\/buildhome\/repo|opt\/build\/repo|var\/task)\/(?=.)/;
/** Absolute paths of systems; Vite writes paths from the root of the project with a slash too. */
const SYSTEM_PATH = /^\/(?:home|users|usr|var|srv|opt|tmp|root|mnt|media|private|data|builds)\//i;
const DRIVE = /^\/?[a-z]:(?=\/)/i;

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
 * The source to show, the same for each tool that may have uploaded it: without what tools put
 * before its path, without `../` at its beginning and without folders that `../` leaves again. Of
 * an absolute path, the part in the project if that is known. Text only: no link and no path.
 */
export function toDisplayName(name: string | null): string {
  if (name === null || name === "") return UNNAMED_SOURCE;
  const path = removePrefixes(name.replaceAll("\\", "/"));
  const shown = toProjectPath(foldPath(path.replace(QUERY, "")));
  return escapeInvisible(shown === "" ? name : shown);
}

function removePrefixes(name: string): string {
  let path = name;
  for (const prefix of PREFIXES) path = path.replace(prefix, "");
  if (SOURCE_ROOT.test(path)) return path;
  return path.replace(NAMESPACE, "").replace(RUNTIME_NAMESPACE, "");
}

function toProjectPath(path: string): string {
  const drive = DRIVE.exec(path)?.[0] ?? "";
  const rest = path.slice(drive.length);
  if (drive === "" && !rest.startsWith("/")) return rest.replace(LEADING_DOTS, "");
  if (BUILD_FOLDER.test(rest)) return rest.replace(BUILD_FOLDER, "");
  const isInSystem = drive !== "" || SYSTEM_PATH.test(rest);
  if (!isInSystem) return rest.replace(/^\/+/, "").replace(LEADING_DOTS, "");
  // `/usr/src` is a folder of the system.
  const at = rest.slice(4).search(PROJECT_FOLDER);
  return at === -1 ? `${drive.replace("/", "")}${rest}` : rest.slice(4 + at + 1);
}

/** `dist/worker/../../src/app.ts` is `src/app.ts`: a map has a source root and relative sources. */
function foldPath(path: string): string {
  if (!/\/\.{1,2}\//.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "." && parts.length > 0) continue;
    if (part === ".." && /^(?!\.{1,2}$).*[^:]$/.test(parts.at(-1) ?? "")) parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

/**
 * The names, as shown, of code that bundlers add: their bootstrap and runtime, the helpers of
 * compilers, and modules that are no files.
 */
const BUNDLER_SOURCES: readonly RegExp[] = [
  /^(?:webpack|rspack)\/(?:bootstrap|runtime|startup|(?:before|after)-startup|container|sharing|universalModuleDefinition)(?:[/ ]|$)/,
  /^\[(?:turbopack|next|externals)\]/,
  /(?:^|\/)rolldown\/runtime(?:\.js)?$/,
  /(?:^|\/)vite\/(?:preload-helper|modulepreload-polyfill|dynamic-import-helper)(?:\.js)?$/,
  /(?:^|\/)_?commonjs(?:Helpers|-dynamic-modules|-proxy|-require)(?:\.js)?$/,
  /(?:^|\/)(?:@parcel|parcel-bundler|systemjs)\//,
  /(?:^|\/)@oxc-project[+/]runtime[@/]/,
  /(?:^|\/)(?:@swc\/helpers|@babel\/(?:runtime|helpers)|tslib)\//,
  /^</,
  /^(?:external[ %]|ignored[ |]|\(disabled\):)/,
];

/**
 * True for code of the application: by the path of the source, unless the map lists it as code of a
 * third party, or a bundler has added it. False for a source without a name.
 */
export function isSourceInApp({ name, isIgnored }: MapSource): boolean {
  if (isIgnored || name === null || !isInApp(name)) return false;
  const shown = toDisplayName(name);
  // Rollup's mark of a module that a plugin has added.
  const isVirtual = /(?:^|\/)\0/.test(name);
  return !isVirtual && isInApp(shown) && !BUNDLER_SOURCES.some((pattern) => pattern.test(shown));
}
