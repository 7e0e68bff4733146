/**
 * The names under which the file of a frame may have been uploaded. Sentry's tools upload files by
 * URL, with `~` instead of the scheme and host (`~/assets/app.js`). Source: getsentry/symbolicator,
 * symbolicator-js `utils.rs`. All functions are pure text: nothing is requested from any URL.
 */
import { decodePercent } from "../scripts/script-address.ts";

/** Prefixes that runtimes and old SDKs put before the path of a file. */
const PREFIXES = /^(?:async |app:\/{2,3}|webpack-internal:\/{2,3}|file:\/\/(?:localhost)?(?=\/))+/;

/** The file of a frame without fragment and without the prefixes of runtimes. */
function normalizeFile(file: string): string {
  return removeFragment(file).replace(PREFIXES, "").replaceAll("\\", "/");
}

function removeFragment(file: string): string {
  const hash = file.indexOf("#");
  return hash === -1 ? file : file.slice(0, hash);
}

/** The URL without its query. */
export function removeQuery(file: string): string {
  const query = file.indexOf("?");
  return query === -1 ? file : file.slice(0, query);
}

function toHostless(file: string): string {
  if (file.startsWith("~/")) return file;
  return `~/${file.replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, "").replace(/^\/+/, "")}`;
}

/** The last segment of a path or URL, percent-decoded: `app.js`. */
export function getFileName(file: string): string {
  return splitPath(file).at(-1) ?? "";
}

/** The segments of a path or URL without host and query, percent-decoded. */
export function splitPath(file: string): readonly string[] {
  const path = removeQuery(toHostless(normalizeFile(file))).slice(2);
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .map(decodePercent);
}

/** The number of path segments at the end that two files share. */
export function countCommonTail(a: string, b: string): number {
  const [left, right] = [splitPath(a), splitPath(b)];
  let count = 0;
  while (
    count < left.length &&
    count < right.length &&
    left.at(-1 - count) === right.at(-1 - count)
  ) {
    count++;
  }
  return count;
}

/**
 * The URLs at which the map of a script may have been uploaded, best first: its reference (the
 * `sourcemap` header or `sourceMappingURL`) resolved against its URL, the same percent-decoded, and
 * the script's URL with `.map`. A `data:` URL gives none.
 */
export function listMapUrls(scriptUrl: string, reference?: string): readonly string[] {
  const base = removeQuery(removeFragment(scriptUrl));
  const urls: string[] = [];
  if (reference !== undefined && !/^data:/i.test(reference)) {
    const resolved = resolveUrl(base, removeFragment(reference));
    urls.push(resolved, decodePercent(resolved));
    // Files of one folder may be uploaded below a different prefix from the script's.
    if (/^[a-z][\w+.-]*:\/\//i.test(resolved)) urls.push(toHostless(resolved));
  }
  if (reference === undefined || !/^data:/i.test(reference)) urls.push(`${base}.map`);
  return [...new Set(urls)];
}

/**
 * The URLs at which a source may have been uploaded, best first: its name resolved against the URL
 * of its map, and its name.
 */
export function listSourceUrls(mapUrl: string, name: string): readonly string[] {
  const base = removeQuery(removeFragment(mapUrl));
  return [...new Set([resolveUrl(base, name), name, toHostless(normalizeFile(name))])];
}

function resolveUrl(base: string, reference: string): string {
  if (/^(?:[a-z][\w+.-]*:|~\/)/i.test(reference)) return reference;
  const [, root = "", path = ""] = /^(~|[a-z][\w+.-]*:\/\/[^/]*|)(.*)$/is.exec(base) ?? [];
  if (reference.startsWith("//")) return `${/^[a-z][\w+.-]*:/i.exec(root)?.[0] ?? ""}${reference}`;
  if (reference.startsWith("/")) return root + reference;
  const segments = path
    .slice(0, path.lastIndexOf("/") + 1)
    .split("/")
    .slice(0, -1);
  for (const part of reference.split("/")) {
    if (part === "..") {
      if (segments.length > 1) segments.pop();
    } else if (part !== ".") segments.push(part);
  }
  return root + segments.join("/");
}
