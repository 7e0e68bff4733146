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
import { ok } from "../../core/result.ts";
import { type IngestFormat, respondWithoutBody, toCountedItem } from "../format/ingest-format.ts";

/** The report is counted without reading its contents. */
export const securityReport: IngestFormat = {
  name: "security-report",
  reportFormat: null,
  items: [],
  paths: { security: "/api/:project/security/:key" },
  detect: (fields) => findName(fields) !== undefined,
  parse: ({ value }) =>
    ok({ items: [toCountedItem(findName(asRecord(value) ?? {}) ?? "unknown")] }),
  respond: respondWithoutBody,
};

/** Members that name their report. */
const NAMES = ["expect-ct-report", "expect-staple-report", "xss-report"] as const;

/** The name of such a report, for counters; undefined for any other object. */
function findName(fields: JsonFields): string | undefined {
  const isHpkp = "known-pins" in fields && "hostname" in fields;
  return NAMES.find((name) => name in fields) ?? (isHpkp ? "hpkp-report" : undefined);
}
