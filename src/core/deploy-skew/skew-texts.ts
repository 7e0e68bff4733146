/**
 * Texts of errors that a page has after another release was deployed: a file of its own release is
 * gone, a server function has another id, or a payload was made for other files. The same texts
 * occur without a deploy, if a network fails: `deploy-skew.ts` decides by the releases. Pure.
 */
import { toBareMessage } from "../report/bare-message.ts";
import type { ReportSummary } from "../report/report-summary.ts";

/**
 * What the page asked for: a `file` with code or styles, or a server `function`. Only a browser
 * misses a file; a server tells of a function that the page of another release called.
 */
export type SkewKind = "file" | "function";

/** Each text, with its source. None is matched in the middle of a message. */
const SKEW_TEXTS: Readonly<Record<SkewKind, readonly RegExp[]>> = {
  file: [
    // Chromium, and Parcel, which adds the cause: `import()`.
    /^Failed to fetch dynamically imported module\b/,
    // Firefox.
    /^error loading dynamically imported module\b/,
    // Safari.
    /^Importing a module script failed\b/,
    // Safari and Chromium: the address answers with a page.
    /^'text\/html' is not a valid JavaScript MIME type\b/,
    /^Failed to load module script: /,
    // Firefox.
    /^Loading module from .{1,500} was blocked because of a disallowed MIME type/,
    // webpack and Rspack: scripts, styles of either plugin, and remote containers.
    /^Loading (?:CSS |css )?chunk \S{1,200} failed\b/,
    /^Loading script failed\.\s{1,4}\((?:missing|error|timeout): /,
    // Turbopack: the runtime of browsers.
    /^Failed to load chunk \S{1,500}(?: from | as a |$)/,
    /^Module \S{1,300} was instantiated .{1,500}, but the module factory is not available/,
    // Vite: helpers/preload.
    /^Unable to preload CSS for \//,
    // Next.js: client/route-loader.
    /^Failed to load script: \S{0,300}\/_next\/static\//,
    // Parcel: a bundle of another build does not have the id.
    /^Cannot find module '(?=[a-z]*[\dA-Z])[\dA-Za-z]{5}'$/,
    // React Router: dom/ssr/fog-of-war.
    /^Unable to discover routes due to manifest version mismatch\b/,
    // React: a payload names modules that the build of the page does not have.
    /^Could not find the module "[^"]{1,500}" in the React Client Manifest\b/,
    /^Minified React error #596;/,
    /^Expected an initialized chunk but got an initialized stream chunk instead\b/,
    /^Minified React error #599;/,
  ],
  function: [
    // Next.js: server/app-render/manifests-singleton, and the browser's side of it.
    /^Failed to find Server Action\b/,
    /^Server Action "[^"]{1,300}" was not found on the server\b/,
    // React: the other bundlers of server functions.
    /^Could not find the module "[^"]{1,500}" in the React Server Manifest\b/,
    /^Minified React error #589;/,
    // TanStack Start: start-server-core.
    /^Server function (?:info not found for|module not resolved for|module export not resolved for serverFn ID:) /,
    // vinext.
    /^Server action not found\.$/,
    // Astro: core/errors/errors-data, ActionNotFoundError.
    /^The server received a request for an action named \S{1,300} but could not find a match\b/,
  ],
};

/** What a report misses; undefined for any other error. Linear time. */
export function findSkewKind({
  kind,
  side,
  message,
}: Pick<ReportSummary, "kind" | "side" | "message">): SkewKind | undefined {
  if (kind !== "error") return undefined;
  const bare = toBareMessage(message);
  const matches = (text: RegExp) => text.test(bare);
  if (side === "browser" && SKEW_TEXTS.file.some(matches)) return "file";
  return SKEW_TEXTS.function.some(matches) ? "function" : undefined;
}
