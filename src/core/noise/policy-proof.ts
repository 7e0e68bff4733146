/**
 * CSP violations that the page did not cause, decided by what a page token proves: the policy that
 * the page was sent with, and, for a page of Errata itself, what else it was sent with. Used by
 * `classify-noise.ts`.
 */
import { asRecord, asText } from "../decode/as-type.ts";
import { isOfSelfTest } from "../report/self-reports.ts";
import type { ParsedReport } from "../report.ts";

/** What a page token proves about a report. */
export interface PolicyProof {
  /** The policy of the report is not the one that the page was sent with. */
  readonly isPolicyChanged?: boolean | undefined;
  /** The report is about a page of Errata itself. */
  readonly isOnOwnPage?: boolean | undefined;
}

/** Why a report is noise of the rule `injected`: values of a tag with the name of the rule. */
export const INJECTED_REASONS = ["policy-changed", "not-sent"] as const;
export type InjectedReason = (typeof INJECTED_REASONS)[number];

/**
 * `policy-changed`: something between the server and the page changed its policy. `not-sent`: the
 * page was sent without what the policy blocked. Undefined if the page may have caused the violation.
 */
export function findInjectedReason(
  report: ParsedReport,
  { isPolicyChanged = false, isOnOwnPage = false }: PolicyProof,
): InjectedReason | undefined {
  if (report.kind !== "csp") return undefined;
  if (isPolicyChanged) return "policy-changed";
  return isOnOwnPage && !isOfSelfTest(report) && isForeign(report) ? "not-sent" : undefined;
}

/** How the inline scripts of Errata's pages begin: those of React, then those of `render/`. */
const OWN_SCRIPT =
  /^(?:(?:requestAnimationFrame\(function\(\)\{)?\$R|document\.currentScript\.p|Object\.definePropert|\(function\(d,id\)\{)/;

/** Errata's pages have no attributes with scripts or styles, and everything is of their origin. */
function isForeign({ type, blockedUri = "", detail, request }: ParsedReport): boolean {
  if (blockedUri !== "inline") {
    const origin = URL.parse(blockedUri)?.origin;
    return /^(?:data|blob|filesystem)$/.test(blockedUri) || isOther(origin, request?.url);
  }
  if (!type.startsWith("script-src") || type.endsWith("-attr")) return true;
  const body = asRecord(detail) ?? {};
  const sample = asText(body.sample) ?? asText(body["script-sample"]) ?? "";
  return sample !== "" && !OWN_SCRIPT.test(sample);
}

function isOther(origin: string | undefined, pageUrl = ""): boolean {
  return origin !== undefined && origin !== URL.parse(pageUrl)?.origin;
}
