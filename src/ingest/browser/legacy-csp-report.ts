/**
 * Parses the legacy report of a CSP violation, `{"csp-report":{…}}`, which `report-uri` sends, in
 * the dialects of browsers. It has neither a time nor an id: browsers do not retry it.
 * Source: CSP Level 3 § 5.3 Obtain the deprecated serialization of violation.
 */

import { asRecord, asText } from "../../core/decode/as-type.ts";
import { ok } from "../../core/result.ts";
import {
  defineFormat,
  type ParsedItem,
  respondWithoutBody,
  toInvalidItem,
} from "../format/ingest-format.ts";
import { parseCspViolation } from "./csp-violation.ts";

const ITEM = "csp-report";

export const cspReport = defineFormat({
  name: ITEM,
  expects: "a csp-report object",
  reportFormat: ITEM,
  items: [ITEM],
  paths: { [ITEM]: "/api/:project/csp-report/:key" },
  detect: (fields) => ITEM in fields,
  parse: ({ value }) => ok({ items: parseLegacyCspReport(value) }),
  respond: respondWithoutBody,
});

/** Parses one legacy report. Invalid if its member is not an object or names no directive. */
export function parseLegacyCspReport(value: unknown): readonly ParsedItem[] {
  const body = asRecord(asRecord(value)?.[ITEM]);
  if (body === undefined)
    return [toInvalidItem(ITEM, "not-an-object", `${ITEM}: an object as the member "csp-report"`)];
  const raw = {
    // CSP 1, and Firefox before 2018, send only the violated directive.
    directive: asText(body["effective-directive"]) ?? body["violated-directive"],
    blockedUri: body["blocked-uri"],
    sourceFile: body["source-file"],
    line: body["line-number"],
    column: body["column-number"],
    disposition: body.disposition,
    documentUri: body["document-uri"],
    body,
  };
  return [parseCspViolation(ITEM, ITEM, raw, {})];
}
