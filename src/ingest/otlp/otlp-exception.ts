/**
 * Creates a report from one OTLP item: an exception, identified by its attributes, or a message
 * logged as an error.
 *
 * OTLP has no report ids, and the same failure often arrives several times: from each span that it
 * passed through, from a log record of the same failure
 * (`OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN=logs/dup`) and from retries. Within one trace, equal
 * exceptions in one second are therefore one report. Source: OpenTelemetry semantic conventions
 * 1.45, exceptions on spans and in logs.
 */

import {
  asNumber,
  asRecord,
  asText,
  type JsonFields,
  parseHexId,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { parseErrorText } from "../../core/report/stacks/parse-text-stack.ts";
import type { LogTemplate, ParsedReport } from "../../core/report.ts";
import { truncateJson } from "../../core/truncate.ts";
import { createReportRequest, type RawRequest } from "../decode/http-request.ts";
import { insertParams } from "../decode/message-params.ts";
import { parseLoggedError, toErrorContent, toReportPlatform } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { toUrlPath } from "../decode/urls.ts";
import { toWorkerTags } from "../decode/worker-facts.ts";
import {
  filterAttributes,
  findAttribute,
  type OtlpAttributes,
  TEMPLATE_ATTRIBUTES,
  toPlainObject,
  toPlainValue,
} from "./otlp-attributes.ts";
import type { OtlpResource } from "./otlp-resource.ts";
import { readWorkerContext, readWorkerFacts } from "./otlp-worker.ts";

/** A log record or a span event, with its surroundings. */
export interface OtlpOccurrence {
  readonly resource: OtlpResource;
  /** Attributes of the item itself. */
  readonly attributes: OtlpAttributes;
  /** Attributes of the server span, used if the item lacks one. */
  readonly request: OtlpAttributes;
  /** The first valid time counts, in nanoseconds since 1970; 0 is unknown. */
  readonly times: readonly unknown[];
  readonly traceId: unknown;
  readonly level: string;
  /** Grouping of its own. */
  readonly fingerprint?: readonly string[] | undefined;
  /** Tags: its scope, span and event. */
  readonly tags: readonly (readonly [name: string, value: unknown])[];
  /** Details besides the report's fields. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The item's place in the body. It distinguishes items without a trace. */
  readonly indexPath: string;
}

/** True with a type, a message or a stack; `exception.escaped` alone does not suffice. */
export function hasException(attributes: OtlpAttributes): boolean {
  return (
    findAttribute(attributes, EXCEPTION_TYPE, EXCEPTION_MESSAGE, EXCEPTION_STACKTRACE) !== undefined
  );
}

/**
 * The report of an exception, truncated to the limits. Type and message are those of the
 * attributes, else of the stack; causes and members are those of the stack.
 */
export function createExceptionReport(occurrence: OtlpOccurrence): ParsedReport {
  const { attributes, resource } = occurrence;
  const truncations = trackTruncations();
  const text = findAttribute(attributes, EXCEPTION_STACKTRACE);
  const parsed = text === undefined ? undefined : parseErrorText(text, resource.platform);
  const content = toErrorContent(parsed, truncations);
  const type = truncations.limitText(
    "type",
    findAttribute(attributes, EXCEPTION_TYPE),
    limits.maxTypeChars,
  );
  const message = truncations.limitText(
    "message",
    findAttribute(attributes, EXCEPTION_MESSAGE),
    limits.maxMessageChars,
  );
  return createReport(occurrence, truncations, {
    ...content,
    kind: "error",
    type: type ?? content.type ?? "Error",
    message: message ?? content.message ?? "",
    stack: truncations.limitText("stack", text, limits.maxStackChars),
    platform: toReportPlatform(parsed?.platform ?? resource.platform),
  });
}

/**
 * The report of a logged message, truncated to the limits. An error if the message contains a
 * stack.
 */
export function createMessageReport(occurrence: OtlpOccurrence, body: string): ParsedReport {
  const { attributes, resource } = occurrence;
  const truncations = trackTruncations();
  const logged = parseLoggedError(body, resource.platform, truncations);
  if (logged !== undefined) {
    const detail = { ...occurrence.detail, logged: body };
    return createReport({ ...occurrence, detail }, truncations, logged);
  }
  const message = formatLogMessage(body, attributes);
  return createReport(occurrence, truncations, {
    kind: "message",
    type: "Message",
    message: truncations.limitText("message", message, limits.maxMessageChars) ?? "",
    frames: [],
    template: parseLogTemplate(attributes, truncations),
    platform: toReportPlatform(resource.platform),
  });
}

/**
 * The text of a record's body: text, the message of an object, or short JSON. Undefined if empty.
 */
export function formatLogBody(body: unknown): string | undefined {
  const plain = toPlainValue(body);
  const fields = asRecord(plain);
  const message = asText(fields?.message) ?? asText(fields?.msg) ?? asText(plain);
  if (message !== undefined || typeof plain !== "object") return message;
  return JSON.stringify(truncateJson(plain, BODY_LIMITS).value);
}

const EXCEPTION_TYPE = "exception.type";
const EXCEPTION_MESSAGE = "exception.message";
const EXCEPTION_STACKTRACE = "exception.stacktrace";
const BODY_LIMITS = { maxDepth: 4, maxMembers: 50, maxValues: 100, maxStringChars: 500 };

type ReportContent = Pick<
  ParsedReport,
  "kind" | "platform" | "type" | "message" | "template" | "frames" | "isGroup" | "causes" | "stack"
>;

function createReport(
  occurrence: OtlpOccurrence,
  truncations: Truncations,
  content: ReportContent,
): ParsedReport {
  const { resource, attributes } = occurrence;
  const http = new Map([...occurrence.request, ...attributes]);
  const request = parseHttpAttributes(http);
  const headers = listRequestHeaders(http, truncations);
  const status = parseResponseStatus(http);
  const occurredAtMs = occurrence.times.map(toMs).find((ms) => ms !== undefined);
  const traceId = parseTraceId(occurrence.traceId);
  const all = new Map([...resource.attributes, ...http]);
  const facts = readWorkerFacts(all);
  const worker = readWorkerContext(all);
  const filtered = filterAttributes(attributes);
  return {
    ...content,
    side: resource.side,
    format: "otlp",
    level: occurrence.level,
    dedupeKey:
      occurredAtMs === undefined
        ? undefined
        : createDedupeKey(occurrence, content, traceId, occurredAtMs),
    occurredAtMs,
    request: createReportRequest(
      { ...request, userAgent: request.userAgent ?? resource.userAgent, headers },
      truncations,
    ),
    response: status === undefined ? undefined : { status, isSilent200: false },
    release: truncations.limitString("release", resource.release ?? facts.version),
    environment: truncations.limitString("environment", resource.environment),
    traceId,
    rayId: truncations.limitText(
      "rayId",
      findAttribute(http, "cloudflare.ray_id") ?? headers.find(([name]) => name === "cf-ray")?.[1],
      limits.maxTypeChars,
    ),
    fingerprint: occurrence.fingerprint?.map(
      (part) => truncations.limitString("fingerprint", part) ?? "",
    ),
    tags: createTags(
      [
        ...toWorkerTags(facts),
        ...resource.tags,
        ...occurrence.tags.map(([name, value]) => [name, asText(value)] as const),
        [
          "handled",
          findAttribute(attributes, "exception.escaped") === "true" ? "false" : undefined,
        ],
      ],
      truncations,
    ),
    detail: truncations.limitJson("detail", {
      attributes: filtered.size === 0 ? undefined : toPlainObject(filtered),
      ...occurrence.detail,
      contexts: worker && { worker },
      resource: resource.detail,
    }),
    truncated: truncations.listNames(),
  };
}

/** Without a trace, everything that could distinguish two items is part of the key. */
function createDedupeKey(
  { resource, attributes, times, indexPath }: OtlpOccurrence,
  { type, message, stack }: ReportContent,
  traceId: string | undefined,
  occurredAtMs: number,
): string {
  const identity =
    traceId === undefined
      ? [indexPath, times, resource.detail, toPlainObject(attributes)]
      : [traceId, Math.floor(occurredAtMs / 1000)];
  return JSON.stringify(["otlp", resource.tags, type, message, stack, identity]);
}

const NANOSECONDS_PER_MS = 1e6;

/** Whole milliseconds. Undefined for 0, which means unknown. */
function toMs(nanoseconds: unknown): number | undefined {
  const ms = Math.round((asNumber(nanoseconds) ?? 0) / NANOSECONDS_PER_MS);
  return ms > 0 ? ms : undefined;
}

/** All zeros mean no trace. */
function parseTraceId(value: unknown): string | undefined {
  const id = parseHexId(value);
  return id === undefined || /^0+$/.test(id) ? undefined : id;
}

/**
 * Method, URL, route and user agent of a request, by the stable conventions and the older ones.
 * Headers are separate. Source: OpenTelemetry semantic conventions 1.45, HTTP spans; 1.20 for the
 * older names.
 */
function parseHttpAttributes(attributes: OtlpAttributes): RawRequest {
  const url = createUrl(attributes);
  return {
    method: findAttribute(attributes, "http.request.method", "http.method"),
    url,
    route:
      findAttribute(attributes, "http.route") ?? (url === undefined ? undefined : toUrlPath(url)),
    userAgent: findAttribute(attributes, "user_agent.original", "http.user_agent"),
  };
}

/** The captured headers, `http.request.header.<name>` with a list of values: the first of each. */
function listRequestHeaders(
  attributes: OtlpAttributes,
  truncations: Truncations,
): readonly (readonly string[])[] {
  return [...attributes.keys()]
    .filter((key) => key.startsWith(HEADER_PREFIX))
    .map((key) => {
      const value = truncations.limitText(
        "headers",
        findAttribute(attributes, key),
        limits.maxTypeChars,
      );
      // Instrumentations before 1.24 wrote dashes as underscores.
      return [key.slice(HEADER_PREFIX.length).replaceAll("_", "-"), value ?? ""];
    });
}

/** The response status; undefined if unknown. */
function parseResponseStatus(attributes: OtlpAttributes): number | undefined {
  const status = asNumber(
    findAttribute(attributes, "http.response.status_code", "http.status_code"),
  );
  return status !== undefined && Number.isInteger(status) && status > 0 ? status : undefined;
}

const HEADER_PREFIX = "http.request.header.";

/** The full URL, or one composed from its parts, as server spans have them. */
function createUrl(attributes: OtlpAttributes): string | undefined {
  const fullUrl = findAttribute(attributes, "url.full", "http.url");
  if (fullUrl !== undefined) return fullUrl;
  const target = findAttribute(attributes, "http.target");
  const query = findAttribute(attributes, "url.query");
  const path = findAttribute(attributes, "url.path");
  const pathAndQuery = path === undefined || query === undefined ? path : `${path}?${query}`;
  const host = findAttribute(attributes, "server.address", "http.host");
  const scheme = findAttribute(attributes, "url.scheme", "http.scheme");
  const end = pathAndQuery ?? target;
  if (end === undefined || host === undefined || scheme === undefined) return end;
  const port = findAttribute(attributes, "server.port");
  const isDefault = port === undefined || port === DEFAULT_PORTS[scheme] || host.includes(":");
  return `${scheme}://${host}${isDefault ? "" : `:${port}`}${end}`;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** Names in `{User}`, `{@Order:0.00}`, `{Total,10}`, `%(user)s` and `%{user}`. */
const PLACEHOLDER =
  /\{[@$]?([\w.-]{1,100})(?:[,:][^{}]{0,100})?\}|%\(([\w.-]{1,100})\)|%\{([\w.-]{1,100})\}/g;

/**
 * The template of a record and the attributes that it names, from the attributes in which logging
 * libraries send it: Microsoft.Extensions.Logging, Serilog, the message templates of other
 * languages, and the name proposed in the semantic conventions. Undefined if none was sent.
 */
function parseLogTemplate(
  attributes: OtlpAttributes,
  truncations: Truncations,
): LogTemplate | undefined {
  const sent = findAttribute(attributes, ...TEMPLATE_ATTRIBUTES);
  const text = truncations.limitText("template", sent, limits.maxMessageChars);
  if (text === undefined) return undefined;
  return { text, params: truncations.limitJson("template", findParams(text, attributes)) };
}

/**
 * The message of a record whose body is its template, with the values of the attributes. Otherwise
 * the body.
 */
function formatLogMessage(body: string, attributes: OtlpAttributes): string {
  if (body !== findAttribute(attributes, ...TEMPLATE_ATTRIBUTES)) return body;
  return insertParams(body, findParams(body, attributes));
}

function findParams(template: string, attributes: OtlpAttributes): JsonFields {
  const params: Record<string, unknown> = {};
  for (const [, braces, percent, both] of template.matchAll(PLACEHOLDER)) {
    const name = braces ?? percent ?? both ?? "";
    if (attributes.has(name)) params[name] = toPlainValue(attributes.get(name));
  }
  return params;
}
