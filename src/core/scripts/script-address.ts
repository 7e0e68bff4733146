/**
 * The address of a script in a form that frames and uploads can be compared by. Pure text: nothing
 * is requested from any address.
 */

/** Where a script was loaded from, or where an upload says that it is served. */
export interface ScriptAddress {
  /**
   * The host of a web page's script in lower case, without `www.` and without the port, which only
   * tells apart servers on one machine (`localhost:3000`). For code that no build of the project
   * wrote (`node:`, `webpack:`), the scheme. Absent for paths and for `~/…`.
   */
  readonly host?: string;
  /** The segments of the path, percent-decoded, without empty ones, `.` and `..`. */
  readonly segments: readonly string[];
  /** `?v=3`, or empty. */
  readonly query: string;
}

/** Prefixes that runtimes and SDKs put before the address of a script. */
const PREFIXES =
  /^(?:async |blob:(?=https?:)|webpack-internal:\/{2,3}|file:\/\/(?:localhost)?(?=\/))+/i;
const ADDRESS = /^(?:([a-z][\w+.-]*):)?\/\/([^/]*)(.*)$/is;
const FOREIGN_SCHEMES: readonly string[] = [
  // Pages and code of a browser.
  "chrome(?:-[\\w-]+)?|moz-[\\w-]+|edge|opera|brave|vivaldi|devtools|(?:safari-)?res(?:ource)?",
  "about|data|blob|javascript|view-source|jar|mxaddon-pkg",
  // Its extensions, and scripts of its users and tools.
  "[\\w-]*-?extensions?|user-?script|webkit-masked-url|snippet|pptr",
  // Runtimes.
  "node|deno|bun|ext|native|[\\w-]*-?internal|wasm|eval|debugger",
  // Original sources that a map already named.
  "webpack|turbopack|rsc|vite",
];
const FOREIGN_SCHEME = new RegExp(`^(?:${FOREIGN_SCHEMES.join("|")})$`, "i");
/** Hosts that custom schemes of apps name instead of a folder: `app://./main.js`. */
const NO_FOLDER = /^(?:|\.|-|localhost)$/i;

/** True for the scheme of code that no build of the project wrote: `node`, `chrome-extension`. */
export function isForeignScheme(scheme: string): boolean {
  return FOREIGN_SCHEME.test(scheme);
}

/** Parses the file of a frame or the URL of an upload. */
export function parseScriptAddress(file: string): ScriptAddress {
  const sent = cutAt(file, "#").replace(PREFIXES, "");
  const address = cutAt(sent, "?");
  const query = sent.slice(address.length);
  // A folder in a Windows network is a path too.
  const isShare = address.startsWith("\\\\");
  const text = address.replaceAll("\\", "/");
  const [, scheme = "", authority = "", path = ""] = (!isShare && ADDRESS.exec(text)) || [];
  if (isShare || (scheme === "" && authority === ""))
    return { ...readScheme(text), segments: toSegments(text.replace(/^~\//, "")), query };
  if (scheme === "" || /^https?$/i.test(scheme))
    return { host: toHost(scheme, authority), segments: toSegments(path), query };
  if (FOREIGN_SCHEME.test(scheme)) {
    const host = `${scheme}://${authority}`.toLowerCase();
    return { host, segments: toSegments(path), query };
  }
  const hasFolder = /^app$/i.test(scheme) ? !NO_FOLDER.test(authority) : path === "";
  return { segments: toSegments(hasFolder ? authority + path : path), query };
}

/**
 * The host of a page's URL, comparable with that of a script; undefined for a page without one
 * (`about:srcdoc`, `file:///index.html`).
 */
export function getPageHost(url: string | undefined): string | undefined {
  const host = url === undefined ? undefined : parseScriptAddress(url).host;
  return host?.endsWith(":") ? undefined : host;
}

/** False for the scheme that stands for the host of code that no build of the project wrote. */
export function isWebHost(host: string): boolean {
  return !/:$|:\/\//.test(host);
}

/**
 * True if one host is a subdomain of the other: `cdn.shop.example` and `shop.example`. Two
 * subdomains of one domain can belong to different owners, as those of `pages.dev` do.
 */
export function areOfOneSite(a: string, b: string): boolean {
  return a === b || (a !== "" && b !== "" && (a.endsWith(`.${b}`) || b.endsWith(`.${a}`)));
}

/** True if both have the same path, whatever the host and the query. */
export function haveSamePath(a: ScriptAddress, b: ScriptAddress): boolean {
  return a.segments.length === b.segments.length && haveSameTail(a, b, a.segments.length);
}

/** True if the last `count` segments of both paths are equal; false if one has fewer. */
export function haveSameTail(a: ScriptAddress, b: ScriptAddress, count: number): boolean {
  if (a.segments.length < count || b.segments.length < count) return false;
  for (let n = 1; n <= count; n++) if (a.segments.at(-n) !== b.segments.at(-n)) return false;
  return true;
}

/** `node:internal/modules` is no path; `C:/app` is one. */
function readScheme(text: string): Pick<ScriptAddress, "host"> {
  const scheme = /^([a-z][\w+-]+):/i.exec(text)?.[1];
  return scheme !== undefined && FOREIGN_SCHEME.test(scheme) ? { host: `${scheme}:` } : {};
}

function toHost(scheme: string, authority: string): string {
  const url = URL.parse(`${scheme || "https"}://${authority}`);
  if (url === null) return authority.toLowerCase();
  const name = url.hostname.replace(/\.$/, "").replace(/^www\./, "");
  const isLoopback = /^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/.test(name);
  return isLoopback && url.port !== "" ? `${name}:${url.port}` : name;
}

function toSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const part of path.split("/")) {
    const segment = decodePercent(part);
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

/** The text percent-decoded; unchanged if an escape is malformed. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function cutAt(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}
