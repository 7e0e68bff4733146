/**
 * The Content-Security-Policy of a page. Its token proves it, so that Errata recognizes a policy
 * that was changed on the way: the reports about it must then carry the token. Sources: CSP Level 3
 * § 6.5.1 (report-uri), Reporting API § 3.2 (Reporting-Endpoints).
 */

import type { NoticeOptions } from "./notice.ts";
import { PAGE_FACTS_HEADER, readPageFact } from "./page-facts.ts";
import type { Errata } from "./server.ts";

/** Reads a header of a response, which may be a list. Names are in lower case. */
export type ReadResponseHeader = (name: string) => unknown;

/** A header to set in place of the one that the response has. */
export type NewHeader = readonly [name: string, value: string];

const POLICY_HEADERS = ["content-security-policy", "content-security-policy-report-only"] as const;

/** The only policy of a page, as browsers repeat it in reports; undefined if there are several. */
export function findOnlyPolicy(read: ReadResponseHeader): string | undefined {
  const policies = POLICY_HEADERS.flatMap((name) => toText(read(name)).split(","))
    .map((policy) => policy.trim())
    .filter(Boolean);
  return policies.length === 1 ? policies[0] : undefined;
}

/**
 * How a notice in the page keeps to its policies: with their nonce, else without what they forbid.
 * What they blocked would be reported as a violation of the page.
 */
export function fitNotice(
  read: ReadResponseHeader,
): Pick<NoticeOptions, "nonce" | "hasStyle" | "hasScript"> {
  const policies = POLICY_HEADERS.map((name) => toText(read(name))).join("; ");
  const [, nonce] = /'nonce-([\w+/=-]+)'/i.exec(policies) ?? [];
  if (nonce !== undefined) return { nonce };
  if (policies.includes("'unsafe-inline'")) return {};
  const allows = (kind: string) => !new RegExp(`\\b(?:${kind}|default)-src\\b`, "i").test(policies);
  return { hasStyle: allows("style"), hasScript: allows("script") };
}

/** The headers that name Errata as the receiver of reports, with the token in its address. */
export function addTokenToReports(
  token: string | undefined,
  read: ReadResponseHeader,
  { toReceiptUrl }: Pick<Errata, "toReceiptUrl">,
): readonly NewHeader[] {
  const receipt = toReceiptUrl("");
  const isKnown = readPageFact(toText(read(PAGE_FACTS_HEADER.toLowerCase())), "token");
  if (token === undefined || receipt === undefined || isKnown !== undefined) return [];
  const { origin } = new URL(receipt);
  const add = (text: string) =>
    text.replace(/[^\s"',;<>]+/g, (url) => (isIngest(url, origin) ? addToken(url, token) : url));
  const addToPolicy = (text: string) => text.replace(/(?<=^|[;,])\s*report-uri\s[^;,]*/gi, add);
  const changed = [
    ["reporting-endpoints", add] as const,
    ...POLICY_HEADERS.map((name) => [name, addToPolicy] as const),
  ].map(([name, change]) => [name, toText(read(name)), change] as const);
  return changed
    .filter(([, text, change]) => change(text) !== text)
    .map(([name, text, change]) => [name, change(text)]);
}

/** True for the address of Errata, or of a server of the site that forwards to it. */
function isIngest(url: string, origin: string): boolean {
  const [path = ""] = url.split("?", 1);
  return path === "/monitoring" || path === `${origin}/monitoring`;
}

function addToken(url: string, token: string): string {
  if (/[?&]t=/.test(url)) return url;
  return `${url}${url.includes("?") ? "&" : "?"}t=${token}`;
}

function toText(header: unknown): string {
  return Array.isArray(header) ? header.join(", ") : String(header ?? "");
}
