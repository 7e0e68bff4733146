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
import { fail, ok, type Result } from "../../core/result.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { createSourceFrames, parseStackFrames } from "../decode/stack-frames.ts";
import { trackTruncations } from "../decode/truncations.ts";
import { stripQuery, toUrlOrigin, toUrlPath } from "../decode/urls.ts";
import {
  type FormatFailure,
  type IngestFormat,
  type ParsedItem,
  respondWithoutBody,
  toCountedItem,
  toInvalidItem,
  toItemName,
  toReportItem,
} from "../format/ingest-format.ts";
import { parseCspViolation } from "./csp-violation.ts";

/** `application/reports+json`. */
export const reportingApi: IngestFormat = {
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
};

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
  });
}

interface BodyDescription {
  readonly message: string;
  readonly level: string;
  /** Undefined if the report groups by type and message. */
  readonly fingerprint?: readonly string[];
}

type BodyDescriber = (body: BodyAccess) => BodyDescription;

/** A body, with functions that read it. */
interface BodyAccess {
  /** The report's type. */
  readonly type: string;
  /** The member's text, or a default. */
  readonly textOr: (member: string, otherwise: string) => string;
  /** The member's text; undefined if it has none. */
  readonly getText: (member: string) => string | undefined;
  /** The origin of the page, or of the request for a network error. */
  readonly origin: string;
  /** `5xx` for a status of 500 to 599; undefined below 400, and without a status. */
  readonly statusClass: string | undefined;
}

/**
 * Describes one body, also of an unknown type: its message and its fingerprint. Neither contains the
 * page's URL, because one error occurs on many pages. `origin` is the origin of the report's URL.
 * Source: the specifications of the types; captured bodies in tests/fixtures/reports.* and nel.*.
 */
function describeBody(type: string, body: JsonFields, origin: string | undefined): BodyDescription {
  const getText = (member: string) => asText(body[member]);
  const describe = Object.hasOwn(DESCRIBERS, type) ? DESCRIBERS[type] : undefined;
  const textOr = (member: string, otherwise: string) => getText(member) ?? otherwise;
  return (describe ?? describeOther)({
    type,
    getText,
    textOr,
    origin: origin ?? "an unknown origin",
    statusClass: toStatusClass(asNumber(body.status_code)),
  });
}

function toStatusClass(status = 0): string | undefined {
  return status >= 400 && status < 600 ? `${Math.floor(status / 100)}xx` : undefined;
}

const DESCRIBERS: Readonly<Record<string, BodyDescriber>> = {
  "network-error": ({ textOr, origin, statusClass }) => {
    const [kind, phase] = [textOr("type", "unknown"), textOr("phase", "unknown")];
    const request = `${textOr("method", "a request")} to ${origin}, phase ${phase}`;
    const fingerprint = ["network-error", kind, phase, origin];
    // A missing file and a failed server are two faults; 502 and 503 are often one outage.
    return kind === "http.error" && statusClass !== undefined
      ? {
          message: `${statusClass} for ${request}`,
          level: "error",
          fingerprint: [...fingerprint, statusClass],
        }
      : { message: request, level: "error", fingerprint };
  },
  crash: ({ getText, textOr, type }) => ({
    message: textOr("reason", "the page's process ended without a reason"),
    level: "fatal",
    // A stack, if there is one, distinguishes hangs.
    fingerprint: getText("stack") === undefined ? [type, textOr("reason", "unknown")] : undefined,
  }),
  coep: ({ type, textOr }) => {
    const blockedUrl = toUrlOrigin(textOr("blockedURL", "an unknown origin"));
    const [reason, destination] = [textOr("type", "unknown"), textOr("destination", "resource")];
    return {
      message: `${reason} blocked ${destination} of ${blockedUrl}`,
      level: "error",
      fingerprint: [type, reason, destination, blockedUrl],
    };
  },
  coop: ({ type, textOr }) => ({
    message: `${textOr("type", "violation")}, effective policy ${textOr("effectivePolicy", "unknown")}`,
    level: "warning",
    fingerprint: [type, textOr("type", "violation"), textOr("effectivePolicy", "unknown")],
  }),
  "integrity-violation": ({ type, textOr }) => {
    const blockedUrl = stripQuery(textOr("blockedURL", "an unknown URL"));
    return {
      message: `blocked ${textOr("destination", "resource")} ${blockedUrl}`,
      level: "error",
      fingerprint: [type, textOr("destination", "resource"), blockedUrl],
    };
  },
  "csp-hash": ({ type, textOr }) => {
    const file = stripQuery(textOr("subresourceURL", "an unknown URL"));
    return {
      message: `${textOr("destination", "resource")} ${file} is ${textOr("hash", "unknown")}`,
      level: "info",
      fingerprint: [type, file],
    };
  },
  "connection-allowlist": ({ type, textOr }) => {
    const target = toUrlOrigin(textOr("connection", "an unknown origin"));
    return {
      message: `blocked ${target}`,
      level: "error",
      fingerprint: [type, target],
    };
  },
};

/**
 * Deprecations, interventions, permissions and document policy violations, and unknown types: an id
 * (Chromium sends `policyId` instead of the specified `featureId`) and a message.
 */
function describeOther({ type, getText }: BodyAccess): BodyDescription {
  const id =
    getText("id") ??
    getText("policyId") ??
    getText("featureId") ??
    getText("type") ??
    getText("reason");
  const message = getText("message");
  return {
    message: [id, message].filter((part) => part !== undefined).join(": "),
    level: "warning",
    fingerprint: id === undefined ? undefined : [type, id],
  };
}
