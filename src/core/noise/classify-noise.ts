/**
 * Recognizes browser errors that the page did not cause, by the seven rules of `RULES` only. The
 * rules are narrow, because members do not notice an error that is hidden by mistake. Never throws.
 */

import type { NoiseRule, ParsedReport, ReportKind } from "../report.ts";
import { matchInjectedGlobal, matchInjectedScript } from "./injected-scripts.ts";
import { extractNoiseSignals, type NoiseSignals } from "./noise-signals.ts";
import { matchTranslator } from "./translators.ts";

/** The rule and source of noise. */
export interface NoiseMatch {
  readonly rule: NoiseRule;
  /**
   * The origin of an extension, the name of a global, the name of a translator. Noise is grouped by
   * it.
   */
  readonly source: string;
}

/**
 * The noise in a report; undefined for an error of the page. Only errors and browser reports can be
 * noise; feedback, log messages and reports whose sender was shown a digest never are.
 */
export function classifyNoise(report: ParsedReport): NoiseMatch | undefined {
  if (report.side !== "browser" || report.linkedDigest !== undefined) return undefined;
  if (!BROWSER_KINDS.has(report.kind)) return undefined;
  const signals = extractNoiseSignals(report);
  for (const { rule, match } of RULES) {
    const source = match(signals);
    if (source !== undefined) return { rule, source };
  }
  return undefined;
}

const BROWSER_KINDS: ReadonlySet<ReportKind> = new Set(["error", "csp", "browser"]);

/** The rules in order; the first match applies. */
const RULES: readonly {
  readonly rule: NoiseRule;
  readonly match: (signals: NoiseSignals) => string | undefined;
}[] = [
  // The code that threw or violated a policy, or the URL that a policy blocked, belongs to a
  // browser extension or to the browser, and no script of the page called it (an extension may wrap
  // the page's `fetch`).
  {
    rule: "extension",
    match: ({ urls, isCalledByPage }) =>
      isCalledByPage ? undefined : findFirstMatch(urls, matchExtension),
  },
  // The whole message is one of the extension API's, and no script file of the page threw it.
  { rule: "extension", match: matchExtensionApi },
  // The script that threw, violated a policy or was blocked belongs to an in-app browser, an
  // antivirus or a proxy.
  { rule: "injected", match: ({ urls }) => findFirstMatch(urls, matchInjectedScript) },
  // The missing global is one that only such scripts use, and no script file of the page used it.
  { rule: "injected", match: matchInjectedGlobal },
  // A translator served the page from its own address.
  { rule: "translated", match: ({ pageUrl }) => matchTranslator(pageUrl, "pages") },
  // The script that threw, violated a policy or was blocked belongs to a translator.
  {
    rule: "translated",
    match: ({ urls }) => findFirstMatch(urls, (url) => matchTranslator(url, "scripts")),
  },
  // A node is not where the page inserted it, and Errata's reporter saw that the page was
  // translated.
  { rule: "translated", match: ({ isLostNode }) => (isLostNode ? "the browser" : undefined) },
];

function findFirstMatch(urls: readonly string[], match: (url: string) => string | undefined) {
  return urls.map(match).find((source) => source !== undefined);
}

/**
 * `chrome-extension://…`, or only the scheme, as in CSP reports; Safari's masked URL; Firefox's own
 * scripts.
 */
const EXTENSION_URL =
  /^((?:[a-z][a-z\d-]{0,40}-)?extension|webkit-masked-url|resource|chrome)(?::(?:\/\/([\w.-]{1,100}))?|$)/i;

/** Firefox and Safari give an extension a different id in each installation. */
const PER_INSTALL_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `chrome-extension://<id>`, or only the scheme if the id is specific to the installation. */
function matchExtension(url: string): string | undefined {
  const [, scheme, host] = EXTENSION_URL.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const isNamed = host !== undefined && /extension$/i.test(scheme) && !PER_INSTALL_ID.test(host);
  return (isNamed ? `${scheme}://${host}` : scheme).toLowerCase();
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

/** The page's own script may use an extension of the same team. */
function matchExtensionApi({ message, isFromFile }: NoiseSignals): string | undefined {
  const isApi = !isFromFile && EXTENSION_API_MESSAGES.has(message.replace(/\.$/, ""));
  return isApi ? "the extension API" : undefined;
}
