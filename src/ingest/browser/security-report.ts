/**
 * Counts reports of security features that browsers have removed. Old browsers still send them, and
 * retry unless they get a 2xx.
 *
 *     {"expect-ct-report":{"date-time":"…","hostname":"shop.example","port":443,…}}
 *     {"expect-staple-report":{…}}     {"xss-report":{"request-url":"…","request-body":"…"}}
 *     {"date-time":"…","hostname":"shop.example","known-pins":[…],…}
 *
 * Source: RFC 9163 § 3.1 (Expect-CT); Chromium's design of Expect-Staple; the `report` directive of
 * X-XSS-Protection; RFC 7469 § 3 (HPKP); relay-server/src/endpoints/security_report.rs.
 */

import { asRecord, type JsonFields } from "../../core/decode/as-type.ts";
import { type ParsedItem, toCountedItem } from "../items/item-outcome.ts";

/** Members that name their report. */
const NAMES = ["expect-ct-report", "expect-staple-report", "xss-report"] as const;

/** The name of such a report, for counters; undefined for any other object. */
export function findSecurityReportName(fields: JsonFields): string | undefined {
  const isHpkp = "known-pins" in fields && "hostname" in fields;
  return NAMES.find((name) => name in fields) ?? (isHpkp ? "hpkp-report" : undefined);
}

/** Counts one report without reading its contents. */
export function parseSecurityReport(value: unknown): readonly ParsedItem[] {
  return [toCountedItem(findSecurityReportName(asRecord(value) ?? {}) ?? "unknown")];
}
