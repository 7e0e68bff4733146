/**
 * Grouping, version 1: where a JavaScript error happened. Bundlers rename files and functions in
 * every build, so the place is a source file if the stack names one, a function of a server's file
 * that is not bundled, and otherwise the route.
 */
import type { Frame, KeyPart, Side } from "../../report.ts";
import type { NamedFrame } from "./code-name.ts";
import { replaceWordsWithDigits } from "./variable-parts.ts";

/** The members of a report that locate it. */
export interface LocationContext {
  readonly side: Side;
  /** The route pattern or, if unknown, the path or the screen. */
  readonly route?: string;
  /** The page's URL. */
  readonly url?: string;
}

const SOURCE_FILE = /\.(?:tsx?|jsx|[cm]ts|vue|svelte|astro|mdx)(?=$|[?#:\s])/;
/**
 * Modules of a server. Components are rendered in the browser too, where functions have no name.
 */
const MODULE_FILE = /\.[cm]?[jt]s$/;
const BUNDLE =
  /^(?:https?|app|capacitor|address at)\b|^\/?(?:index|worker|main|entry|server)\.[cm]?js$|[\\/](?:\.next|\.nuxt|\.output|\.svelte-kit|\.vercel|\.open-next|_next|chunks?|assets|static|bundles?|functions)[\\/]|[.-][\da-zA-Z_]{8,}\.[cm]?js$|(?:dist|build|out)[\\/](?:index|main|server|app|bundle|worker|entry|handler)\.[cm]?js$/;
const MIN_NAME_CHARS = 3;
const MAX_NAME_CHARS = 400;

/** The place as a part of the key; undefined without a source file and a route. */
export function locateJavaScriptError(
  frames: readonly NamedFrame[],
  context: LocationContext,
): KeyPart | undefined {
  const own = frames.filter(({ inApp }) => inApp);
  const [frame] = own;
  const bundled = context.side === "server" ? locateBundledFunction(own) : undefined;
  const source = locateFile(frame, context.side) ?? bundled;
  if (source !== undefined) return source;
  const route = normalizeRoute(context.route);
  const host = findForeignHost(frame?.file, context.url);
  const place = [route, host].filter((part) => part !== "").join(" in ");
  if (place !== "") return { role: "route", value: place };
  // An app without a screen: a name of several words does not come from a minifier.
  const name = cleanName(frame?.function);
  return READABLE_NAME.test(name) ? { role: "function", value: name } : undefined;
}

/** A function of a server; undefined in a browser, for components, and for minified names. */
export function locateServerFunction(
  frames: readonly NamedFrame[],
  side: Side,
): KeyPart | undefined {
  const own = frames.filter(({ inApp }) => inApp);
  const place = locateFile(own[0], side);
  if (place !== undefined) return place.role === "function" ? place : undefined;
  return side === "server" ? locateBundledFunction(own) : undefined;
}

/** The place of endless recursion: its depth decides which function is the newest. */
export function locateRecursion(frames: readonly NamedFrame[], side: Side): KeyPart | undefined {
  const places = frames.filter(({ inApp }) => inApp).map((frame) => locateFile(frame, side)?.value);
  const [first] = places.filter((place) => place !== undefined).sort();
  if (first === undefined) return undefined;
  return { role: first.includes("#") ? "function" : "file", value: first };
}

/**
 * A frame for the stack of a key: `src/cart.tsx#total`, or a function of a server's bundle. In
 * other bundles the position, `assets/index.js:1:991`, which the next build changes. Undefined if
 * the frame names neither.
 */
export function nameJavaScriptFrame(
  frame: NamedFrame & Pick<Frame, "column">,
  side: Side,
): string | undefined {
  const place =
    locateFile(frame, side) ?? (side === "server" ? locateBundledFunction([frame]) : undefined);
  if (place !== undefined) {
    const name = place.role === "file" ? cleanName(frame.function) : "";
    return name === "" ? place.value : `${place.value}#${name}`;
  }
  const { file, line, column } = frame;
  if (file === undefined || line === undefined) return undefined;
  const path = file.replace(/[?#].*$/s, "").replace(/^[a-z][a-z\d+.-]{0,30}:\/\/[^/]*/i, "");
  const bundle = getLastSegments(path.slice(-MAX_NAME_CHARS));
  const position = column === undefined ? line : `${line}:${column}`;
  return `${bundle.replace(BUNDLE_HASH, "")}:${position}`;
}

const BUNDLE_HASH = /(?<=.)[.-](?=[\w-]{0,40}\d)[\w-]{6,40}(?=\.[cm]?js$)/;

const READABLE_NAME = /^[a-z]{2,40}(?:[A-Z][a-z]{1,40}){1,10}$/;

/** Entry points, which every request passes through. */
const ENTRY_FUNCTION =
  /^(?:fetch|scheduled|queue|email|tail|alarm|handler?|default|anonymous|next|dispatch|onRequest\w*|loader|action|middleware)$/;
const READABLE_FUNCTION = /^[a-z][a-z\d]*(?:[A-Z_$]\w*)?$/;
const MIN_BUNDLED_NAME_CHARS = 5;

/**
 * The function of a bundle that keeps names, as those of Workers do. Undefined for a component: the
 * same error in a browser has no function.
 */
function locateBundledFunction([frame]: readonly NamedFrame[]): KeyPart | undefined {
  const name = cleanName(frame?.function);
  const isReadable =
    name.length >= MIN_BUNDLED_NAME_CHARS &&
    READABLE_FUNCTION.test(name) &&
    !ENTRY_FUNCTION.test(name);
  // Bundlers number names that occur twice.
  return isReadable ? { role: "function", value: name.replace(/\$?\d+$/, "") } : undefined;
}

function locateFile(frame: NamedFrame | undefined, side: Side): KeyPart | undefined {
  const file = frame?.file;
  if (file === undefined) return undefined;
  const source = SOURCE_FILE.exec(file);
  const path = source === null ? file : file.slice(0, source.index) + source[0];
  const isModule = side === "server" && MODULE_FILE.test(path) && !BUNDLE.test(path);
  if (!isModule && source === null) return undefined;
  const name = isModule ? cleanName(frame?.function) : "";
  const module = getLastSegments(path);
  return name === ""
    ? { role: "file", value: module }
    : { role: "function", value: `${module}#${name}` };
}

/** `total` for `async Bill.total [as total]`; empty if it may come from a minifier. */
function cleanName(sentName = ""): string {
  const name = sentName.slice(0, MAX_NAME_CHARS);
  const bare = name.replace(/ \[as [^\]]*\]$/, "").replace(/^(?:async |new |get |set )+/, "");
  const last = bare.slice(bare.lastIndexOf(".") + 1);
  const isNamed = last.length >= MIN_NAME_CHARS && /^[\w$]+$/.test(last) && last !== "anonymous";
  return isNamed ? last : "";
}

/** The last two segments. The ones before are a host, a build folder or a bundler's scheme. */
function getLastSegments(file: string): string {
  const segments = file.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
  return segments
    .slice(-2)
    .join("/")
    .replace(/[.-][\da-f]{8,}(?=\.\w+$)/i, "");
}

/**
 * The host of a script that is not the page's: a vendor's script fails for its own reasons. Empty
 * for a script of the page's own domain.
 */
function findForeignHost(file = "", url = ""): string {
  const [script, page] = [getDomain(file), getDomain(url)];
  return script === "" || page === "" || script === page ? "" : script;
}

/** `shop.example` for `https://cdn.shop.example/a.js`: the last two labels. */
function getDomain(url: string): string {
  const host = /^https?:\/\/([^/:?#]{1,253})/i.exec(url)?.[1]?.toLowerCase() ?? "";
  if (/^[\d.]*$/.test(host)) return host;
  return host.split(".").slice(-2).join(".");
}

/** `/cart/*` for `/cart/17`, `/cart/:id`, `/cart/[id]` and `https://shop.example/cart/17?x=1`. */
export function normalizeRoute(route: string | undefined): string {
  if (route === undefined || route === "") return "";
  const path = route
    .replace(/^[A-Z]{3,7} /, "")
    .replace(/^[a-z]{2,10}:\/\/[^/]*/, "")
    .replace(/[?#].*$/s, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  return `/${segments.map(normalizeSegment).join("/")}`;
}

function normalizeSegment(segment: string): string {
  // An escape belongs to a text in another script, which is a value more often than a page.
  const isVariable = /^[:*$[{<(]|@|%[\da-f]{2}/i.test(segment) || segment.length > 40;
  return isVariable ? "*" : replaceWordsWithDigits(segment);
}
