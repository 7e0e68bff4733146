/**
 * The legacy report of a CSP violation, `{"csp-report":{…}}`, as `report-uri` sends it, in the dialects of browsers. It has
 * neither a time nor an id: browsers do not send it again.
 * Source: CSP Level 3 § 5.3 Obtain the deprecated serialization of violation.
 */
import type { Parsed } from "../core/outcome.ts";
import { parseViolation } from "./csp.ts";
import { recordOf, textOf } from "./decode.ts";
import { invalid } from "./parsed.ts";

const ITEM = "csp-report";

/** What becomes of one legacy report. Invalid when its member is no object or names no directive. */
export function parseCspReport(value: unknown): readonly Parsed[] {
  const body = recordOf(recordOf(value)?.[ITEM]);
  if (body === undefined) {
    return [invalid(ITEM, "not-an-object", `${ITEM}: an object as the member "csp-report"`)];
  }
  const claims = {
    // CSP 1 and Firefox before 2018 know the violated directive alone.
    directive: textOf(body["effective-directive"]) ?? body["violated-directive"],
    blocked: body["blocked-uri"],
    source: body["source-file"],
    line: body["line-number"],
    column: body["column-number"],
    disposition: body.disposition,
    document: body["document-uri"],
    body,
  };
  return [parseViolation(ITEM, ITEM, claims, {})];
}
