/**
 * Creates the report of one error in another Worker, with its invocation: the request, the script's
 * version, the data center, and the console output before it.
 * Source: @cloudflare/workers-types 5, TraceItem and TraceItemFetchEventInfo.
 */

import {
  asArray,
  asNumber,
  asText,
  asTextPairs,
  parseHexId,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { readProperty, readString } from "../../core/read-property.ts";
import type { TextStack } from "../../core/report/stacks/parse-text-stack.ts";
import type { Breadcrumb, ParsedReport } from "../../core/report.ts";
import { truncateText } from "../../core/truncate.ts";
import { createReportRequest } from "../decode/http-request.ts";
import { parseStackFrames, toErrorContent, toReportPlatform } from "../decode/stack-frames.ts";
import { createTags } from "../decode/tags.ts";
import { type Truncations, trackTruncations } from "../decode/truncations.ts";
import { formatLogText, type TailError } from "./console-log.ts";

/** An error before truncation. */
export interface TailException {
  readonly kind: "error" | "message";
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** The stack, if it was parsed because only a text was logged. */
  readonly parsed?: TextStack;
  /** Other errors in the same log. */
  readonly causes?: readonly TailError[];
  /** When it was thrown or logged, in milliseconds since 1970. */
  readonly timestamp: unknown;
  /** Console calls before it. */
  readonly logs: readonly unknown[];
  /** The text of its log. */
  readonly loggedText?: string;
  /** The Worker did not catch it: a success status was sent before the failure. */
  readonly isUncaught: boolean;
  readonly fingerprint?: readonly string[];
}

/** The report of an error in the invocation that `event` describes. */
export function createTailReport(event: object, exception: TailException): ParsedReport {
  const truncations = trackTruncations();
  const { type, message, stack, frames } = parseError(exception, truncations);
  const inText = exception.parsed && toErrorContent(exception.parsed, truncations);
  const info = readProperty(event, "event");
  const request = readProperty(info, "request");
  const headers = asTextPairs(readProperty(request, "headers"));
  const version = readProperty(event, "scriptVersion");
  const status = asNumber(readProperty(readProperty(info, "response"), "status"));
  return {
    kind: exception.kind,
    side: "server",
    format: "tail",
    type,
    message,
    level: "error",
    frames: inText?.frames ?? frames,
    ...omitUndefined({
      platform: toReportPlatform(exception.parsed?.platform),
      isGroup: inText?.isGroup,
      occurredAtMs:
        parseTimeMs(exception.timestamp) ?? parseTimeMs(readProperty(event, "eventTimestamp")),
      stack,
      causes: inText?.causes ?? parseCauses(exception, truncations),
      request: createReportRequest(
        { method: readProperty(request, "method"), url: readProperty(request, "url"), headers },
        truncations,
      ),
      response:
        status === undefined
          ? undefined
          : { status, isSilent200: exception.isUncaught && status < FIRST_ERROR_STATUS },
      release: truncations.limitString(
        "release",
        readString(version, "tag") || readString(version, "id"),
      ),
      environment: truncations.limitString("environment", findEnvironment(event)),
      traceId: parseTraceparent(findHeader(headers, "traceparent")),
      rayId: truncations.limitText("rayId", findHeader(headers, "cf-ray"), limits.maxTypeChars),
      tags: createTags(listTags(event, info), truncations),
      breadcrumbs: createLogBreadcrumbs(exception.logs, truncations),
      detail: truncations.limitJson("detail", { logged: getExtraLogText(exception) }),
      fingerprint: exception.fingerprint?.map(
        (part) => truncations.limitString("fingerprint", part) ?? "",
      ),
      truncated: truncations.listNames(),
    }),
  };
}

const FIRST_ERROR_STATUS = 400;

/** The platform omits the first line of a stack; this adds it. */
function parseError(
  exception: Pick<TailException, "type" | "message" | "stack">,
  truncations: Truncations,
): Pick<ParsedReport, "type" | "message" | "frames"> & { readonly stack: string | undefined } {
  const type = truncations.limitText("type", exception.type, limits.maxTypeChars) ?? "Error";
  const message = truncations.limitText("message", exception.message, limits.maxMessageChars) ?? "";
  const isHeaderless = exception.stack !== undefined && /^\s*at /.test(exception.stack);
  const fullStack = isHeaderless ? `${type}: ${message}\n${exception.stack}` : exception.stack;
  const stack = truncations.limitText("stack", fullStack, limits.maxStackChars);
  return { type, message, stack, frames: parseStackFrames(exception.stack, truncations) };
}

function parseCauses(
  { causes = [] }: TailException,
  truncations: Truncations,
): ParsedReport["causes"] {
  const limited = truncations.takeFirst("causes", causes, limits.maxCauses).map((cause) => {
    const { type, message, frames } = parseError(cause, truncations);
    return { type, message, frames };
  });
  return limited.length === 0 ? undefined : limited;
}

/** Text logged beside an error: "Checkout failed:". Undefined if it is only the error itself. */
function getExtraLogText({ loggedText, type, message }: TailException): string | undefined {
  return loggedText === `${type}: ${message}` ? undefined : loggedText;
}

const MAX_BREADCRUMB_CHARS = 200;

function createLogBreadcrumbs(
  logs: readonly unknown[],
  truncations: Truncations,
): readonly Breadcrumb[] | undefined {
  const newest = truncations.takeLast("breadcrumbs", logs, limits.maxBreadcrumbs);
  const breadcrumbs = newest.map((log) =>
    omitUndefined({
      atMs: parseTimeMs(readProperty(log, "timestamp")),
      category: "console",
      level: truncations.limitText("breadcrumbs", readString(log, "level"), MAX_BREADCRUMB_CHARS),
      message: truncateText(formatLogText(log), MAX_BREADCRUMB_CHARS),
    }),
  );
  return breadcrumbs.length === 0 ? undefined : breadcrumbs;
}

/** Triggers of an invocation, by a member that only their event has. */
const TRIGGERS: readonly (readonly [member: string, trigger: string])[] = [
  ["request", "fetch"],
  ["cron", "scheduled"],
  ["queue", "queue"],
  ["mailFrom", "email"],
  ["rpcMethod", "rpc"],
  ["getWebSocketEvent", "websocket"],
  ["consumedEvents", "tail"],
  ["scheduledTime", "alarm"],
];

function listTags(event: object, info: unknown) {
  const outcome = readString(event, "outcome");
  const trigger = TRIGGERS.find(([member]) => readProperty(info, member) !== undefined)?.[1];
  const colo = readProperty(readProperty(readProperty(info, "request"), "cf"), "colo");
  const candidates: readonly (readonly [name: string, value: unknown])[] = [
    ["script", readProperty(event, "scriptName")],
    ["version", readProperty(readProperty(event, "scriptVersion"), "id")],
    ["entrypoint", readProperty(event, "entrypoint")],
    ["namespace", readProperty(event, "dispatchNamespace")],
    ["durable object", readProperty(event, "durableObjectId")],
    ["trigger", trigger],
    ["cron", readProperty(info, "cron")],
    ["queue", readProperty(info, "queue")],
    ["method", readProperty(info, "rpcMethod")],
    ["outcome", outcome === "ok" ? undefined : outcome],
    ["colo", colo],
    ["truncated", readProperty(event, "truncated") === true ? "true" : undefined],
  ];
  return candidates.map(([name, value]) => [name, asText(value)] as const);
}

/**
 * Wrangler writes the environment's name into the script's tags. A preview is its own environment.
 */
function findEnvironment(event: object): string | undefined {
  const tags = asArray(readProperty(event, "scriptTags")) ?? [];
  const environmentTag = tags.find(
    (tag) => typeof tag === "string" && tag.startsWith(ENVIRONMENT_TAG),
  );
  if (typeof environmentTag === "string") return environmentTag.slice(ENVIRONMENT_TAG.length);
  return readProperty(event, "preview") === undefined ? undefined : "preview";
}

const ENVIRONMENT_TAG = "cf:environment=";

function findHeader(headers: readonly (readonly [string, string])[], wantedName: string) {
  return headers.find(([name]) => name.toLowerCase() === wantedName)?.[1];
}

/** The trace id of a `traceparent` (W3C Trace Context § 3.2.2). */
function parseTraceparent(traceparent: string | undefined): string | undefined {
  return parseHexId(/^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? "")?.[1]);
}
