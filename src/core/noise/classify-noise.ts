/**
 * Recognizes browser errors that the page did not cause, by the matchers of `MATCHERS` only. They
 * are narrow, because members do not notice an error that is hidden by mistake. Never throws.
 */

import type { ParsedReport, ReportKind } from "../report.ts";
import { matchBrowserPage, matchExtension, matchExtensionText } from "./extensions.ts";
import { matchInjectedScript, matchInjectedText } from "./injected-scripts.ts";
import type { SwitchableNoiseRule } from "./noise-rules.ts";
import { extractNoiseSignals, type NoiseSignals } from "./noise-signals.ts";
import { findInjectedReason, type InjectedReason, type PolicyProof } from "./policy-proof.ts";
import { matchTranslator, matchTranslatorText } from "./translators.ts";

/** The rule and source of noise. */
export interface NoiseMatch {
  readonly rule: SwitchableNoiseRule;
  /**
   * The origin of an extension, the name of a global, the name of a translator. Noise is grouped by
   * it.
   */
  readonly source: string;
  /** What a page token proved. */
  readonly reason?: InjectedReason;
}

/**
 * The noise in a report; undefined for an error of the page. Ignores the rules in `disabledRules`.
 * What `proof` decides applies where no matcher names the source.
 * Only errors and browser reports can be noise; feedback, log messages and reports whose sender was
 * shown a digest never are.
 */
export function classifyNoise(
  report: ParsedReport,
  disabledRules: readonly SwitchableNoiseRule[] = [],
  proof: PolicyProof = {},
): NoiseMatch | undefined {
  if (report.side !== "browser" || report.linkedDigest !== undefined) return undefined;
  if (!BROWSER_KINDS.has(report.kind)) return undefined;
  const signals = extractNoiseSignals(report);
  for (const { rule, match } of MATCHERS) {
    const source = disabledRules.includes(rule) ? undefined : match(signals);
    if (source !== undefined) return { rule, source };
  }
  const reason = disabledRules.includes("injected") ? undefined : findInjectedReason(report, proof);
  return reason && { rule: "injected", source: reason, reason };
}

const BROWSER_KINDS: ReadonlySet<ReportKind> = new Set(["error", "recovered", "csp", "browser"]);

/** The matchers in order; the first match applies. */
const MATCHERS: readonly {
  readonly rule: SwitchableNoiseRule;
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
  // A policy blocked a page of the browser, or such a page violated it.
  {
    rule: "extension",
    match: ({ urls, isViolation }) =>
      isViolation ? findFirstMatch(urls, matchBrowserPage) : undefined,
  },
  // The message is one that extensions cause, and no script file of the page threw it.
  { rule: "extension", match: matchExtensionText },
  // The script that threw, violated a policy or was blocked belongs to an in-app browser, an
  // antivirus, a proxy or an advertiser.
  { rule: "injected", match: matchInjectedScript },
  // The message, or the missing global, is one of such scripts, and no script file of the page
  // threw it.
  { rule: "injected", match: matchInjectedText },
  // A translator served the page from its own address.
  { rule: "translated", match: ({ pageUrl }) => matchTranslator(pageUrl, "pages") },
  // The script that threw, violated a policy or was blocked belongs to a translator.
  {
    rule: "translated",
    match: ({ urls }) => findFirstMatch(urls, (url) => matchTranslator(url, "scripts")),
  },
  // The message is one that a translator caused, and no script file of the page threw it.
  { rule: "translated", match: matchTranslatorText },
  // A node is not where the page inserted it, and Errata's reporter saw that the page was
  // translated.
  { rule: "translated", match: ({ isLostNode }) => (isLostNode ? "the browser" : undefined) },
];

function findFirstMatch(urls: readonly string[], match: (url: string) => string | undefined) {
  return urls.map(match).find((source) => source !== undefined);
}
