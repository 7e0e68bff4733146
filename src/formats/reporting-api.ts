/**
 * What browsers upload as `application/reports+json`: an array of reports, or, from older WebKit, a single one.
 *
 *     [{"type":"deprecation","age":44,"url":"https://…","user_agent":"…","body":{"id":"…","message":"…"}}]
 *
 * Types are open-ended; bodies may be null, and members missing, null or empty. A report has no id: a retry is known by its
 * content, its sender and about when it happened.
 * Source: W3C Reporting API § 2.2, § 3.3; Network Error Logging § 5; bodies as on the wire in tests/fixtures/reports.*.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { bodySays } from "./browser-report.ts";
import { parseViolation } from "./csp.ts";
import { createCuts } from "./cuts.ts";
import { type Fields, numberOf, recordOf, textOf } from "./decode.ts";
import { codesOf } from "./foreign-codes.ts";
import { sourceFrames, stackFrames } from "./frames.ts";
import { counted, drafted, invalid, itemName } from "./parsed.ts";
import { requestOf } from "./request.ts";
import { originOf, pathOf } from "./urls.ts";

/** Why an upload is refused as a whole. */
export interface TooManyReports {
  readonly reason: "too-many-items";
  readonly limit: "maxReportsPerUpload";
  readonly max: number;
  readonly expected: string;
}

/**
 * Every report's end, in order. `nowMs` is the moment of receipt, from which a report's age is counted back. Fails beyond
 * `limits.maxReportsPerUpload` reports: Chromium holds 100 at most.
 */
export function parseReports(
  value: unknown,
  nowMs: number,
): Result<readonly Parsed[], TooManyReports> {
  const reports = Array.isArray(value) ? value : [value];
  const max = limits.maxReportsPerUpload;
  if (reports.length > max) {
    const expected = `at most ${max} reports in an upload`;
    return fail({ reason: "too-many-items", limit: "maxReportsPerUpload", max, expected });
  }
  return ok(reports.map((report) => parseReport(report, nowMs)));
}

function parseReport(report: unknown, nowMs: number): Parsed {
  const fields = recordOf(report);
  if (fields === undefined) return invalid("unknown", "not-an-object", "report: a JSON object");
  const type = textOf(fields.type);
  if (type === undefined) return invalid("unknown", "missing-field", "report: a type");
  const body = recordOf(fields.body) ?? {};
  const occurred = occurredIn(fields, body, nowMs);
  if (type === "csp-violation") {
    return parseViolation(type, "reporting-api", violationIn(fields, body), occurred);
  }
  // A sample of requests that went well, which `success_fraction` asks for.
  if (type === "network-error" && body.type === "ok") return counted(type);
  return parseBrowserReport(type, fields, body, occurred);
}

/** When it happened, and what makes a retry the same report. */
function occurredIn(fields: Fields, body: Fields, nowMs: number) {
  const ageMs = Math.max(0, numberOf(fields.age) ?? 0);
  const occurredAtMs = Math.round(nowMs - ageMs);
  const { type, url, user_agent } = fields;
  return { occurredAtMs, sameAbout: JSON.stringify([type, url, user_agent, body]) };
}

function violationIn(fields: Fields, body: Fields) {
  return {
    directive: textOf(body.effectiveDirective) ?? body.violatedDirective,
    blocked: body.blockedURL ?? body.blockedURI,
    source: body.sourceFile,
    line: body.lineNumber,
    column: body.columnNumber,
    disposition: body.disposition,
    document: textOf(body.documentURL) ?? textOf(body.documentURI) ?? fields.url,
    userAgent: fields.user_agent,
    body,
  };
}

function parseBrowserReport(
  reportType: string,
  fields: Fields,
  body: Fields,
  occurred: { readonly occurredAtMs: number; readonly sameAbout: string },
): Parsed {
  const cuts = createCuts();
  const text = (name: string, value: unknown) => cuts.text(name, value, limits.maxStringChars);
  const url = text("request", fields.url);
  const network = reportType === "network-error";
  const type = network ? (textOf(body.type) ?? reportType) : reportType;
  const says = bodySays(reportType, body, url === undefined ? undefined : originOf(url));
  const stack = cuts.text("stack", body.stack, limits.maxStackChars);
  const status = numberOf(body.status_code);
  const file = text("frames", body.sourceFile);
  return drafted(itemName(reportType), {
    kind: network ? "network" : "browser",
    side: "browser",
    format: "reporting-api",
    type: cuts.text("type", type, limits.maxTypeChars) ?? type,
    message: cuts.text("message", says.message, limits.maxMessageChars) ?? "",
    level: says.level,
    frames:
      stack === undefined
        ? sourceFrames(file, body.lineNumber ?? body.line, body.columnNumber ?? body.column)
        : stackFrames(stack, cuts),
    ...occurred,
    // An app can leave a digest for the case of a crash: window.crashReport.set("digest", …).
    ...codesOf([recordOf(body.crash_report_api)?.digest]),
    ...present({
      stack,
      fingerprint: says.fingerprint?.map((part) => text("fingerprint", part) ?? ""),
      request: requestOf(
        {
          url,
          route: url === undefined ? undefined : pathOf(url),
          method: body.method,
          userAgent: fields.user_agent,
        },
        cuts,
      ),
      response: status !== undefined && status > 0 ? { status, silent: false } : undefined,
      detail: cuts.json("detail", body),
      cut: cuts.names(),
    }),
  });
}
