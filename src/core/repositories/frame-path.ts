/**
 * The path in the repository of the file that a frame names: `src/cart.tsx` of
 * `webpack://shop/./src/cart.tsx` and of `/app/src/cart.tsx`. Frames are hostile: a result has only
 * names of files and folders, never `..`, an empty part, a separator or an invisible character.
 */
import { decodePercent } from "../scripts/script-address.ts";

/** A frame, as its sender or a source map names it. */
export interface CodeFrame {
  readonly file?: string | undefined;
  /** The absolute path, if `file` is relative to something else. */
  readonly absPath?: string | undefined;
  /** `com.acme.shop.Cart`, `github.com/acme/shop/cart` */
  readonly module?: string | undefined;
  readonly line?: number | undefined;
  readonly inApp: boolean;
  /** True if a source map named the file: it is a source, not a script that was built. */
  readonly isResolved?: boolean | undefined;
}

/** The file of a frame in segments. */
export interface FramePath {
  readonly segments: readonly string[];
  /** `built` is the output of a build, which no repository has: only a known source matches it. */
  readonly kind: "relative" | "absolute" | "built";
}

const MAX_CHARS = 1_000;
const MAX_SEGMENTS = 40;
/** The longest name of a file on common file systems. Matching costs grow with it. */
const MAX_NAME_CHARS = 255;

/** Schemes of sources that a bundler names. Their authority is the name of the bundle. */
const SOURCE_SCHEME = /^(?:webpack|webpack-internal|turbopack|vite|parcel|ng|rsc|app|capacitor)$/i;
/** Layers and roots that bundlers put before a path: `(rsc)`, `[project]`. */
const BUNDLER_ROOT =
  /^(?:\((?:rsc|ssr|app-[\w-]+|[\w-]+-browser|action-browser|middleware|api|instrument)\)|\[project\])$/;
const SCRIPT = /\.[cm]?js$/i;
const BUNDLE = /\.(?:bundle|jsbundle|wasm)$/i;
const SOURCE_OF_PAGE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|coffee|mdx)$/i;
const BUILD_FOLDER = /^(?:dist|build|out|\.next|_next|\.output|\.svelte-kit|\.nuxt|_nuxt|assets)$/;
const LIBRARY_FOLDER =
  /^(?:node_modules|\.pnpm|\.yarn|site-packages|dist-packages|gems|\.cargo)$|@v\d+\.\d/;
/** What no name of a file in a repository has, on any system. */
const BAD_PART =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}/\\<>:"|?*]|%(?:2e|2f|5c)/iu;

/** The file of a frame; undefined for code of no repository, and for text that is no path. */
export function readFramePath(frame: CodeFrame): FramePath | undefined {
  const [named, whole] = [parseFile(frame.file), parseFile(frame.absPath)];
  const found = named !== undefined && named.segments.length > 1 ? named : (whole ?? named);
  if (found === undefined) return undefined;
  const { segments, kind } = found;
  if (segments.length > MAX_SEGMENTS) return undefined;
  if (segments.some((part) => LIBRARY_FOLDER.test(part))) return undefined;
  const name = segments.at(-1) ?? "";
  // No file of code is without an extension: `[native code]`, `<anonymous>`, a page.
  if (BUNDLE.test(name) || !/.\.\w+$/.test(name)) return undefined;
  const isScript = frame.isResolved !== true && SCRIPT.test(name);
  const isBuilt = isScript && (kind === "url" || segments.some((part) => BUILD_FOLDER.test(part)));
  // A page has scripts and documents. Its development server has the sources.
  const isOfPage = kind === "url" && frame.isResolved !== true && !SOURCE_OF_PAGE.test(name);
  if (isBuilt || isOfPage) return { segments, kind: "built" };
  return { segments, kind: kind === "url" ? "relative" : kind };
}

interface ParsedFile {
  readonly segments: readonly string[];
  readonly kind: "relative" | "absolute" | "url";
}

function parseFile(file: string | undefined): ParsedFile | undefined {
  if (file === undefined || file === "" || file.length > MAX_CHARS) return undefined;
  const text = file.replace(/[#?].*$/s, "").replace(/^async /, "");
  const [, scheme, rest = ""] = /^([a-z][\w+.-]+):(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return parsePath(text);
  if (/^file$/i.test(scheme))
    return parsePath(rest.replace(/^\/\/(?:localhost)?\/?(?=[a-z]:|\/)/i, ""));
  if (/^https?$/i.test(scheme)) return parseUrlPath(rest);
  return SOURCE_SCHEME.test(scheme) ? parseSource(rest) : undefined;
}

/** The path of a URL. Vite serves files outside of its root below `/@fs/`. */
function parseUrlPath(rest: string): ParsedFile | undefined {
  const path = rest.replace(/^\/\/[^/]*/, "");
  if (path.startsWith("/@fs/")) return parsePath(path.slice("/@fs".length));
  return withSegments(toSegments(path), "url");
}

/** `//shop/./src/cart.tsx`, also within another scheme: `//React/Server/file:///app/cart.tsx`. */
function parseSource(rest: string): ParsedFile | undefined {
  const inner = /^\/\/React\/[^/]+\/(?=[a-z][\w+.-]+:)/.exec(rest);
  if (inner !== null) return parseFile(rest.slice(inner[0].length));
  const segments = toSegments(rest.replace(/^\/\/[^/]*/, ""));
  const [first = ""] = segments ?? [];
  return withSegments(BUNDLER_ROOT.test(first) ? segments?.slice(1) : segments, "relative");
}

function parsePath(text: string): ParsedFile | undefined {
  const path = text.replaceAll("\\", "/");
  if (/^[a-z]:\//i.test(path)) return withSegments(toSegments(path.slice(2)), "absolute");
  if (path.startsWith("~/")) return withSegments(toSegments(path.slice(1)), "url");
  const segments = toSegments(path);
  const [first = ""] = segments ?? [];
  if (BUNDLER_ROOT.test(first)) return withSegments(segments?.slice(1), "relative");
  return withSegments(segments, path.startsWith("/") ? "absolute" : "relative");
}

function withSegments(
  segments: readonly string[] | undefined,
  kind: ParsedFile["kind"],
): ParsedFile | undefined {
  return segments === undefined || segments.length === 0 ? undefined : { segments, kind };
}

/** The names in a path, percent-decoded, without `.` and `..`; undefined if one is no name. */
export function toSegments(path: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const part of path.split("/").map(decodePercent)) {
    if (part === "" || part === ".") continue;
    // Sources are often above the folder of their map: what is above the root stays the root.
    if (part === "..") segments.pop();
    else if (part.length > MAX_NAME_CHARS || BAD_PART.test(part)) return undefined;
    else segments.push(part);
  }
  return segments;
}

// Where the folders of a machine end, and those of the repository begin.

/** Folders in which services build and run applications. */
const ROOTS: readonly RegExp[] = [
  // GitHub Actions, also in a container, and its Windows machines.
  /^home\/runner\/work\/[^/]+\/[^/]+\//,
  /^(?:__w|a)\/([^/]+)\/\1\//,
  /^github\/workspace\//,
  // Azure Pipelines.
  /^(?:.*\/)?_work\/\d+\/s\//,
  /^a\/\d+\/s\//,
  // GitLab, CircleCI, Vercel, Netlify, Cloudflare, Render, Heroku, AWS Lambda, Azure App Service.
  /^home\/circleci\/(?:project|repo)\//,
  /^vercel\/path\d+\//,
  /^opt\/build(?:home)?\/repo\//,
  /^opt\/render\/project\/src\//,
  /^tmp\/build_[0-9a-f]+\//,
  /^var\/task\//,
  /^home\/site\/wwwroot\//,
  // Containers and servers.
  /^usr\/src\/app\//,
  /^(?:usr|srv|opt|home)\/app\//,
  /^var\/www\/(?:html|app)\//,
  /^(?:app|code|workspace|_)\//,
];
const BUILDS = /^builds\/[^/]+\/[^/]+\//;
/** Folders in which repositories usually have their code. */
const CODE_FOLDER = /^(?:src|app|apps|lib|packages|cmd|internal|pkg|spec|tests?)$/;

/**
 * The part of an absolute path in a repository of this name (`shop`): below a folder of a known
 * service, below a folder of that name, or from a folder that usually has code. Undefined without
 * any.
 */
export function removeRoot(
  segments: readonly string[],
  repositoryName: string,
): readonly string[] | undefined {
  const path = segments.join("/");
  const root = ROOTS.map((one) => one.exec(path)?.[0]).find((one) => one !== undefined);
  if (root !== undefined) return path.slice(root.length).split("/");
  const name = repositoryName.toLowerCase();
  const named = segments.slice(0, -1).findIndex((part) => part.toLowerCase() === name);
  if (named !== -1) return segments.slice(named + 1);
  const built = BUILDS.exec(path)?.[0];
  if (built !== undefined) return path.slice(built.length).split("/");
  const folder = segments.slice(0, -1).findIndex((part) => CODE_FOLDER.test(part));
  return folder === -1 ? undefined : segments.slice(folder);
}

// Frames that name a module instead of a folder.

const JVM_FOLDERS: Readonly<Record<string, string>> = {
  java: "java",
  kt: "kotlin",
  kts: "kotlin",
  scala: "scala",
  groovy: "groovy",
};

/**
 * The path of a class of the JVM, whose frames have only the name of a file: the packages of its
 * module below `src/main/<language>`, or below the folder if that is one of sources already.
 */
export function readClassPath(
  { module = "" }: CodeFrame,
  [name = "", ...others]: readonly string[],
  folder = "",
): readonly string[] | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const language = Object.hasOwn(JVM_FOLDERS, extension) ? JVM_FOLDERS[extension] : undefined;
  if (others.length > 0 || language === undefined || !isModule(module)) return undefined;
  const packages = module.split(".").slice(0, -1);
  const isOfSources = /(?:^|\/)(?:java|kotlin|scala|groovy)$/.test(folder);
  return [...(isOfSources ? [] : ["src", "main", language]), ...packages, name];
}

function isModule(module: string): boolean {
  return /^\p{L}[\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)+$/u.test(module);
}

/**
 * The path of a frame of Go, whose module is the path of a package: `cart/total.go` of
 * `github.com/acme/shop/cart`. `repository` is the repository without its scheme.
 */
export function readPackagePath(
  { module = "" }: CodeFrame,
  segments: readonly string[],
  repository: string,
): readonly string[] | undefined {
  const name = segments.at(-1) ?? "";
  if (!name.endsWith(".go")) return undefined;
  const own = repository.toLowerCase();
  const at = segments.join("/").toLowerCase().indexOf(`${own}/`);
  if (at !== -1)
    return segments
      .join("/")
      .slice(at + own.length + 1)
      .split("/");
  const [, rest] = module.toLowerCase().startsWith(own)
    ? [own, module.slice(own.length)]
    : [own, undefined];
  if (rest === undefined || (rest !== "" && !rest.startsWith("/"))) return undefined;
  const folders = toSegments(rest);
  return folders === undefined ? undefined : [...folders, name];
}
