/**
 * Decides which files belong to the application rather than to a library, a framework, the runtime
 * or a browser extension. Pages highlight frames of the application, and the first one names the
 * culprit. Grouping keys depend on the newest frame of the application, so a change of these
 * patterns needs a new version of the grouping.
 */

/**
 * Files outside the application. Patterns are tested on the file as reported: path, URL or module
 * name.
 */
const LIBRARY_FILES: readonly { name: string; pattern: RegExp }[] = [
  {
    name: "package",
    pattern: /[\\/](?:node_modules|\.yarn|\.pnpm|registry\.npmjs\.org)[\\/]|^node_modules[\\/]/,
  },
  {
    name: "package on a CDN",
    pattern:
      /^https?:\/\/(?:esm\.sh|unpkg\.com|cdn\.jsdelivr\.net|cdnjs\.cloudflare\.com|jsr\.io|deno\.land)\//,
  },
  {
    name: "runtime",
    pattern:
      /^(?:(?:node|bun|ext|deno|npm|jsr|cloudflare|workerd|node-internal|internal)[:/]|InternalBytecode\.js$)/,
  },
  { name: "browser extension", pattern: /^(?:chrome|moz|safari|safari-web|ms-browser)-extension:/ },
  { name: "browser", pattern: /^(?:chrome|resource|about|webkit-masked-url):/ },
  { name: "Next.js", pattern: /[\\/]next[\\/](?:dist|src)[\\/]|turbopack_runtime|\[turbopack\]/ },
  { name: "React DOM", pattern: /(?:^|[\\/])react-dom[.\\/-]/ },
  {
    name: "React",
    pattern: /(?:^|[\\/])(?:react|scheduler)[.-][\w.-]{0,40}(?:production|development)/,
  },
  { name: "webpack", pattern: /(?:^|[\\/(])webpack[\\/](?:bootstrap|runtime)|\(webpack\)/ },
  { name: "Vite", pattern: /[\\/]@(?:vite|react-refresh|id)\b/ },
  { name: "no file", pattern: /^(?:<anonymous>|native|anonymous|\[native code\]|\[wasm code\])?$/ },
];

/** True when `file`, as a stack names it, is code of the application; false without a file. */
export function isInApp(file: string | undefined): boolean {
  return file !== undefined && !LIBRARY_FILES.some(({ pattern }) => pattern.test(file));
}
