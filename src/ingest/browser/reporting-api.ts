/**
 * Parses `application/reports+json`: an array of reports, or, from older WebKit, a single one.
 *
 *     [{"type":"deprecation","age":44,"url":"https://…","user_agent":"…",
 *       "body":{"id":"…","message":"…"}}]
 *
 * New types appear over time; bodies can be null, and members missing, null or empty. A report has
 * no id: a retry is recognized by its content, its sender and its approximate time.
 * Source: W3C Reporting API § 2.2, § 3.3; Network Error Logging § 5; captured bodies in
 * tests/fixtures/reports.*.
 */

import { asNumber, asRecord, asText, type JsonFields } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { createSourceFrames, parseStackFrames } from "../decode/stack-frames.ts";
import { trackTruncations } from "../decode/truncations.ts";
import { toUrlOrigin, toUrlPath } from "../decode/urls.ts";
import {
  defineFormat,
  type FormatFailure,
  type ParsedItem,
  respondWithoutBody,
  toCountedItem,
  toInvalidItem,
  toItemName,
  toReportItem,
} from "../format/ingest-format.ts";
import { parseCspViolation } from "./csp-violation.ts";
import { describeBody } from "./report-body.ts";

/** `application/reports+json`. */
export const reportingApi = defineFormat({
  name: "reporting-api",
  expects: "an array of browser reports",
  reportFormat: "reporting-api",
  items: ["csp-violation", "network-error", "unknown"],
  paths: { nel: "/api/:project/nel/:key" },
  isList: true,
  detect: (fields) => "type" in fields && "body" in fields,
  parse({ value, nowMs }) {
    const items = parseReportingApi(value, nowMs);
    return items.ok ? ok({ items: items.value }) : items;
  },
  respond: respondWithoutBody,
});

/**
 * Parses all reports, in order. `nowMs`, the time of receipt, minus a report's age is its time.
 * Fails above `limits.maxReportsPerUpload` reports: Chromium queues at most 100.
 */
export function parseReportingApi(
  value: unknown,
  nowMs: number,
): Result<readonly ParsedItem[], FormatFailure> {
  const reports = Array.isArray(value) ? value : [value];
  const max = limits.maxReportsPerUpload;
  if (reports.length > max)
    return fail({ reason: "too-many-items", expected: `at most ${max} reports in an upload` });
  return ok(reports.map((report) => parseApiReport(report, nowMs)));
}

function parseApiReport(report: unknown, nowMs: number): ParsedItem {
  const fields = asRecord(report);
  if (fields === undefined)
    return toInvalidItem("unknown", "not-an-object", "report: a JSON object");
  const type = asText(fields.type);
  if (type === undefined) return toInvalidItem("unknown", "missing-field", "report: a type");
  const body = asRecord(fields.body) ?? {};
  const occurrence = createOccurrence(fields, body, nowMs);
  if (type === "csp-violation")
    return parseCspViolation(type, "reporting-api", toRawViolation(fields, body), occurrence);
  // A sample of successful requests (`success_fraction`).
  if (type === "network-error" && body.type === "ok") return toCountedItem(type);
  return parseBrowserReport(type, fields, body, occurrence);
}

/** When the report occurred, and the key that identifies retries. */
function createOccurrence(fields: JsonFields, body: JsonFields, nowMs: number) {
  const ageMs = Math.max(0, asNumber(fields.age) ?? 0);
  const occurredAtMs = Math.round(nowMs - ageMs);
  const { type, url, user_agent } = fields;
  return { occurredAtMs, fuzzyDedupeKey: JSON.stringify([type, url, user_agent, body]) };
}

function toRawViolation(fields: JsonFields, body: JsonFields) {
  return {
    directive: asText(body.effectiveDirective) ?? body.violatedDirective,
    blockedUri: body.blockedURL ?? body.blockedURI,
    sourceFile: body.sourceFile,
    line: body.lineNumber,
    column: body.columnNumber,
    disposition: body.disposition,
    documentUri: asText(body.documentURL) ?? asText(body.documentURI) ?? fields.url,
    userAgent: fields.user_agent,
    body,
  };
}

function parseBrowserReport(
  reportType: string,
  fields: JsonFields,
  body: JsonFields,
  occurrence: { readonly occurredAtMs: number; readonly fuzzyDedupeKey: string },
): ParsedItem {
  const truncations = trackTruncations();
  const url = truncations.limitString("request", fields.url);
  const isNetworkError = reportType === "network-error";
  const type = isNetworkError ? (asText(body.type) ?? reportType) : reportType;
  const description = describeBody(
    reportType,
    body,
    url === undefined ? undefined : toUrlOrigin(url),
  );
  const stack = truncations.limitText("stack", body.stack, limits.maxStackChars);
  const status = asNumber(body.status_code);
  const file = truncations.limitString("frames", body.sourceFile);
  return toReportItem(toItemName(reportType), {
    kind: isNetworkError ? "network" : "browser",
    side: "browser",
    format: "reporting-api",
    type: truncations.limitText("type", type, limits.maxTypeChars) ?? type,
    message: truncations.limitText("message", description.message, limits.maxMessageChars) ?? "",
    level: description.level,
    frames:
      stack === undefined
        ? createSourceFrames(file, body.lineNumber ?? body.line, body.columnNumber ?? body.column)
        : parseStackFrames(stack, truncations),
    ...occurrence,
    // Apps can set a digest for crashes: window.crashReport.set("digest", …).
    ...extractCodes([asRecord(body.crash_report_api)?.digest]),
    ...omitUndefined({
      stack,
      fingerprint: description.fingerprint?.map(
        (part) => truncations.limitString("fingerprint", part) ?? "",
      ),
      request: createReportRequest(
        {
          url,
          route: url === undefined ? undefined : toUrlPath(url),
          method: body.method,
          userAgent: fields.user_agent,
        },
        truncations,
      ),
      response: status !== undefined && status > 0 ? { status, isSilent200: false } : undefined,
      detail: truncations.limitJson("detail", body),
      truncated: truncations.listNames(),
    }),
  });
}
