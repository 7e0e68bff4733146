/**
 * Parses a CSP violation from either format. Title and grouping are the same for both, so both
 * forms of one violation are one issue. Source: CSP Level 3 § 5 Reporting; dialects of browsers in
 * tests/ingest/browser/legacy-csp-report.test.ts.
 */
import { asRecord, asText, type JsonFields } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport } from "../../core/report.ts";
import { ok } from "../../core/result.ts";
import { removePageTokens } from "../../core/trust/page-token-format.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { createSourceFrames } from "../decode/stack-frames.ts";
import { trackTruncations } from "../decode/truncations.ts";
import { stripQuery, toUrlOrigin, toUrlPath } from "../decode/urls.ts";
import {
  type IngestFormat,
  type ParsedItem,
  respondWithoutBody,
  toInvalidItem,
  toReportItem,
} from "../format/ingest-format.ts";

/** Undecoded members of a violation, independent of the format. */
interface RawCspViolation {
  /** `script-src-elem`, or a violated directive's full text. */
  readonly directive: unknown;
  /** A URL, or `inline`, `eval`, `data` …; empty for inline in old browsers. */
  readonly blockedUri: unknown;
  readonly sourceFile: unknown;
  readonly line: unknown;
  readonly column: unknown;
  readonly disposition: unknown;
  readonly documentUri: unknown;
  readonly userAgent?: unknown;
  /** All members as received. */
  readonly body: JsonFields;
}

/** Members that only one of the formats has. */
type CspReportTime = Pick<ParsedReport, "occurredAtMs" | "fuzzyDedupeKey">;

/** Parses one violation. Invalid without a directive. */
export function parseCspViolation(
  item: string,
  format: string,
  raw: RawCspViolation,
  extras: CspReportTime,
): ParsedItem {
  const truncations = trackTruncations();
  // Older browsers send the directive with its sources: `script-src 'self'`.
  const directive = asText(raw.directive)?.trim().split(/\s/, 1)[0];
  if (directive === undefined || directive === "")
    return toInvalidItem(item, "missing-field", `${item}: an effective or violated directive`);
  const blockedUri = normalizeBlockedUri(
    truncations.limitString("detail", raw.blockedUri),
    directive,
  );
  const source = truncations.limitString("detail", raw.sourceFile);
  const pageUrl = truncations.limitString("detail", raw.documentUri);
  const type = truncations.limitText("type", directive, limits.maxTypeChars) ?? directive;
  const isReportOnly = raw.disposition === "report";
  const { body, originalPolicy } = withoutPageToken(raw.body);
  return toReportItem(item, {
    kind: "csp",
    side: "browser",
    format,
    type,
    message: `${isReportOnly ? "would block" : "blocked"} ${describeBlocked(blockedUri, type)}`,
    level: isReportOnly ? "warning" : "error",
    frames: createSourceFrames(source, raw.line, raw.column),
    blockedUri,
    fingerprint: ["csp", type, toUrlOrigin(blockedUri), toSourceKey(source, pageUrl)],
    tags: [["disposition", isReportOnly ? "report" : "enforce"]],
    ...extras,
    request: createReportRequest(
      { url: pageUrl, route: pageUrl && toUrlPath(pageUrl), userAgent: raw.userAgent },
      truncations,
    ),
    detail: truncations.limitJson("detail", body),
    originalPolicy,
    truncated: truncations.listNames(),
  });
}

/** Browsers repeat the page's policy, with the token in its `report-uri`. */
function withoutPageToken(body: JsonFields) {
  const name = "originalPolicy" in body ? "originalPolicy" : "original-policy";
  const policy = asText(body[name]);
  if (policy === undefined) return { body };
  const originalPolicy = removePageTokens(policy);
  return { body: { ...body, [name]: originalPolicy }, originalPolicy };
}

/** Old browsers send nothing or `self` instead of `inline`. */
function normalizeBlockedUri(blockedUri: string | undefined, directive: string): string {
  if (blockedUri !== undefined && blockedUri !== "self") return blockedUri;
  return /^(?:script|style|default)-src/.test(directive) ? "inline" : "something";
}

/**
 * Ignores the page's own URL, which some browsers send as the source, so that the same inline
 * script on every page is one error.
 */
function toSourceKey(source: string | undefined, pageUrl: string | undefined): string {
  const file = stripQuery(source ?? pageUrl ?? "");
  const isPage = source === undefined || file === stripQuery(pageUrl ?? "");
  return isPage ? "the document" : removeHash(file);
}

/**
 * `app.js` for `app-3f2a1b9c.js` and `app.BkO3ZtDz.js`, so that a new build does not change the
 * issue.
 */
function removeHash(file: string): string {
  return file.replace(/[.-]([\w-]{8,64})(?=\.\w{1,4}$)/, (part, hash: string) => {
    const isHash = /\d/.test(hash) || (hash.length === 8 && /[a-z][A-Z]/.test(hash));
    return isHash ? "" : part;
  });
}

/** Names the blocked resource, to follow "blocked". */
function describeBlocked(blockedUri: string, directive: string): string {
  if (blockedUri !== "inline") return stripQuery(blockedUri);
  if (directive === "script-src-attr") return "inline event handler";
  if (directive === "style-src-attr") return "inline style attribute";
  if (directive.startsWith("style")) return "inline style";
  return directive.startsWith("script") || directive === "default-src" ? "inline script" : "inline";
}

const ITEM = "csp-report";

/**
 * The legacy report, which `report-uri` sends, in the dialects of browsers. It has neither a time
 * nor an id: browsers do not retry it. Source: CSP Level 3 § 5.3 Obtain the deprecated serialization
 * of violation.
 */
export const cspReport: IngestFormat = {
  name: ITEM,
  expects: "a csp-report object",
  reportFormat: ITEM,
  items: [ITEM],
  paths: { [ITEM]: "/api/:project/csp-report/:key" },
  detect: (fields) => ITEM in fields,
  parse: ({ value }) => ok({ items: parseLegacyCspReport(value) }),
  respond: respondWithoutBody,
};

/** Parses one legacy report, `{"csp-report":{…}}`. Invalid if its member is not an object or names no directive. */
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
