/**
 * The headers of a page with the tag: what the server tells the browser about the page, where the
 * browser's own reports go, and no promise about a body that has changed. Sources: Server Timing
 * § 3.1, Reporting API § 3.2, RFC 9110 § 8.8.3 (weak validators).
 */

import {
  formatPageFacts,
  PAGE_FACTS_HEADER,
  type PageFacts,
  readPageFact,
} from "../adapters/page-facts.ts";
import type { Policies } from "./policy-with-tag.ts";

/** The name of the group that policies of a page may name. */
export const REPORTING_GROUP = "errata";

const ENFORCED = "content-security-policy";
const REPORT_ONLY = "content-security-policy-report-only";

/** The policies of a response. */
export function readPolicies(headers: Headers): Policies {
  return { enforced: headers.get(ENFORCED), reportOnly: headers.get(REPORT_ONLY) };
}

/** Which of the page facts the origin has sent itself: it uses an adapter. */
export function readSentFacts(headers: Headers): { hasToken: boolean; hasTrace: boolean } {
  const timing = headers.get(PAGE_FACTS_HEADER);
  const has = (name: keyof PageFacts) => readPageFact(timing, name) !== undefined;
  return { hasToken: has("token"), hasTrace: has("trace") };
}

/** Adds page facts to those of the origin. */
export function addPageFacts(headers: Headers, facts: PageFacts): void {
  const text = formatPageFacts(facts);
  if (text !== "") headers.append(PAGE_FACTS_HEADER, text);
}

/** Sets the policies that changed. */
export function setPolicies(headers: Headers, { enforced, reportOnly }: Policies): void {
  if (enforced !== null) headers.set(ENFORCED, enforced);
  if (reportOnly !== null) headers.set(REPORT_ONLY, reportOnly);
}

/**
 * Names the receiver of the browser's reports. The group `default` gets crashes and deprecations. A
 * site that has it keeps it.
 */
export function addReportingGroups(headers: Headers, url: string): void {
  const existing = headers.get("reporting-endpoints") ?? "";
  const names = (name: string) => new RegExp(`(?:^|,)\\s*${name}\\s*=`).test(existing);
  const hasDefault = headers.has("report-to") || names("default");
  for (const name of [REPORTING_GROUP, ...(hasDefault ? [] : ["default"])]) {
    if (!names(name)) headers.append("reporting-endpoints", `${name}="${url}"`);
  }
}

/** Removes what is no longer true of a changed body. */
export function weakenValidators(headers: Headers): void {
  headers.delete("content-length");
  headers.delete("accept-ranges");
  const tag = headers.get("etag");
  if (tag?.startsWith('"')) headers.set("etag", `W/${tag}`);
}

/** True if caches of others may keep the page, so many visitors may get its token. */
export function isShared(headers: Headers): boolean {
  const control = headers.get("cache-control") ?? "";
  if (/\b(?:private|no-store)\b/i.test(control)) return false;
  if (/\b(?:public|s-maxage|max-age)\b/i.test(control))
    return /\b(?:public|s-maxage=[1-9]|max-age=[1-9])/i.test(control);
  const [expires, date] = ["expires", "date"].map((name) => Date.parse(headers.get(name) ?? ""));
  return Number(expires) > Number(date);
}
