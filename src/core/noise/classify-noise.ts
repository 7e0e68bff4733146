/**
 * Tells what breaks in a browser and is no fault of the page, by the seven rules of `RULES` and nothing else. Narrow on
 * purpose: a fault that is kept apart by mistake is one that nobody sees. Never throws.
 */

import type { NoiseRule, ParsedReport, ReportKind } from "../report.ts";
import { matchInjectedGlobal, matchInjectedScript } from "./injected-scripts.ts";
import { extractNoiseSignals, type NoiseSignals } from "./noise-signals.ts";
import { matchTranslator } from "./translators.ts";

/** Why a report is kept apart. */
export interface NoiseMatch {
  readonly rule: NoiseRule;
  /** Whose it is, coarsely: an extension's origin, a global's name, a translator's name. Such reports group by it. */
  readonly source: string;
}

/**
 * The noise that a report is, undefined for a fault of the page. Only what a browser threw or reported of itself can be noise:
 * never what somebody wrote or logged, and never a report whose sender was shown a digest.
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

/** The rules in their order; the first that knows the noise names it. */
const RULES: readonly {
  readonly rule: NoiseRule;
  readonly match: (signals: NoiseSignals) => string | undefined;
}[] = [
  // What threw or broke a policy, or what the policy blocked, is a browser extension's or the browser's own, and no script of
  // the page called it: an extension may stand around the page's own `fetch`.
  {
    rule: "extension",
    match: ({ urls, isCalledByPage }) =>
      isCalledByPage ? undefined : findFirstMatch(urls, matchExtension),
  },
  // The whole message is one of the extension API's sentences, and no script file of the page threw it.
  { rule: "extension", match: matchExtensionApi },
  // What threw, broke a policy or was blocked is a script of an app's built-in browser, an antivirus or a proxy.
  { rule: "injected", match: ({ urls }) => findFirstMatch(urls, matchInjectedScript) },
  // What is missing is a global that only such a script asks for, and no script file of the page asked.
  { rule: "injected", match: matchInjectedGlobal },
  // The page was shown by a translator, at the translator's address.
  { rule: "translated", match: ({ pageUrl }) => matchTranslator(pageUrl, "pages") },
  // What threw, broke a policy or was blocked is a translator's script.
  {
    rule: "translated",
    match: ({ urls }) => findFirstMatch(urls, (url) => matchTranslator(url, "scripts")),
  },
  // A node is not where the page has put it, and the browser's reporter saw that the page had been translated.
  { rule: "translated", match: ({ isLostNode }) => (isLostNode ? "the browser" : undefined) },
];

function findFirstMatch(urls: readonly string[], match: (url: string) => string | undefined) {
  return urls.map(match).find((source) => source !== undefined);
}

/** `chrome-extension://…`, or the scheme alone, as a policy's report has it; Safari's mask; Firefox's own scripts. */
const EXTENSION_URL =
  /^((?:[a-z][a-z\d-]{0,40}-)?extension|webkit-masked-url|resource|chrome)(?::(?:\/\/([\w.-]{1,100}))?|$)/i;

/** Firefox and Safari give an extension another id in each installation. */
const PER_INSTALL_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `chrome-extension://<id>`, or the scheme alone where the id says nothing. */
function matchExtension(url: string): string | undefined {
  const [, scheme, host] = EXTENSION_URL.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const isNamed = host !== undefined && /extension$/i.test(scheme) && !PER_INSTALL_ID.test(host);
  return (isNamed ? `${scheme}://${host}` : scheme).toLowerCase();
}

/** What the APIs for messages between the parts of an extension say. Pages have no such parts. */
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

/** A page's own script may speak to an extension of its own team. */
function matchExtensionApi({ message, isFromFile }: NoiseSignals): string | undefined {
  const isApi = !isFromFile && EXTENSION_API_MESSAGES.has(message.replace(/\.$/, ""));
  return isApi ? "the extension API" : undefined;
}
