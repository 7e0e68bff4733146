/**
 * Parses the reports of Errata's own reporters, in browsers and on servers: one JSON object, which
 * fits into a beacon. It is one report, or a batch whose other members apply to each report:
 *
 *     {"errata":1,"id":"<32 hex>","how":"uncaught","type":"TypeError","message":"…","stack":"…",
 *      "url":"…","at":1795277313733}
 *     {"errata":1,"release":"…","dropped":2,"reports":[{"id":"<32 hex>",…},…]}
 *
 * `how` is the source: in browsers `uncaught`, `rejection`, `recovered`, `caught`, `mismatch`,
 * `chunk`, `resource` (the message is the element and its URL: `script https://…`), `fetch` (the
 * message is the method and the URL), or `notice` when a visitor saw the notice; on servers the
 * part of the framework that failed, such as `render`. `vitals` are counted only. Optional: `causes` (below the error, outermost first, as in
 * `core/report.ts`, with stacks), `componentStack`, `digest` (as shown, or of another framework),
 * `aliases` (further codes), `reportId` (the server's report that the notice named), `debugIds`
 * (as the bundler keeps them), `trace`, `release`, `environment`, `tags`, `fields` (the error's own
 * ones), `language`, `viewport`, `translated` (true if the browser translated the page), `token`
 * (the page token). Of a server: `side` (`server`), `request` (`method`, `url`, `headers`), `route`
 * (the pattern), `status`, and `isCarried` (true if the server behind this one that threw the error
 * has reported it: `digest` is that of its report). `dropped` counts reports that the sender did not send.
 */

import {
  asArray,
  asCount,
  asNumber,
  asRecord,
  asText,
  asTextPairs,
  type JsonFields,
  parseHexId,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { Cause, ParsedReport } from "../../core/report.ts";
import { ok } from "../../core/result.ts";
import { createDebugMeta } from "../decode/debug-ids.ts";
import { extractCodes } from "../decode/foreign-codes.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { parseStackFrames } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import {
  type IngestFormat,
  type ParsedItem,
  respondWithCodes,
  toCountedItem,
  toDroppedItem,
  toInvalidItem,
  toItemName,
  toReportItem,
} from "../format/ingest-format.ts";
import { describeFailure, findCountedItem } from "./describe-failure.ts";

const REPORTER_VERSION = 1;
/** The item that counts the reports of `dropped`. */
const DROPPED_ITEM = "dropped";

export const reporter: IngestFormat = {
  name: "reporter",
  expects: "a report of Errata's own reporter",
  reportFormat: "reporter",
  items: [
    ...["uncaught", "rejection", "recovered", "caught", "mismatch", "chunk", "notice", "resource"],
    ...["fetch", "vitals", "script-error", "resize-loop", "report", "unknown", DROPPED_ITEM],
  ],
  detect: (fields) => "errata" in fields,
  parse: ({ value }) =>
    ok({ items: parseReporterBody(value), pageToken: asText(asRecord(value)?.token) }),
  respond: respondWithCodes,
};

/**
 * Parses one report or a batch. A report is invalid without both type and message, a body without
 * `errata: 1`.
 */
export function parseReporterBody(value: unknown): readonly ParsedItem[] {
  const body = asRecord(value);
  if (body === undefined)
    return [toInvalidItem("report", "not-an-object", "report: a JSON object")];
  if (asNumber(body.errata) !== REPORTER_VERSION) {
    const expected = `report: "errata": ${REPORTER_VERSION}`;
    return [toInvalidItem(toItemName(body.how), "missing-field", expected)];
  }
  if (!("reports" in body)) return [parseReport(body)];
  const { reports, ...shared } = body;
  const list = asArray(reports);
  if (list === undefined)
    return [toInvalidItem("report", "missing-field", "reports: a list of reports")];
  const items = list.slice(0, limits.maxReportsPerUpload).map((entry) => {
    const fields = asRecord(entry);
    return fields === undefined
      ? toInvalidItem("report", "not-an-object", "reports: JSON objects")
      : parseReport({ ...shared, ...fields });
  });
  const others = list.slice(limits.maxReportsPerUpload);
  return [
    ...items,
    ...others.map(() => toDroppedItem("report", "over-count")),
    ...countDropped(body.dropped),
  ];
}

/** Reports that the sender discarded, as Sentry's SDKs report theirs. */
function countDropped(dropped: unknown): readonly ParsedItem[] {
  const count = asCount(dropped);
  if (count === 0) return [];
  return [toCountedItem(DROPPED_ITEM, [[["discarded", "error", "queue_overflow"], count]])];
}

function parseReport(fields: JsonFields): ParsedItem {
  const mechanism = toItemName(fields.how);
  // Values of page speed. They have no storage yet.
  if (mechanism === "vitals") return toCountedItem(mechanism);
  const truncations = trackTruncations();
  const type = truncations.limitText("type", fields.type, limits.maxTypeChars);
  const message = truncations.limitText("message", fields.message, limits.maxMessageChars);
  if (type === undefined && message === undefined && mechanism !== "notice")
    return toInvalidItem(mechanism, "missing-field", "report: a type or a message");
  const stack = truncations.limitText("stack", fields.stack, limits.maxStackChars);
  const frames = parseStackFrames(stack, truncations);
  const status = isStatus(fields.status) ? fields.status : undefined;
  const debugMeta = createDebugMeta(fields.debugIds, frames);
  const own = asRecord(fields.fields);
  const sent = {
    side: fields.side === "server" ? "server" : "browser",
    how: mechanism,
    type: type ?? "Error",
    message: message ?? "",
    stack,
    pageUrl: asText(fields.url),
    status,
  } as const;
  const counted = findCountedItem(sent);
  if (counted !== undefined) return toCountedItem(counted);
  const { how, ...failure } = describeFailure(sent);
  const request = parseRequest(fields, truncations);
  return toReportItem(how, {
    side: sent.side,
    format: "reporter",
    ...failure,
    frames,
    isGroup: fields.isGroup === true || undefined,
    causes: parseCauses(fields.causes, truncations),
    ...extractCodes([fields.digest, ...(asArray(fields.aliases) ?? []).slice(0, MAX_CODES)]),
    isCarried: fields.isCarried === true || undefined,
    id: parseHexId(fields.id),
    occurredAtMs: parseTimeMs(fields.at),
    stack,
    componentStack: truncations.limitText(
      "componentStack",
      fields.componentStack,
      limits.maxComponentStackChars,
    ),
    request,
    // A page does not know the headers of its own request.
    rayId: sent.side === "server" ? findRayId(request) : undefined,
    response: status === undefined ? undefined : { status, isSilent200: status < 400 },
    traceId: parseHexId(fields.trace),
    release: truncations.limitString("release", fields.release),
    environment: truncations.limitString("environment", fields.environment),
    detail: truncations.limitJson("detail", { error: own, debug_meta: debugMeta }),
    tags: createTags(
      [
        ["how", how],
        ["report", parseHexId(fields.reportId)],
        ["language", asText(fields.language)],
        ["viewport", asText(fields.viewport)],
        ["translated", fields.translated === true ? "true" : undefined],
        ...asTextPairs(fields.tags),
      ],
      truncations,
    ),
    truncated: truncations.listNames(),
  });
}

const MAX_CODES = 10;

function isStatus(value: unknown): value is number {
  return typeof value === "number" && value >= 100 && value <= 599 && Number.isInteger(value);
}

/** Of a page its URL. Of a server the request that it names. */
function parseRequest(fields: JsonFields, truncations: Truncations): ParsedReport["request"] {
  const { method, url = fields.url, headers } = asRecord(fields.request) ?? {};
  const route = fields.route ?? toRoute(url);
  return createReportRequest({ method, url, route, headers }, truncations);
}

function findRayId(request: ParsedReport["request"]): string | undefined {
  return request?.headers?.find(([name]) => name === "cf-ray")?.[1];
}

function parseCauses(value: unknown, truncations: Truncations): ParsedReport["causes"] {
  const list = truncations.takeFirst("causes", asArray(value) ?? [], limits.maxCauses);
  const causes = list.map((entry, index): Cause => {
    const { type, message, stack, parent, isGroup } = asRecord(entry) ?? {};
    const text = truncations.limitText("causes", stack, limits.maxStackChars);
    return {
      type: truncations.limitText("causes", type, limits.maxTypeChars) ?? "Error",
      message: truncations.limitText("causes", message, limits.maxMessageChars) ?? "",
      frames: parseStackFrames(text, truncations),
      ...(isGroup === true && { isGroup }),
      ...(isParent(parent, index) && { parent }),
    };
  });
  return causes.length === 0 ? undefined : causes;
}

/** True for the number of an error above the cause at `index`, if it is not the one before it. */
function isParent(value: unknown, index: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < index;
}

function toRoute(url: unknown): string | undefined {
  return typeof url === "string" ? toUrlPath(url) : undefined;
}
