/**
 * Parses the report of Errata's own browser reporter: one JSON object, which fits into a beacon.
 *
 *     {"errata":1,"id":"<32 hex>","how":"uncaught","type":"TypeError","message":"…","stack":"…",
 *      "url":"…","at":1795277313733}
 *
 * `how` is the source: `uncaught`, `rejection`, `recovered`, `caught`, `mismatch`, `chunk`, or
 * `notice` when a visitor saw the notice. Optional: `componentStack`, `digest` (as shown, or of
 * another framework), `reportId` (the server's report that the notice named), `release`,
 * `environment`, `language`, `viewport`, `translated` (true if the browser translated the page),
 * `token` (the page token).
 */

import { asNumber, asRecord, asText, parseHexId, parseTimeMs } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { ok } from "../../core/result.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { parseStackFrames } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { trackTruncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import {
  type IngestFormat,
  type ParsedItem,
  respondWithCodes,
  toInvalidItem,
  toItemName,
  toReportItem,
} from "../format/ingest-format.ts";

const REPORTER_VERSION = 1;

export const reporter: IngestFormat = {
  name: "reporter",
  expects: "a report of Errata's own reporter",
  reportFormat: "reporter",
  items: [
    ...["uncaught", "rejection", "recovered", "caught", "mismatch", "chunk", "notice"],
    ...["report", "unknown"],
  ],
  detect: (fields) => "errata" in fields,
  parse: ({ value }) =>
    ok({ items: parseReporterBody(value), pageToken: asText(asRecord(value)?.token) }),
  respond: respondWithCodes,
};

/** Parses one report. Invalid without `errata: 1`, and without both type and message. */
export function parseReporterBody(value: unknown): readonly ParsedItem[] {
  const fields = asRecord(value);
  if (fields === undefined)
    return [toInvalidItem("report", "not-an-object", "report: a JSON object")];
  const mechanism = toItemName(fields.how);
  if (asNumber(fields.errata) !== REPORTER_VERSION)
    return [toInvalidItem(mechanism, "missing-field", `report: "errata": ${REPORTER_VERSION}`)];
  const isNotice = mechanism === "notice";
  const truncations = trackTruncations();
  const type = truncations.limitText("type", fields.type, limits.maxTypeChars);
  const message = truncations.limitText("message", fields.message, limits.maxMessageChars);
  if (type === undefined && message === undefined && !isNotice)
    return [toInvalidItem(mechanism, "missing-field", "report: a type or a message")];
  const stack = truncations.limitText("stack", fields.stack, limits.maxStackChars);
  return [
    toReportItem(mechanism, {
      kind: isNotice ? "notice" : "error",
      side: "browser",
      format: "reporter",
      type: isNotice ? "Notice" : (type ?? "Error"),
      message: message ?? "",
      level: isNotice ? "info" : "error",
      frames: parseStackFrames(stack, truncations),
      ...extractCodes([fields.digest]),
      id: parseHexId(fields.id),
      occurredAtMs: parseTimeMs(fields.at),
      stack,
      componentStack: truncations.limitText(
        "componentStack",
        fields.componentStack,
        limits.maxComponentStackChars,
      ),
      request: createReportRequest({ url: fields.url, route: toRoute(fields.url) }, truncations),
      release: truncations.limitString("release", fields.release),
      environment: truncations.limitString("environment", fields.environment),
      tags: createTags(
        [
          ["how", mechanism],
          ["report", parseHexId(fields.reportId)],
          ["language", asText(fields.language)],
          ["viewport", asText(fields.viewport)],
          ["translated", fields.translated === true ? "true" : undefined],
        ],
        truncations,
      ),
      truncated: truncations.listNames(),
    }),
  ];
}

function toRoute(url: unknown): string | undefined {
  return typeof url === "string" ? toUrlPath(url) : undefined;
}
