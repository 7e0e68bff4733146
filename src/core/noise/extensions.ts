/**
 * Signs of browser extensions and of the browser itself: the schemes of their scripts, and messages
 * that only they cause. Used by `classify-noise.ts`.
 */
import { findKnownText, type KnownText } from "./known-text.ts";
import type { NoiseSignals } from "./noise-signals.ts";

/**
 * `chrome-extension://…`, or only the scheme, as in CSP reports; Safari's masked URL; the own pages
 * and archives of browsers. `blob:` and `filesystem:` are objects that such a script created.
 */
const EXTENSION_URL =
  /^(?:blob:|filesystem:)?((?:[a-z][a-z\d-]{0,40}-)?extension|webkit-masked-url|resource|chrome|chrome-error|edge|brave|vivaldi|mxaddon-pkg|jar)(?::(?:\/\/([\w.-]{1,100}))?|$)/i;

/** Firefox and Safari give an extension a different id in each installation. */
const PER_INSTALL_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Firefox's name for the code of content scripts: ExtensionContent.sys.mjs, `evalInSandbox`. */
export const CONTENT_SCRIPT = "sandbox eval code";

/** Chrome's page for a failed navigation, which has the policy of the page that failed. */
const CHROME_ERROR_PAGE = /^data:text\/html,chromewebdata\b/i;

/** `chrome-extension://<id>`, or only the scheme if the id is specific to the installation. */
export function matchExtension(url: string): string | undefined {
  if (url === CONTENT_SCRIPT) return CONTENT_SCRIPT;
  if (CHROME_ERROR_PAGE.test(url)) return "chrome-error";
  const [, scheme, host] = EXTENSION_URL.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const isNamed = host !== undefined && /extension$/i.test(scheme) && !PER_INSTALL_ID.test(host);
  return (isNamed ? `${scheme}://${host}` : scheme).toLowerCase();
}

/**
 * `about` if a policy blocked a page of the browser, or such a page violated it. A policy does not
 * apply to `about:blank` of the page itself. Source: Sentry, interfaces/security.py.
 */
export function matchBrowserPage(url: string): string | undefined {
  return /^about(?::|$)/i.test(url) ? "about" : undefined;
}

/** Messages of the extension messaging APIs, which pages do not have. */
const EXTENSION_API_MESSAGES: ReadonlySet<string> = new Set([
  "Extension context invalidated",
  "Could not establish connection. Receiving end does not exist",
  "The message port closed before a response was received",
  "A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received",
  "The page keeping the extension port is moved into back/forward cache, so the message channel is closed",
  "Attempting to use a disconnected port object",
  "Promised response from onMessage listener went out of scope",
  "Invalid call to runtime.sendMessage(). Tab not found",
]);

const RELAY = "Relay, relay-filter/src/browser_extensions.rs";
const SENTRY_SDK = "@sentry/core, integrations/eventFilters.ts";

/** Other messages that extensions cause in pages. */
const EXTENSION_TEXTS: readonly KnownText[] = [
  { text: /(?<![\w$.])top\.GLOBALS\b/, source: "top.GLOBALS", from: RELAY },
  { text: /(?<![\w$.])canvas\.contentDocument\b/, source: "canvas.contentDocument", from: RELAY },
  { text: /\boriginalCreateNotification\b/, source: "originalCreateNotification", from: RELAY },
  {
    text: /(?<![\w$.])plugin\.setSuspendState is not a function/,
    source: "Dragon Web Extension",
    from: RELAY,
  },
  { text: /\bwebkit-masked-url:/, source: "webkit-masked-url", from: RELAY },
  // Firefox: a content script used an object of a document that is gone.
  { text: /^can't access dead object\b/, source: "can't access dead object", from: RELAY },
  {
    text: /^(?:Cannot redefine property: (?:ethereum|solana)$|can't redefine non-configurable property "(?:ethereum|solana)")/,
    source: "a wallet",
    from: SENTRY_SDK,
  },
  { text: /^Cannot redefine property: googletag$/, source: "an ad blocker", from: SENTRY_SDK },
  {
    text: /\bshould_do_lastpass_here\b/,
    source: "LastPass",
    from: "Sentry, ingest/inbound_filters.py",
  },
];

/**
 * The source of a message that an extension caused. Undefined if a script file of the page threw
 * it: the page may use an extension of the same team.
 */
export function matchExtensionText({ message, isFromFile }: NoiseSignals): string | undefined {
  if (isFromFile) return undefined;
  if (EXTENSION_API_MESSAGES.has(message.replace(/\.$/, ""))) return "the extension API";
  return findKnownText(EXTENSION_TEXTS, message);
}
