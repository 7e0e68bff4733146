/**
 * Grouping, version 1 (frozen): messages of browsers and servers about the platform: JSON,
 * requests, modules, the DOM, storage, and React's numbered errors. A continuation of
 * `value-messages.ts`.
 */
import type { EngineMessage } from "./value-messages.ts";

/** Errors that browsers throw. An application's `Error` may have any message. */
const ENGINE_TYPES =
  /^(?:Type|Syntax|Range|InvalidCharacter|InvalidState|InvalidAccess|NotFound|NotAllowed|NotSupported|Security|HierarchyRequest|Data)Error$/;

/** Gecko writes `Node.appendChild: …`. An application's `Cart.load: …` must not match. */
const WEB_INTERFACES =
  "(?:Node|(?:HTML|SVG)?\\w{0,30}Element|Document|Window|Response|Request|Headers|Storage|History|Clipboard|IDB\\w{1,30}|DOMTokenList|Canvas\\w{1,30}|Range|Selection|Worker|WebSocket|XMLHttpRequest|FormData|Blob|File\\w{0,20}|\\w{1,30}Observer|EventTarget|Navigator|Location|Cache\\w{0,20}|Crypto|SubtleCrypto|Performance|Audio\\w{0,30}|Media\\w{1,30})";

/** A host without its port; an address is a value. */
function toHostName(host = ""): string | undefined {
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  return /[a-z]/.test(name) && name !== "localhost" ? name : undefined;
}

/** Errors of the platform. */
export const platformMessages: readonly EngineMessage[] = [
  {
    neutral: "not JSON",
    types: /^SyntaxError$/,
    // The last pattern is the message of WebKit's `response.json()`.
    patterns: [/\bJSON\b/, /^The string did not match the expected pattern/],
  },
  {
    // Usually an HTML page in place of a script.
    neutral: "script not understood",
    types: /^SyntaxError$/,
    patterns: [
      /^(?:Invalid or )?unexpected (?:token|identifier|end of|string|number|EOF|keyword|strict)/i,
      /^expected expression, got /,
    ],
  },
  {
    neutral: "invalid URL",
    types: /^TypeError$/,
    patterns: [
      /^(?:Failed to construct 'URL': )?Invalid (?:base )?URL/,
      /^URL constructor: /,
      /cannot be parsed as a URL/,
    ],
  },
  {
    neutral: "request failed",
    types: /^TypeError$/,
    // Sentry's SDK appends the host, in every engine.
    patterns: [
      /^(?:Failed to fetch|Load failed|fetch failed|NetworkError when attempting to fetch resource\.)(?: \((?<host>[\w.:-]{1,200})\))?$/,
      /^NetworkError when attempting to fetch resource/,
    ],
    detail: ({ host }) => toHostName(host),
  },
  {
    neutral: "module not loaded",
    type: "TypeError",
    patterns: [
      /^Failed to fetch dynamically imported module/,
      /^error loading dynamically imported module/,
      /^Importing a module script failed/,
    ],
    // An old tab looks for the files of the previous build, on any page.
    isSpecific: true,
  },
  {
    neutral: "chunk not loaded",
    type: "ChunkLoadError",
    patterns: [
      /^Loading (?:CSS )?chunk \S{1,200} failed/,
      /^Failed to load chunk /,
      /^Unable to preload CSS for /,
    ],
    isSpecific: true,
  },
  { neutral: "aborted", types: /^AbortError$/, patterns: [/\babort/i] },
  { neutral: "timed out", types: /^TimeoutError$/, patterns: [/\btim(?:ed|e) ?-?out/i] },
  {
    neutral: "not cloneable",
    types: /^DataCloneError$/,
    patterns: [/could not be cloned/, /can not be cloned/],
  },
  {
    neutral: "not a child of the node",
    types: /^NotFoundError$/,
    patterns: [/is not a child of this node\.?$/, /^The object can ?not be found here/],
  },
  {
    // Any page may be the one that fills it.
    neutral: "storage is full",
    types: /^QuotaExceededError$/,
    patterns: [/\bquota\b/i],
    isSpecific: true,
  },
  {
    neutral: "no access",
    types: /^SecurityError$/,
    patterns: [
      /^Failed to read the '\w{1,60}' property from /,
      /^Window\.\w{1,60} getter: /,
      /^The operation is insecure/,
    ],
  },
  {
    neutral: "playing is not allowed",
    types: /^NotAllowedError$/,
    patterns: [
      /^play\(\) failed /,
      /^The (?:play method|request) is not allowed by the user agent or the platform/,
    ],
  },
  {
    neutral: "React error",
    patterns: [/^Minified React error #(?<number>\d{1,6})/],
    detail: ({ number = "" }) => number,
  },
  {
    neutral: "every promise was rejected",
    types: /^AggregateError$/,
    patterns: [/^All promises were rejected$/, /^No Promise in Promise\.any was resolved$/],
  },
  {
    // WebKit names no call, so this comes before the calls that the other engines name.
    neutral: "not a valid selector",
    types: /^SyntaxError$/,
    patterns: [/(?:^|: )'.{0,500}' is not a valid selector\.?$/s],
  },
  {
    neutral: "call of the platform",
    types: ENGINE_TYPES,
    patterns: [
      /^Failed to execute '(?<member>\w{1,60})' on '(?<owner>\w{1,60})': /,
      new RegExp(`^(?<owner>${WEB_INTERFACES})\\.(?<member>\\w{1,60}): `),
      /^Failed to construct '(?<made>\w{1,60})': /,
      new RegExp(`^(?<made>${WEB_INTERFACES}) constructor: `),
    ],
    detail: ({ owner, member, made }) =>
      made === undefined ? `${owner}.${member}` : `new ${made}`,
  },
  {
    neutral: "ResizeObserver loop",
    type: "ResizeObserver",
    patterns: [/^ResizeObserver loop /],
    isSpecific: true,
  },
  { neutral: "error of another origin", patterns: [/^Script error\.?$/] },
];
